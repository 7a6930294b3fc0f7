"""An agent made with Agno."""

import asyncio
import json
import os
import shlex

from agno.agent import Agent
from agno.models.openai.like import OpenAILike
from agno.tools.mcp import MCPTools


async def main() -> None:
    command = shlex.join([os.environ["SERVER"], *json.loads(os.environ["SERVER_ARGS"])])
    model = OpenAILike(id="fake-model", base_url=os.environ["MODEL_URL"], api_key="dummy")
    async with MCPTools(command=command, timeout_seconds=60) as tools:
        agent = Agent(model=model, tools=[tools], telemetry=False)
        print((await agent.arun(os.environ["PROMPT"])).content)


asyncio.run(main())
