// Sessions resumed in a real terminal: the line at the end says how, --continue finds the last one, and an agent that cannot change
// its session is started again, with what its own file tells of the conversation.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

let home = "";
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "palaver-resume-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

function open(...args: string[]): PtySession {
  const PATH = [join(home, "bin"), process.env["PATH"] ?? ""].join(delimiter);
  const env = {
    HOME: home,
    PATH,
    XDG_STATE_HOME: join(home, "state"),
    CLAUDE_CONFIG_DIR: "",
    PALAVER_MODEL: "offline",
  };
  return new PtySession(process.execPath, [palaver, ...args], { columns: 90, rows: 30, cwd: home, env });
}

/** Answers the handshake, says how it was started, and answers a prompt with a session. */
const CLAUDE = `#!${process.execPath}
const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
const at = process.argv.indexOf("--resume");
const session_id = at < 0 ? "99999999-0000-4000-8000-000000000009" : process.argv[at + 1];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const frame = JSON.parse(line);
  if (frame.type === "control_request")
    say({ type: "control_response", response: { subtype: "success", request_id: frame.request_id, response: {} } });
  if (frame.type !== "user") return;
  say({ type: "system", subtype: "init", session_id, cwd: process.cwd() });
  const content = [{ type: "text", text: at < 0 ? "a new session" : "resumed " + session_id.slice(0, 6) }];
  say({ type: "assistant", message: { id: "m", role: "assistant", content } });
  say({ type: "result", subtype: "success", is_error: false, result: "" });
});
`;

const ID = "3fa9c2d1-0000-4000-8000-000000000001";

function installClaude(): void {
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin", "claude"), CLAUDE);
  chmodSync(join(home, "bin", "claude"), 0o755);
  const folder = join(home, ".claude", "projects", "p");
  mkdirSync(folder, { recursive: true });
  const lines = [
    { type: "user", cwd: home, message: { role: "user", content: "fix the failing test" } },
    {
      type: "assistant",
      message: { id: "m1", role: "assistant", content: [{ type: "text", text: "It is \x1b[31mfixed." }] },
    },
  ];
  writeFileSync(join(folder, `${ID}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

test("the built-in agent: the last line resumes the session, and so does -c", async () => {
  const first = open();
  await first.shows("no model");
  first.type("hello there\r");
  await first.shows("› hello there");
  await first.shows(/Hello/);
  first.type("/quit\r");
  expect(await first.ended).toBe(0);
  await first.shows(/resume: palaver --resume \d{8}-\d{6}-[0-9a-f]{8}\s/);
  const second = open("-c");
  await second.shows("› hello there");
  second.type("/quit\r");
  expect(await second.ended).toBe(0);
  const silent = open();
  await silent.shows("no model");
  silent.type("/quit\r");
  expect(await silent.ended).toBe(0);
  expect(await silent.text()).not.toContain("resume:");
});

test("claude: --continue and /resume start it on the session, with what its file tells", async () => {
  installClaude();
  const continued = open("run", "claude", "--continue");
  await continued.shows(/› fix the failing test\s+It is .*fixed\./);
  continued.type("and now?\r");
  await continued.shows("resumed 3fa9c2");
  continued.type("/quit\r");
  expect(await continued.ended).toBe(0);
  await continued.shows(`resume: palaver run claude --resume ${ID}`);

  const fresh = open("run", "claude");
  await fresh.shows("› message");
  fresh.type("hi\r");
  await fresh.shows("a new session");
  await fresh.rests();
  fresh.type("/resume\r");
  await fresh.shows(/❯ fix the failing test/);
  fresh.type("\r");
  await fresh.shows(/resumed: fix the failing test[\s\S]*› fix the failing test\s+It is/);
  fresh.type("and now?\r");
  await fresh.shows("resumed 3fa9c2");
  fresh.type("/quit\r");
  expect(await fresh.ended).toBe(0);
});

test("a session of another agent opens with that agent, and the flags stay", async () => {
  installClaude();
  const session = open("--theme", "moss");
  await session.shows("no model");
  session.type("hello there\r");
  await session.shows(/Hello/);
  await session.rests();
  session.type("/resume 3fa9\r");
  await session.shows(/› fix the failing test\s+It is .*fixed\./);
  session.type("and now?\r");
  await session.shows("resumed 3fa9c2");
  session.type("/theme\r");
  await session.shows(/moss +dark, now/);
  session.type("\x1b");
  await session.shows("› message");
  await session.rests();
  session.type("/resume\r");
  await session.shows(/hello there +palaver/);
  session.type("\r");
  await session.shows("palaver · no model");
  session.type("/quit\r");
  expect(await session.ended).toBe(0);
  await session.shows(/resume: palaver --resume \d{6}/);
  expect(await session.text()).not.toContain("resume: palaver run claude");
});

const notesAgent = fileURLToPath(new URL("../prompt/notes-agent.mjs", import.meta.url));

test("an agent on the lines wire: /restart and the last line resume its session, and its messages are shown once", async () => {
  const agent = ["--", process.execPath, notesAgent, join(home, "store")];
  const first = open("run", ...agent);
  await first.shows("› message");
  first.type("one\r");
  await first.shows("prompt 1: one");
  first.type("/restart\r");
  first.type("two\r");
  await first.shows("prompt 2: two");
  expect((await first.text()).split("prompt 1: one")).toHaveLength(2);
  first.type("/quit\r");
  expect(await first.ended).toBe(0);
  await first.shows(/resume: palaver run --resume notes-/);
  const second = open("run", "--continue", ...agent);
  await second.shows("prompt 2: two");
  second.type("three\r");
  await second.shows("prompt 3: three");
  second.type("/quit\r");
  expect(await second.ended).toBe(0);
});

test("an agent without sessions: after /restart the user reads that it has forgotten the conversation", async () => {
  const first = open("run", "--", process.execPath, notesAgent, join(home, "store"), "without-sessions");
  await first.shows("› message");
  first.type("one\r");
  await first.shows("prompt 1: one");
  first.type("/restart\r");
  await first.shows("the agent was restarted; it does not remember the earlier conversation");
  first.type("/quit\r");
  expect(await first.ended).toBe(0);
});
