"""An agent made with Google's Agent Development Kit."""

import asyncio
import json
import os

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.mcp_tool.mcp_session_manager import StdioConnectionParams
from google.adk.tools.mcp_tool.mcp_toolset import McpToolset
from google.genai import types
from mcp import StdioServerParameters


async def main() -> None:
    start = StdioServerParameters(
        command=os.environ["SERVER"], args=json.loads(os.environ["SERVER_ARGS"])
    )
    tools = McpToolset(connection_params=StdioConnectionParams(server_params=start, timeout=60))
    agent = LlmAgent(model="gemini-2.5-flash", name="agent", tools=[tools])
    runner = InMemoryRunner(agent=agent, app_name="agent")
    session = await runner.session_service.create_session(app_name="agent", user_id="user")
    message = types.Content(role="user", parts=[types.Part(text=os.environ["PROMPT"])])
    events = runner.run_async(user_id="user", session_id=session.id, new_message=message)
    async for _ in events:
        pass
    await tools.close()


asyncio.run(main())
