"""An agent made with LlamaIndex."""

import asyncio
import json
import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec


async def main() -> None:
    client = BasicMCPClient(os.environ["SERVER"], args=json.loads(os.environ["SERVER_ARGS"]))
    tools = await McpToolSpec(client).to_tool_list_async()
    model = OpenAILike(
        model="fake-model",
        api_base=os.environ["MODEL_URL"],
        api_key="dummy",
        context_window=200000,
        is_chat_model=True,
        is_function_calling_model=True,
    )
    agent = FunctionAgent(tools=tools, llm=model)
    print(await agent.run(user_msg=os.environ["PROMPT"], max_iterations=40))


asyncio.run(main())
