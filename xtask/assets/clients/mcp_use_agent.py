"""An agent made with mcp-use."""

import asyncio
import json
import os

from langchain_openai import ChatOpenAI
from mcp_use import MCPAgent, MCPClient


async def main() -> None:
    start = {"command": os.environ["SERVER"], "args": json.loads(os.environ["SERVER_ARGS"])}
    client = MCPClient.from_dict({"mcpServers": {"scenewright": start}})
    model = ChatOpenAI(model="fake-model", base_url=os.environ["MODEL_URL"], api_key="dummy")
    agent = MCPAgent(llm=model, client=client, max_steps=40)
    print(await agent.run(os.environ["PROMPT"]))
    await client.close_all_sessions()


asyncio.run(main())
