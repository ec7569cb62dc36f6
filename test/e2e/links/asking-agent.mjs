// An agent of the Agent Client Protocol that asks the user through the server of tools it was given, as a model would: it
// connects like any MCP client, calls ask_confirm, and says what came back.
let servers = [];
const send = (frame) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } }),
  "session/new": ({ mcpServers }) => {
    servers = mcpServers;
    return { sessionId: "s1" };
  },
  "session/prompt": async ({ sessionId }) => {
    const text = await askThePerson().catch((error) => `failed: ${error.message}`);
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
    send({ method: "session/update", params: { sessionId, update } });
    return { stopReason: "end_turn" };
  },
};

async function askThePerson() {
  const named = servers.map(({ name, type }) => `${name}/${type ?? "stdio"}`).join(" ");
  const own = servers.find(({ name }) => name === "palaver");
  const clientInfo = { name: "asking-agent", version: "1" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const { session } = await call(own, null, { id: 1, method: "initialize", params: hello });
  await call(own, session, { method: "notifications/initialized" });
  const params = { name: "ask_confirm", arguments: { title: "Shall I go on?" } };
  const { answer } = await call(own, session, { id: 2, method: "tools/call", params });
  return `given ${named}; the user said ${answer.result.structuredContent.value}`;
}

async function call({ url, headers }, session, frame) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      ...(session === null ? {} : { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...frame }),
  });
  const text = await response.text();
  const frames = text
    .split("\n")
    .flatMap((line) => (/^(?:data: )?\{/.test(line) ? [JSON.parse(line.replace(/^data: /, ""))] : []));
  return { session: response.headers.get("mcp-session-id"), answer: frames.find(({ id }) => id === frame.id) };
}

let rest = "";
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = answers[method];
    if (answer === undefined) send({ id, error: { code: -32601, message: "unknown" } });
    else void Promise.resolve(answer(params)).then((result) => send({ id, result }));
  }
});
process.stdin.on("end", () => process.exit(0));
