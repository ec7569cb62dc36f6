// A stand-in for Claude Code that asks through the server of its run: it says nothing on its own wire while the question is
// open. Prompts: `ask`, `ask three`, `ask elsewhere` (the client is another process), `config` (what it was started with).
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const configPath = process.argv[process.argv.indexOf("--mcp-config") + 1];
const { mcpServers } = JSON.parse(readFileSync(configPath, "utf8"));
const { url, headers } = mcpServers.palaver;

const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);

async function reportStatus(prompt) {
  const client = new Client({ name: "asking-claude", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const result = await client.callTool({ name: "report_status", arguments: { status: "needs_input", prompt } });
  await client.close();
  return result.structuredContent;
}

function say(text) {
  send({
    type: "assistant",
    message: { id: "m", role: "assistant", content: [{ type: "text", text }] },
    session_id: "c1",
  });
}

async function answer(text) {
  if (text === "config") {
    return JSON.stringify({
      path: configPath,
      mode: (statSync(configPath).mode & 0o777).toString(8),
      args: process.argv.slice(2),
      servers: Object.keys(mcpServers),
    });
  }
  if (text === "ask elsewhere") {
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--mcp-config", configPath, "--client"]);
    say(`client ${child.pid}`);
    await new Promise((resolve) => child.on("close", resolve));
    return "the client is gone";
  }
  if (text === "ask three") {
    const asked = ["One?", "Two?", "Three?"].map((title) => reportStatus(title));
    return (await Promise.all(asked)).map(({ outcome, response }) => `${outcome}:${response}`).join(" ");
  }
  const { outcome, response } = await reportStatus("Enter feature name");
  return `${outcome}:${response}`;
}

async function take(frame) {
  if (frame.type === "control_request") {
    const { request_id } = frame;
    send({
      type: "control_response",
      response: { subtype: "success", request_id, response: { commands: [], models: [] } },
    });
  } else if (frame.type === "user") {
    send({ type: "system", subtype: "init", session_id: "c1", cwd: process.cwd(), model: "stand-in" });
    say(await answer(frame.message.content[0].text));
    send({ type: "result", subtype: "success", is_error: false, session_id: "c1", total_cost_usd: 0.01, usage: {} });
  }
}

if (process.argv.includes("--client")) await reportStatus("Asked by another process");
else {
  let input = "";
  process.stdin.setEncoding("utf8").on("data", (chunk) => {
    const lines = (input + chunk).split("\n");
    input = lines.pop() ?? "";
    for (const line of lines) void take(JSON.parse(line));
  });
  process.stdin.on("end", () => process.exit(0));
}
