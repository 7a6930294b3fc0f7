"""An agent made with CrewAI."""

import json
import os

from crewai import LLM, Agent
from crewai.mcp import MCPServerStdio

# By its name: the command is part of the name of each tool, which becomes a checksum where it is too long.
command = os.path.basename(os.environ["SERVER"])
start = MCPServerStdio(
    command=command, args=json.loads(os.environ["SERVER_ARGS"]), env=dict(os.environ)
)
# A model whose context is known: of an unknown one, long answers go to a file.
model = LLM(model="openai/gpt-4o", base_url=os.environ["MODEL_URL"], api_key="dummy")
agent = Agent(
    role="Scene worker",
    goal="Look at the scene",
    backstory="You know Unity.",
    llm=model,
    mcps=[start],
    max_iter=40,
)
print(agent.kickoff(os.environ["PROMPT"]).raw)
