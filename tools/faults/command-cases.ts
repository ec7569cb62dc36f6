// Every command and every phase that it can be struck in: how it is started from a shell, and how one knows that it has got
// there. `line` is what a person would type, in the project's folder.
import type { FaultPlace } from "./fault-place.js";
import { elapsed, type ShellTerminal, until } from "./shell-terminal.js";

const REACH_LIMIT_MS = 20_000;

export interface PhaseCase {
  readonly name: string;
  readonly reach: (terminal: ShellTerminal, place: FaultPlace) => Promise<void>;
  /** For phases that need the command started in another way. */
  readonly line?: (place: FaultPlace) => string;
}

export interface CommandCase {
  readonly name: string;
  readonly line: (place: FaultPlace) => string;
  readonly phases: readonly PhaseCase[];
  /** Whether a daemon has to run beside it. */
  readonly beside?: "daemon";
  /** Keys that make it leave, for tries after which it goes on. */
  readonly leaveKeys?: string;
}

const CTRL_C = "\x03";
const CTRL_O = "\x0f";
const LEAVE_UI = `${CTRL_C}${CTRL_C}`;

const starting: PhaseCase = { name: "starting", reach: async () => undefined };
// The terminal's answers may still be on their way when words stand there; after a kill the shell would read them.
const ANSWERED_MS = 300;
const seen = (words: RegExp) => async (terminal: ShellTerminal) => {
  await terminal.shows(words, REACH_LIMIT_MS);
  await elapsed(ANSWERED_MS);
};

const run = (place: FaultPlace, ...agent: string[]) =>
  place.command("run", "--record", place.path("run.jsonl"), "--", ...place.agentCommand(...agent));

const idle: PhaseCase = { name: "idle", reach: seen(/› message/) };

const streaming: PhaseCase = {
  name: "streaming",
  async reach(terminal, place) {
    await idle.reach(terminal, place);
    terminal.type("stream\r");
    await terminal.shows(/line \d\d/, REACH_LIMIT_MS);
  },
};

const asking: PhaseCase = {
  name: "asking",
  async reach(terminal, place) {
    await idle.reach(terminal, place);
    terminal.type("ask\r");
    await terminal.shows(/▌ ❯/, REACH_LIMIT_MS);
  },
};

const editing: PhaseCase = {
  name: "editor",
  async reach(terminal, place) {
    await idle.reach(terminal, place);
    terminal.type("a draft\x07");
    await untilRunning(place, /^cat$/);
  },
};

const viewing: PhaseCase = {
  name: "viewer",
  async reach(terminal, place) {
    await streaming.reach(terminal, place);
    terminal.type(CTRL_O);
    await until(() => terminal.emulator.screen() === "alternate", REACH_LIMIT_MS);
  },
};

// The agent takes no farewell, so that leaving lasts until it is killed.
const leaving: PhaseCase = {
  name: "leaving",
  line: (place) => run(place, "stubborn"),
  async reach(terminal, place) {
    await idle.reach(terminal, place);
    terminal.type(LEAVE_UI);
    await until(async () => !/› message/.test(await terminal.window()), REACH_LIMIT_MS);
  },
};

const stubbornStreaming: PhaseCase = { ...streaming, name: "stubborn", line: (place) => run(place, "stubborn") };

const prompting = (text: string) => (place: FaultPlace) => place.command("prompt", text, "--", ...place.agentCommand());

async function untilRunning(place: FaultPlace, command: RegExp): Promise<void> {
  if (await until(() => place.watch.left().some((row) => command.test(row.command)), REACH_LIMIT_MS)) return;
  throw new Error(`no process ${command}`);
}

const askMcp = [
  {
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  },
  { method: "tools/call", params: { name: "ask_confirm", arguments: { title: "Go on?" } } },
].map((frame, index) => JSON.stringify({ jsonrpc: "2.0", id: index + 1, ...frame }));

const fed = (words: readonly string[], command: string) =>
  `{ printf '%s\\n' ${words.map((word) => `'${word}'`).join(" ")}; sleep 60; } | ${command}`;

