// An agent made with the AI SDK.
import { createMCPClient } from "@ai-sdk/mcp";
import * as stdio from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as ai from "ai";

const Transport = stdio.StdioMCPTransport ?? stdio.Experimental_StdioMCPTransport;
const stopAt = ai.stepCountIs ?? ai.isStepCount;
const client = await createMCPClient({
  transport: new Transport({
    command: process.env.SERVER,
    args: JSON.parse(process.env.SERVER_ARGS),
    env: process.env,
  }),
});
const provider = createOpenAICompatible({ name: "fake", baseURL: process.env.MODEL_URL, apiKey: "dummy" });
const result = await ai.generateText({
  model: provider("fake-model"),
  tools: await client.tools(),
  stopWhen: stopAt(40),
  prompt: process.env.PROMPT,
});
console.log(result.text);
await client.close();
