"""An agent made with Haystack."""

import json
import os

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from haystack_integrations.tools.mcp import MCPToolset, StdioServerInfo

start = StdioServerInfo(
    command=os.environ["SERVER"], args=json.loads(os.environ["SERVER_ARGS"]), env=dict(os.environ)
)
model = OpenAIChatGenerator(
    model="fake-model",
    api_base_url=os.environ["MODEL_URL"],
    api_key=Secret.from_token("dummy"),
)
tools = MCPToolset(server_info=start, invocation_timeout=60, connection_timeout=60)
agent = Agent(chat_generator=model, tools=tools, max_agent_steps=40)
agent.warm_up()
print(agent.run(messages=[ChatMessage.from_user(os.environ["PROMPT"])])["messages"][-1].text)
tools.close()
