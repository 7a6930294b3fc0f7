"""An agent made with AutoGen."""

import asyncio
import json
import os

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from autogen_ext.tools.mcp import McpWorkbench, StdioServerParams


async def main() -> None:
    start = StdioServerParams(
        command=os.environ["SERVER"],
        args=json.loads(os.environ["SERVER_ARGS"]),
        read_timeout_seconds=60,
    )
    model = OpenAIChatCompletionClient(
        model="fake-model",
        base_url=os.environ["MODEL_URL"],
        api_key="dummy",
        model_info={
            "vision": True,
            "function_calling": True,
            "json_output": True,
            "structured_output": True,
            "family": "unknown",
        },
    )
    async with McpWorkbench(start) as tools:
        agent = AssistantAgent("agent", model_client=model, workbench=tools, max_tool_iterations=40)
        print((await agent.run(task=os.environ["PROMPT"])).messages[-1])


asyncio.run(main())
