"""An agent made with LangChain."""

import asyncio
import json
import os

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI


async def main() -> None:
    start = {
        "transport": "stdio",
        "command": os.environ["SERVER"],
        "args": json.loads(os.environ["SERVER_ARGS"]),
    }
    tools = await MultiServerMCPClient({"scenewright": start}).get_tools()
    model = ChatOpenAI(model="fake-model", base_url=os.environ["MODEL_URL"], api_key="dummy")
    messages = [("user", os.environ["PROMPT"])]
    result = await create_agent(model, tools).ainvoke({"messages": messages}, {"recursion_limit": 80})
    print(result["messages"][-1].content)


asyncio.run(main())
