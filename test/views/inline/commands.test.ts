// What can be typed after a slash or an exclamation mark, and what keys do besides writing.
import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { DOWN, ENTER, ESCAPE, Stage } from "./stage.js";

const sessionId = null;
const started: SessionEvent = { type: "prompt.started", sessionId };

function opened(columns?: number, rows?: number): Stage {
  const stage = new Stage(columns, rows);
  stage.ready();
  return stage;
}

async function shown(stage: Stage): Promise<string> {
  stage.wait(100);
  return stage.screen();
}

test.each(["abort", "reset", "save", "stats", "ping", "debug"] as const)("/%s goes to the agent", (command) => {
  const stage = opened();
  stage.type(`/${command}`, ENTER);
  expect(stage.sent).toEqual([{ type: command }]);
});

test("/help names every command, /keys every key", async () => {
  const stage = opened(90, 50);
  stage.type("/help", ENTER);
  expect(await shown(stage)).toContain("/export [md | json | html] [file]  write the transcript to a file");
  stage.type("/keys", ENTER);
  expect(await shown(stage)).toContain("ctrl+o");
});

test("/model offers what the agent offers, and asks it for a list when it has not told", async () => {
  const stage = opened();
  stage.type("/model", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "list_models" });
  const providers = [{ id: "ollama", models: [{ id: "qwen3" }, { id: "llama4" }] }];
  stage.hear({ type: "command.answered", sessionId, command: "models_list", answer: { providers } });
  expect(await shown(stage)).toContain("❯ ollama:qwen3");
  stage.type("llama4", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "model", value: "ollama:llama4" });
  const options = [
    { value: "s", label: "Sonnet" },
    { value: "o", label: "Opus" },
  ];
  stage.hear({
    type: "settings.changed",
    sessionId,
    settings: [{ key: "model", label: "Model", kind: "model", value: "s", options }],
  });
  expect(await shown(stage)).toContain("agent.py · Sonnet");
  stage.type("/model", ENTER, DOWN, ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "model", value: "o" });
  stage.type("/model s", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "model", value: "s" });
});

test("/resume asks for saved sessions and opens the chosen one", async () => {
  const stage = opened();
  stage.type("/resume", ENTER);
  const sessions = [{ id: "s0", path: "/state/s0.jsonl", cwd: "/home/ada" }];
  stage.hear({ type: "command.answered", sessionId, command: "sessions_list", answer: { sessions } });
  expect(await shown(stage)).toContain("❯ s0");
  stage.type(ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "start_session", session_file: "/state/s0.jsonl" });
});

test("/theme and /settings change what is set, and a list can be left without a choice", async () => {
  const stage = opened();
  stage.type("/theme", ENTER);
  expect(await shown(stage)).toContain("❯ harbour");
  stage.type(ESCAPE);
  expect(await shown(stage)).not.toContain("❯ harbour");
  stage.type("/theme ember", ENTER, "/settings", ENTER, ENTER, "paper", ENTER);
  expect(stage.changed).toEqual(["theme=ember", "theme=paper"]);
});

test("/queue shows what waits, takes the last one back, and forgets", async () => {
  const stage = opened();
  stage.type("one", ENTER);
  stage.hear(started);
  stage.type("two", ENTER, "three", ENTER, "/queue", ENTER);
  expect(await shown(stage)).toContain("1  two\n  2  three");
  stage.type("\x1b[1;5A");
  expect(await shown(stage)).toContain("› three");
  stage.type("\x03", "/queue clear", ENTER);
  expect(await shown(stage)).toContain("nothing is queued");
});

test("/notifications tells again what the agent reported", async () => {
  const stage = opened();
  stage.hear({ type: "notice.shown", sessionId, level: "warn", message: "the disk is nearly full" });
  stage.wait(61_000);
  stage.type("/notifications", ENTER);
  expect(await shown(stage)).toContain("1 m 01 s ago  warn  the disk is nearly full");
});

test("/search opens the transcript at the first match, /export writes it", async () => {
  const stage = opened(60, 12);
  for (let at = 1; at <= 40; at += 1)
    stage.hear({ type: "log.written", sessionId, stream: "stdout", text: `line ${at}` });
  stage.type("/search line 17", ENTER);
  const screen = await shown(stage);
  expect(screen).toContain("line 17");
  expect(screen).toContain("n next");
  stage.type("q", "/export html notes.html", ENTER);
  await new Promise((written) => setImmediate(written));
  expect(await shown(stage)).toContain("written as html to notes.html");
});

