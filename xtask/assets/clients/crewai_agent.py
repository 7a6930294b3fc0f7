"""An agent made with CrewAI."""

import json
import os

from crewai import LLM, Agent
from crewai.mcp import MCPServerStdio

start = MCPServerStdio(
    command=os.environ["SERVER"], args=json.loads(os.environ["SERVER_ARGS"]), env=dict(os.environ)
)
model = LLM(model="openai/fake-model", base_url=os.environ["MODEL_URL"], api_key="dummy")
agent = Agent(
    role="Scene worker",
    goal="Look at the scene",
    backstory="You know Unity.",
    llm=model,
    mcps=[start],
    max_iter=40,
)
print(agent.kickoff(os.environ["PROMPT"]).raw)
