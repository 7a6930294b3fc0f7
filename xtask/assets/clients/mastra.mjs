// An agent made with Mastra.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";

const client = new MCPClient({
  servers: {
    scenewright: { command: process.env.SERVER, args: JSON.parse(process.env.SERVER_ARGS) },
  },
  timeout: 60_000,
});
const provider = createOpenAICompatible({ name: "fake", baseURL: process.env.MODEL_URL, apiKey: "dummy" });
const agent = new Agent({
  id: "agent",
  name: "agent",
  instructions: "Use the tools.",
  model: provider("fake-model"),
  tools: await client.listTools(),
});
const result = await agent.generate(process.env.PROMPT, { maxSteps: 40 });
console.log(result.text);
await client.disconnect();