export const commandCases: readonly CommandCase[] = [
  {
    name: "run",
    line: (place) => run(place),
    phases: [starting, idle, streaming, asking, viewing, editing, leaving, stubbornStreaming],
    leaveKeys: LEAVE_UI,
  },
  {
    name: "run-full",
    line: (place) => place.command("run", "--screen", "full", "--", ...place.agentCommand()),
    phases: [idle, streaming, asking],
    leaveKeys: LEAVE_UI,
  },
  {
    name: "run-reader",
    line: (place) => place.command("run", "--screen", "reader", "--", ...place.agentCommand()),
    phases: [{ name: "idle", reach: seen(/message/i) }],
    leaveKeys: LEAVE_UI,
  },
  {
    name: "prompt",
    line: prompting("hello"),
    phases: [
      starting,
      { name: "streaming", line: prompting("stream"), reach: seen(/line \d\d/) },
      { name: "asking", line: prompting("ask"), reach: seen(/Go on\?/) },
    ],
    leaveKeys: LEAVE_UI,
  },
  {
    name: "ask",
    line: (place) => place.command("ask", "confirm", "Deploy?"),
    phases: [starting, { name: "asking", reach: seen(/Deploy\?[\s\S]*esc/) }],
    leaveKeys: "\x1b",
  },
  {
    name: "agent",
    line: (place) => fed(["hello"], place.command("agent")),
    phases: [
      { name: "idle", reach: seen(/agent_end/) },
      {
        name: "streaming",
        line: (place) => fed(["count to 1000"], place.command("agent")),
        reach: seen(/message_update|message_delta/),
      },
      {
        // What the agent runs is in a group of its own, and nobody else knows of it.
        name: "command",
        line: (place) => {
          place.allow("bash(sleep:*)");
          return fed(["run sleep 300"], place.command("agent"));
        },
        reach: (_, place) => untilRunning(place, /^sleep 300$/),
      },
    ],
    leaveKeys: CTRL_C,
  },
  {
    name: "replay",
    line: (place) => place.command("replay", place.path("talk.jsonl")),
    phases: [starting, { name: "streaming", reach: seen(/line \d\d/) }],
    leaveKeys: LEAVE_UI,
  },
  {
    name: "serve",
    line: (place) => place.command("serve", "--", ...place.agentCommand()),
    phases: [starting, { name: "idle", reach: seen(/The daemon of/) }],
    leaveKeys: CTRL_C,
  },
  {
    name: "attach",
    beside: "daemon",
    line: (place) => place.command("attach"),
    phases: [starting, { name: "idle", reach: seen(/DAEMON/) }],
    // The daemon's session is in front, and leaving it takes what leaving any session takes.
    leaveKeys: LEAVE_UI,
  },
  {
    name: "logs -f",
    beside: "daemon",
    line: (place) => place.command("logs", "-f"),
    phases: [{ name: "idle", reach: seen(/session|listen|start/i) }],
    leaveKeys: CTRL_C,
  },
  { name: "answer", beside: "daemon", line: (place) => place.command("answer", "q1", "--yes"), phases: [starting] },
  {
    name: "mcp",
    line: (place) => fed([askMcp[0] ?? ""], place.command("mcp", "--terminal")),
    phases: [
      { name: "idle", reach: seen(/"result"/) },
      {
        name: "asking",
        line: (place) => fed(askMcp, place.command("mcp", "--terminal")),
        reach: seen(/Go on\?[\s\S]*esc/),
      },
    ],
    leaveKeys: LEAVE_UI,
  },
  {
    name: "conform",
    line: (place) => place.command("conform", "--timeout", "1", "--", ...place.agentCommand()),
    phases: [starting, { name: "judging", reach: (_, place) => untilRunning(place, /faulty-agent/) }],
    leaveKeys: CTRL_C,
  },
  { name: "doctor", line: (place) => place.command("doctor"), phases: [starting], leaveKeys: CTRL_C },
  { name: "config", line: (place) => place.command("config", "set", "theme", "moss"), phases: [starting] },
];
