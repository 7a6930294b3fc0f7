"""An agent made with the OpenAI Agents SDK."""

import asyncio
import json
import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio
from openai import AsyncOpenAI


async def main() -> None:
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=os.environ["MODEL_URL"], api_key="dummy")
    model = OpenAIChatCompletionsModel(model="fake-model", openai_client=client)
    start = {"command": os.environ["SERVER"], "args": json.loads(os.environ["SERVER_ARGS"])}
    async with MCPServerStdio(params=start, client_session_timeout_seconds=60) as server:
        agent = Agent(name="agent", model=model, mcp_servers=[server])
        print((await Runner.run(agent, os.environ["PROMPT"], max_turns=40)).final_output)


asyncio.run(main())
