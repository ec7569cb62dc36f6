// An agent that shows everything Palaver can show, and does nothing: every block, every kind of question, every signal, in
// the order in which they would come. `palaver run -- node examples/showcase/agent.mjs`, then "fix the failing test",
// "set it up", "make a release", "think", "work", "draw" or "help". It needs no library: one JSON object a line.
// It expects good input and one prompt at a time; examples/ask-everything has agents to copy, which follow every rule.
import { crc32, deflateSync } from "node:zlib";

let seq = 0;
let input = "";
let nextId = 1;
const answers = new Map();
const PACE_MS = Number(process.env.SHOWCASE_PACE_MS ?? 25);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const emit = (type, fields) =>
  send({ type: "event", session_id: "main", event_seq: seq++, event: { type, ...fields } });
const signal = (type, params) => send({ type, session_id: "main", params });

async function say(text, kind = "text") {
  const message = () => ({
    role: "assistant",
    content: [kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text }],
  });
  emit("message_start", { message: { role: "assistant", content: [] } });
  for (const piece of text.match(/\S+\s*/g) ?? []) {
    emit("message_delta", { index: 0, kind, delta: piece });
    await pause(PACE_MS);
  }
  emit("message_end", { message: { ...message(), usage: { total_tokens: 6_200, cost: { total: 0.04 } } } });
}

async function tool(name, args, output, { ms = 200, failed = false } = {}) {
  const id = `c${nextId++}`;
  emit("tool_execution_start", { tool_call_id: id, tool: name, arguments: args });
  await pause(ms);
  emit("tool_execution_end", { tool_call_id: id, tool: name, output, is_error: failed });
  return id;
}

function ask(method, params) {
  const id = `q${nextId++}`;
  send({ type: "ui_request", id, session_id: "main", method, params });
  return new Promise((resolve) => answers.set(id, resolve));
}

const diff = `--- a/src/parser.ts
+++ b/src/parser.ts
@@ -40,4 +40,4 @@ export function list(parts: string[]): string {
   const out = parts.filter((part) => part !== "");
-  return out.join(",");
+  return out.join(", ");
 }
`;

// Bars as a PNG of one palette entry a pixel: ground, bars, the last bar.
function chart(values) {
  const [width, height, bar] = [values.length * 32, 160, 20];
  const pixels = Buffer.alloc((width + 1) * height);
  for (const [at, value] of values.entries()) {
    for (let y = height - value * 18; y < height; y += 1) {
      pixels.fill(at === values.length - 1 ? 2 : 1, y * (width + 1) + 1 + at * 32, y * (width + 1) + 1 + at * 32 + bar);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from([0x15, 0x19, 0x1f, 0x2f, 0x48, 0x64, 0x6c, 0xb6, 0xff]);
  const chunks = [
    ["IHDR", header],
    ["PLTE", palette],
    ["tRNS", Buffer.from([0])],
    ["IDAT", deflateSync(pixels)],
    ["IEND", Buffer.alloc(0)],
  ];
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, ...chunks.map(([name, data]) => chunk(name, data))]).toString("base64");
}

function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

