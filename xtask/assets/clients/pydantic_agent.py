"""An agent made with Pydantic AI."""

import asyncio
import json
import os

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset, StdioTransport
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


async def main() -> None:
    provider = OpenAIProvider(base_url=os.environ["MODEL_URL"], api_key="dummy")
    start = StdioTransport(command=os.environ["SERVER"], args=json.loads(os.environ["SERVER_ARGS"]))
    agent = Agent(OpenAIChatModel("fake-model", provider=provider), toolsets=[MCPToolset(start)])
    async with agent:
        print((await agent.run(os.environ["PROMPT"])).output)


asyncio.run(main())
