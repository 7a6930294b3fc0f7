// An agent made with the OpenAI Agents SDK.
import { Agent, MCPServerStdio, run, setOpenAIAPI, setTracingDisabled } from "@openai/agents";

setTracingDisabled(true);
setOpenAIAPI("chat_completions");
const server = new MCPServerStdio({
  name: "scenewright",
  command: process.env.SERVER,
  args: JSON.parse(process.env.SERVER_ARGS),
});
await server.connect();
const agent = new Agent({ name: "agent", model: "fake-model", mcpServers: [server] });
const result = await run(agent, process.env.PROMPT, { maxTurns: 40 });
console.log(result.finalOutput);
await server.close();