const scenes = {
  async fix() {
    signal("ui_set_title", { title: "parser: a failing test" });
    signal("ui_working", { message: "reading the test" });
    await say("I'll look at the test first. It is in `test/parser.test.ts`.");
    await tool(
      "read",
      { path: "test/parser.test.ts" },
      Array.from({ length: 214 }, (_, at) => `line ${at + 1}`).join("\n"),
    );
    await tool(
      "bash",
      { command: "npm test -- parser" },
      'expected "a,b" to equal "a, b"\n    at test/parser.test.ts:41',
      { failed: true },
    );
    await say(
      'The separator lost its **space**. One line is enough:\n\n```ts\nexport function list(parts: string[]): string {\n  return parts.join(", "); // with a space\n}\n```\n\n| file | change |\n|---|---|\n| src/parser.ts | one line |\n| test/parser.test.ts | none |\n',
    );
    const id = `c${nextId++}`;
    emit("permission.preview", { tool: "edit", tool_call_id: id, file_path: "src/parser.ts", language: "ts", diff });
    emit("permission.ready", { tool: "edit", tool_call_id: id });
    const answer = await ask("confirm", {
      title: "edit src/parser.ts",
      opts: {
        tool: "edit",
        tool_call_id: id,
        rule: "edit(src/**)",
        scope: "this project",
        allow_remember: true,
        allow_reason: true,
      },
    });
    if (answer === true || answer?.ok === true) {
      const call = { tool_call_id: id, tool: "edit" };
      emit("tool_execution_start", { ...call, arguments: { path: "src/parser.ts" } });
      await pause(100);
      emit("tool_execution_end", { ...call, output: { content: diff, details: {} }, is_error: false });
      await tool("bash", { command: "npm test" }, "212 passed", { ms: 600 });
      await say("All 212 tests pass.");
    } else await say(answer?.reason ? `Not then: ${answer.reason}` : "Not then.");
  },
  async set() {
    const manager = await ask("select", {
      title: "Which package manager?",
      options: [
        { label: "npm", value: "npm", description: "lock file found" },
        { label: "pnpm", value: "pnpm", description: "fastest here" },
        { label: "yarn", value: "yarn" },
      ],
    });
    const checks = await ask("select", {
      title: "Which checks?",
      options: ["types", "lint", "tests", "docs"].map((label) => ({ label, value: label })),
      opts: { multiple: true, default: ["types", "tests"] },
    });
    const key = await ask("input", { title: "The key of the registry", opts: { secret: true } });
    await say(`${manager ?? "No manager"}, ${checks?.length ?? 0} checks, ${key ? "a key" : "no key"}.`);
  },
  async make() {
    const release = await ask("form", {
      title: "A release",
      fields: [
        {
          name: "version",
          label: "Version",
          kind: "text",
          required: true,
          default: "1.4.0",
          pattern: "^\\d+\\.\\d+\\.\\d+$",
        },
        {
          name: "channel",
          label: "Channel",
          kind: "select",
          options: ["stable", "next"].map((label) => ({ label, value: label })),
          default: "next",
        },
        { name: "copies", label: "Mirrors", kind: "number", default: 2 },
        { name: "notify", label: "Tell everyone", kind: "confirm" },
      ],
    });
    const notes =
      release === null
        ? null
        : await ask("editor", { title: "What changed?", prefill: "- lists have their space again\n" });
    await say(notes === null ? "No release then." : `Released with ${notes.split("\n").length} lines of notes.`);
  },
  async think() {
    await say("The list is joined in one place only, so a change there is enough. The test is right.", "thinking");
    await say("One place, one line: `src/parser.ts`.");
  },
  async work() {
    const steps = ["read the code", "fix the separator", "run the tests", "write it down"];
    signal("ui_widget", {
      key: "plan",
      content: steps.map((step, at) => `${at + 1} ${step}`),
      opts: { placement: "above" },
    });
    signal("ui_status", { key: "mode", text: "careful" });
    for (const step of steps) {
      signal("ui_working", { message: step });
      await pause(Math.max(PACE_MS * 40, 300));
    }
    signal("ui_widget", { key: "plan", content: null });
    for (const [level, message] of [
      ["info", "4 steps"],
      ["success", "done"],
      ["warning", "the cache was cold"],
      ["error", "one mirror did not answer"],
    ]) {
      signal("ui_notify", { level, message });
    }
  },
  async draw() {
    await say("The last twelve runs, in seconds:");
    const content = [{ type: "image", mime_type: "image/png", data: chart([7, 6, 8, 5, 6, 4, 5, 4, 3, 4, 3, 2]) }];
    emit("message_start", { message: { role: "assistant", content } });
    emit("message_end", { message: { role: "assistant", content } });
    await say("They get faster.");
  },
  async help() {
    await say(
      'I only show things. Try "fix the failing test", "set it up", "make a release", "think", "work" or "draw".',
    );
  },
};

async function obey(command) {
  switch (command.type) {
    case "initialize":
      send({
        type: "initialized",
        protocol_version: "2",
        server: { name: "showcase" },
        server_capabilities: { supports_message_deltas: true, supports_permission_preflight_events: true },
      });
      return;
    case "prompt": {
      emit("agent_start");
      const scene = scenes[command.text.trim().split(/\s+/)[0].toLowerCase()] ?? scenes.help;
      await scene();
      signal("ui_working", { message: null });
      emit("agent_end", { messages: [] });
      return;
    }
    case "ui_response":
      answers.get(command.id)?.(command.result ?? null);
      answers.delete(command.id);
      return;
    case "ping":
      send({ type: "pong" });
      return;
    case "stats":
      send({ type: "stats", stats: { turns: 3, total_tokens: 12_400, cost: { total: 0.08 } } });
      return;
    case "quit":
      process.stdin.destroy();
      return;
    default:
      if (command.type !== "abort")
        send({ type: "error", code: -32_601, message: `${command.type} is not shown here` });
  }
}

process.stdin.setEncoding("utf8").on("data", (chunk) => {
  input += chunk;
  const lines = input.split("\n");
  input = lines.pop() ?? "";
  for (const line of lines.filter(Boolean)) void obey(JSON.parse(line));
});
send({
  type: "ready",
  protocol_version: "2",
  cwd: process.cwd(),
  ui: true,
  active_session_id: "main",
  model: { provider: "showcase", id: "script-1" },
});
