// Clients of the official TypeScript SDK against the world of `scenewright serve`.
//
// Usage: node explorer_client.mjs SDK_FOLDER URL EXPECTED
// EXPECTED is JSON. Prints one JSON object a line: {"name": ..., "error": null or text}.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const [sdk, url, expectedText] = process.argv.slice(2);
const expected = JSON.parse(expectedText);
// The SDK is installed elsewhere, so it is looked for from there.
const require = createRequire(`${sdk}/`);
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");

const LIMIT_MS = 30_000;
const ROUNDS = 20;
const AT_ONCE = 4;

async function check(name, action) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${LIMIT_MS} ms`)), LIMIT_MS);
  });
  const error = await Promise.race([action(), late]).then(() => null, (problem) => problem.message);
  clearTimeout(timer);
  console.log(JSON.stringify({ name, error }));
}

// What the client complains of, such as answers to nothing it asked, is in `problems`.
async function connect(problems) {
  const client = new Client({ name: "scenewright-checks", version: "1" });
  client.onerror = (error) => problems.push(error.message);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `isError: ${JSON.stringify(result.content)}`);
  assert.ok(result.content[0].text, "no text beside the data");
  return result.structuredContent;
}

async function read(client, uri) {
  const { contents } = await client.readResource({ uri });
  assert.equal(contents.length, 1);
  assert.equal(contents[0].uri, uri);
  assert.equal(contents[0].mimeType, "application/json");
  return JSON.parse(contents[0].text);
}

async function failsAsAResult(client) {
  const result = await client.callTool({ name: "explorer_getObject", arguments: { id: "obj:1" } });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /^Not found\n.*obj:1/);
}

async function converse(client) {
  await check("tools/list", async () => {
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    assert.deepEqual(expected.tools.filter((name) => !names.includes(name)), []);
  });
  await check("call explorer_getStatus", async () =>
    assert.deepEqual(await call(client, "explorer_getStatus", {}), expected.status));
  await check("call explorer_searchObjects", async () => {
    const found = await call(client, "explorer_searchObjects", { path: "/Player", limit: 1 });
    const { Id, ...player } = found.Items[0];
    assert.deepEqual(player, expected.player);
    assert.deepEqual(await call(client, "explorer_getObject", { id: Id }), found.Items[0]);
    assert.deepEqual(await read(client, `unity://object/${Id}`), found.Items[0]);
  });
  await check("a call that fails", () => failsAsAResult(client));
  await check("resources/list", async () => {
    const uris = (await client.listResources()).resources.map((resource) => resource.uri);
    assert.deepEqual(uris.filter((uri) => uri.startsWith("unity://")), expected.resources);
  });
  await check("resources/templates/list", async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    const uris = resourceTemplates.map((template) => template.uriTemplate);
    assert.deepEqual(uris.filter((uri) => uri.startsWith("unity://")), expected.templates);
  });
  await check("read unity://status", async () =>
    assert.deepEqual(await read(client, "unity://status"), expected.status));
  await check("read unity://scenes", async () =>
    assert.deepEqual(await read(client, "unity://scenes"), expected.scenes));
}

// One request as clients of the Explorer interface make it.
function ask(id, method, params, signal) {
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
  return fetch(new URL("/message", url), { method: "POST", body, signal });
}

// A stream of the Explorer interface that is attached; `seen` fills up while it is.
async function attach(signal) {
  const answer = await ask("stream", "stream_events", {}, signal);
  const seen = [];
  const reading = (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const bytes of answer.body) {
      rest += decoder.decode(bytes, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop();
      seen.push(...lines.map((line) => JSON.parse(line)));
    }
  })();
  return { seen, end: reading.catch((error) => assert.equal(error.name, "AbortError")) };
}

// Both clients number their requests from 0, and so does the Explorer client beside them: a result
// that goes astray would be taken for an answer.
async function staysApart() {
  const problems = [];
  const [one, other] = [await connect(problems), await connect(problems)];
  const stop = new AbortController();
  const stream = await attach(stop.signal);
  const { Items: objects } = await call(one, "explorer_listObjects", {});
  const get = async (client, object) =>
    assert.deepEqual(await call(client, "explorer_getObject", { id: object.Id }), object);
  const explore = async (id) => {
    const answer = await ask(id, "call_tool", { name: "GetStatus", arguments: {} });
    assert.equal((await answer.json()).id, id);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const work = [];
    for (let n = 0; n < AT_ONCE; n++) {
      const place = round * AT_ONCE + n;
      work.push(get(one, objects[place % objects.length]));
      work.push(get(other, objects[(place + 1) % objects.length]));
      work.push(explore(place));
    }
    await Promise.all(work);
  }
  await ask("last", "ping", {});
  while (!stream.seen.some((message) => message.id === "last")) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stop.abort();
  await stream.end;
  await Promise.all([one.close(), other.close()]);
  assert.deepEqual(problems, [], "the clients complained");
  const mirrored = stream.seen.filter((message) => Number.isInteger(message.id));
  const ids = mirrored.map((message) => message.id).sort((a, b) => a - b);
  assert.deepEqual(ids, [...Array(ROUNDS * AT_ONCE).keys()], "not the Explorer client's results");
  const statuses = mirrored.map((message) => message.result.content[0].json);
  statuses.forEach((status) => assert.deepEqual(status, expected.status));
}

await check("connect and close", async () => {
  const problems = [];
  const client = await connect(problems);
  await converse(client);
  await client.close();
  assert.deepEqual(problems, []);
});
await check("two clients at once beside an Explorer stream", staysApart);
// A stream that could not be ended would keep the process.
process.exit();
