"""An agent made with Strands Agents."""

import json
import os

from mcp import StdioServerParameters, stdio_client
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools.mcp import MCPClient

start = StdioServerParameters(
    command=os.environ["SERVER"], args=json.loads(os.environ["SERVER_ARGS"])
)
model = OpenAIModel(
    client_args={"base_url": os.environ["MODEL_URL"], "api_key": "dummy"}, model_id="fake-model"
)
client = MCPClient(lambda: stdio_client(start))
with client:
    print(Agent(model=model, tools=client.list_tools_sync())(os.environ["PROMPT"]))
