// An agent made with LangChain.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

const client = new MultiServerMCPClient({
  mcpServers: {
    scenewright: {
      transport: "stdio",
      command: process.env.SERVER,
      args: JSON.parse(process.env.SERVER_ARGS),
    },
  },
});
const model = new ChatOpenAI({
  model: "fake-model",
  apiKey: "dummy",
  configuration: { baseURL: process.env.MODEL_URL },
});
const agent = createAgent({ model, tools: await client.getTools() });
const messages = [{ role: "user", content: process.env.PROMPT }];
const result = await agent.invoke({ messages }, { recursionLimit: 80 });
console.log(result.messages.at(-1).content);
await client.close();