test("the agent's own commands are completed and go to it as they are", async () => {
  const stage = opened();
  stage.hear({ type: "commands.changed", sessionId, commands: [{ name: "compact", summary: "make room" }] });
  stage.type("/compact now", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "prompt", text: "/compact now" });
});

test("ctrl+r searches what was sent before, ctrl+g opens the editor", async () => {
  const stage = opened();
  stage.type("\x12");
  expect(await shown(stage)).toContain("❯ an older prompt");
  stage.type(ENTER);
  expect(await shown(stage)).toContain("› an older prompt");
  stage.type("\x07");
  await Promise.resolve();
  expect(await shown(stage)).toContain("› an older prompt edited");
});

test("what is written is kept as a draft until it is sent", () => {
  const stage = opened();
  stage.type("half", ENTER);
  expect(stage.drafts.slice(0, 4)).toEqual(["h", "ha", "hal", "half"]);
  expect(stage.drafts.at(-1)).toBe("");
});

test("!command runs in the person's shell, shows what it wrote, and the agent does not hear of it", async () => {
  const stage = opened();
  stage.type("!echo from the shell; exit 3", ENTER);
  await expect.poll(async () => shown(stage), { timeout: 25_000 }).toMatch(/✕ ! echo from the shell; exit 3/);
  expect(await shown(stage)).toContain("\nfrom the shell\n");
  expect(stage.sent).toEqual([]);
});

test("esc stops a command of the person's own before it stops the agent", async () => {
  const stage = opened();
  stage.type("!sleep 60", ENTER);
  expect(await shown(stage)).toMatch(/! sleep 60 .*esc stop/);
  stage.type(ESCAPE);
  await expect.poll(async () => shown(stage), { timeout: 25_000 }).toMatch(/✕ ! sleep 60.*\nstopped\n/);
  expect(stage.sent).toEqual([]);
});

test("the plan stands above the composer while there is something to do", async () => {
  const stage = opened();
  const entries = [
    { text: "read the test", status: "completed" as const },
    { text: "mend the separator", status: "in_progress" as const },
    { text: "run the tests", status: "pending" as const },
  ];
  stage.hear({ type: "plan.changed", sessionId, entries });
  expect(await shown(stage)).toMatch(/● read the test\n {2}. mend the separator\n {2}◌ run the tests/);
  stage.hear({ type: "plan.changed", sessionId, entries: entries.map((entry) => ({ ...entry, status: "completed" })) });
  expect(await shown(stage)).not.toContain("read the test");
});

test("shift+tab goes to the agent's next mode, where it has modes", () => {
  const stage = opened();
  const options = [
    { value: "ask", label: "Ask" },
    { value: "code", label: "Code" },
  ];
  stage.hear({
    type: "settings.changed",
    sessionId,
    settings: [{ key: "mode", label: "Mode", kind: "mode", value: "code", options }],
  });
  stage.type("\x1b[Z");
  expect(stage.sent).toEqual([{ type: "set_config", key: "mode", value: "ask" }]);
});

test("the window that is not looked at is told when it is looked at again", () => {
  const stage = opened();
  stage.type("\x1b[O");
  expect(stage.situations.at(-1)?.focus).toBe("elsewhere");
  stage.type("\x1b[I");
  expect(stage.situations.at(-1)?.focus).toBe("here");
});

const modes = [
  { value: "default", label: "ask" },
  { value: "plan", label: "plan only" },
  { value: "yolo", label: "YOLO" },
];

function inMode(value: string): SessionEvent {
  const mode = { key: "mode", label: "Mode", kind: "mode" as const, value, options: modes };
  return { type: "settings.changed", sessionId, settings: [mode] };
}

test("/mode lists the agent's modes and sets one by its name; the status shows it, the transcript does not", async () => {
  const stage = opened();
  stage.hear(inMode("default"));
  expect(await shown(stage)).toContain(" · ask · ");
  stage.type("/mode", ENTER);
  expect(await shown(stage)).toContain("YOLO  never asks");
  stage.type(ESCAPE, "/mode plan", ENTER);
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "mode", value: "plan" });
  stage.hear(inMode("plan"), {
    type: "command.answered",
    sessionId,
    command: "config_state",
    answer: { config: { mode: "plan" } },
  });
  expect(await shown(stage)).toContain(" · plan only · ");
  expect(await shown(stage)).not.toContain("ℹ");
});

test("shift+tab never leads into a mode that does not ask", () => {
  const stage = opened();
  stage.hear(inMode("plan"));
  stage.type("\x1b[Z");
  expect(stage.sent.at(-1)).toEqual({ type: "set_config", key: "mode", value: "default" });
});
