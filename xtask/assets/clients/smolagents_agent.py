"""An agent made with smolagents."""

import json
import os

from mcp import StdioServerParameters
from smolagents import MCPClient, OpenAIServerModel, ToolCallingAgent

start = StdioServerParameters(
    command=os.environ["SERVER"], args=json.loads(os.environ["SERVER_ARGS"])
)
model = OpenAIServerModel("fake-model", api_base=os.environ["MODEL_URL"], api_key="dummy")
with MCPClient(start, structured_output=False) as tools:
    agent = ToolCallingAgent(tools=tools, model=model, max_steps=40)
    print(agent.run(os.environ["PROMPT"]))
