// `palaver agent` as a process: it keeps the protocol, edits files through approvals, survives kill -9, and always goes
// when it is told to, leaving nothing behind.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type LinesLink, openLinesLink } from "../../../src/conform/conversation.js";
import { judgeAgent } from "../../../src/conform/judge.js";
import { rules } from "../../../src/conform/rules.js";
import type { LinesOutput, UiRequest } from "../../../src/contract/lines-outputs.js";
import { type ModelServer, startModelServer } from "../../rigs/model-server/model-server.js";
import { verifies } from "../../verifies.js";
import { isRunning } from "../processes.js";
import { palaver, runPalaver } from "../run-program.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "palaver-agent-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function freshModel(): Promise<ModelServer> {
  const model = await startModelServer();
  cleanups.push(() => model.close());
  return model;
}

/** No model but the one that is named, and a state of its own. */
function environment(state: string): Record<string, string> {
  return {
    // Process numbers are those of the machine.
    PALAVER_SANDBOX: "off",
    XDG_STATE_HOME: state,
    PALAVER_MODEL: "offline",
    PALAVER_API_KEY: "test-key",
  };
}

class AgentProcess {
  readonly frames: LinesOutput[] = [];
  readonly link: LinesLink;
  #wake: () => void = () => {};
  #read = 0;

  constructor(args: string[], { folder, state }: { folder: string; state: string }) {
    const command = {
      command: process.execPath,
      args: [palaver, "agent", ...args],
      cwd: folder,
      env: environment(state),
    };
    this.link = openLinesLink(command, {
      onDecoded: (decoded) => {
        if (decoded.kind === "frame") this.frames.push(decoded.frame);
        this.#wake();
      },
    });
    cleanups.push(() => this.link.stop());
    const ui_capabilities = { supports_permission_preflight_events: true, supports_message_deltas: true };
    this.link.send({ type: "initialize", ui_capabilities });
  }

  async next(fits: (frame: LinesOutput) => boolean): Promise<LinesOutput> {
    for (;;) {
      const at = this.frames.findIndex((frame, index) => index >= this.#read && fits(frame));
      const frame = this.frames[at];
      if (frame !== undefined) {
        this.#read = at + 1;
        return frame;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  event(type: string): Promise<LinesOutput> {
    return this.next((frame) => frame.type === "event" && frame.event.type === type);
  }

  async question(): Promise<UiRequest> {
    return (await this.next(({ type }) => type === "ui_request")) as UiRequest;
  }

  answer({ id }: UiRequest, result: unknown): void {
    this.link.send({ type: "ui_response", id, result, error: null });
  }
}

function sessionFile(state: string): string {
  const folder = join(state, "palaver", "sessions");
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? "");
}

test("passes every rule of palaver conform", async () => {
  const report = await judgeAgent(
    { command: process.execPath, args: [palaver, "agent"], cwd: freshFolder(), env: environment(freshFolder()) },
    { patienceMs: 10_000, startMs: 20_000, prompts: { plain: "say hello", asking: "one question of every kind" } },
  );
  const verdicts = report.rules.map(({ id, verdict, details }) => [id, verdict, details]);
  // Its questions are no permissions; those are asked when it acts.
  const due = (id: string) => (id === "ask-permission" ? "not seen" : "passed");
  expect(verdicts).toEqual(rules.map(({ id }) => [id, due(id), expect.anything()]));
});

test("a prompt on a pipe is answered to its end, and the exit code is 0", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "here.txt"), "");
  const { code, stdout, stderr } = await runPalaver(["agent"], {
    stdin: "what is in this folder?\n",
    cwd: folder,
    env: environment(freshFolder()),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("- here.txt");
  expect(stdout.trimEnd().split("\n").at(-1)).toContain('"agent_end"');
});

describe("wrong calls end with code 2 and say what would be right", () => {
  test.each<[string[], RegExp]>([
    [["--model", "acme:1"], /invalid model: acme:1\. Write provider:name/],
    [["--cwd", "/no/such/folder"], /--cwd \/no\/such\/folder is not a folder/],
    [["--modle", "x"], /--modle[\s\S]*palaver agent --help/],
  ])("%j", async (args, words) => {
    const { code, stdout, stderr } = await runPalaver(["agent", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(words);
  });
});

test("an output that no one reads ends it quietly", async () => {
  const child = spawn(process.execPath, [palaver, "agent"], {
    cwd: freshFolder(),
    env: { ...process.env, ...environment(freshFolder()) },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdout.once("data", () => {
    child.stdout.destroy();
    child.stdin.write("count to 100000\n");
  });
  expect(await ended).toBe(0);
  expect(stderr).toBe("");
});

test("edits a file through an approval, is denied another, and the session goes on in another process", async () => {
  const folder = freshFolder();
  const state = freshFolder();
  writeFileSync(join(folder, "a.txt"), "teh cat\n");
  const first = new AgentProcess([], { folder, state });
  first.link.send({ type: "prompt", text: 'replace "teh" with "the" in a.txt' });
  first.answer(await first.question(), { ok: true });
  await first.event("agent_end");
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("the cat\n");
  first.link.send({ type: "prompt", text: 'replace "cat" with "dog" in a.txt' });
  first.answer(await first.question(), false);
  await first.event("agent_end");
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("the cat\n");
  first.link.send({ type: "debug" });
  const inner = await first.next(({ type }) => type === "debug");
  const rival = await runPalaver(["agent", "--session-file", sessionFile(state)], { env: environment(state) });
  expect(rival).toMatchObject({ code: 1, stdout: "" });
  expect(rival.stderr).toContain(`is open in another process (pid ${"pid" in inner ? inner.pid : ""}, since`);
  expect(await first.link.stop()).toMatchObject({ code: 0 });

  const second = new AgentProcess(["--session-file", sessionFile(state)], { folder: freshFolder(), state });
  await second.next(({ type }) => type === "initialized");
  expect(second.frames[0]).toMatchObject({ type: "ready", cwd: folder });
  expect(JSON.stringify(second.frames)).toContain("-teh cat\\n+the cat");
  second.link.send({ type: "prompt", text: "show a.txt" });
  await second.event("agent_end");
  expect(JSON.stringify(second.frames.at(-1))).toContain("the cat");
});

test("kill -9 in the middle of a turn loses at most that turn, and its command goes too", async () => {
  verifies("builtin.kill-loses-one-turn");
  const folder = freshFolder();
  const state = freshFolder();
  const model = await freshModel();
  const args = ["--model", "compatible:stand-in", "--base-url", model.url];
  // The shell that leads the group does not want to go, nor does what it has started.
  const stubborn = "trap '' TERM; echo $$; sleep 300; sleep 300";
  const first = new AgentProcess(args, { folder, state });
  model.play({ text: "Forty-two, noted." });
  first.link.send({ type: "prompt", text: "remember 42" });
  await first.event("agent_end");
  model.play({ text: "I sleep.", calls: [{ name: "bash", args: { command: stubborn } }] });
  first.link.send({ type: "prompt", text: "sleep now" });
  first.answer(await first.question(), { ok: true });
  const update = await first.event("tool_execution_update");
  const sleeper = Number(/"(\d+)\\n"/.exec(JSON.stringify(update))?.[1]);
  const ready = first.frames[0];
  first.link.send({ type: "debug" });
  const inner = await first.next(({ type }) => type === "debug");
  process.kill(Number("pid" in inner ? inner.pid : 0), "SIGKILL");
  await first.link.exited;
  // The command has a group of its own, which the agent cannot end any more.
  await expect.poll(() => isRunning(sleeper), { timeout: 25_000 }).toBe(false);

  const path = sessionFile(state);
  const second = new AgentProcess([...args, "--session-file", path], { folder, state });
  model.play({ text: "It was 42." });
  second.link.send({ type: "prompt", text: "what was it?" });
  await second.event("agent_end");
  const told = JSON.stringify(model.requests.at(-1)?.body.messages);
  for (const words of ["remember 42", "Forty-two, noted.", "sleep now", "Aborted: this call", "what was it?"]) {
    expect(told).toContain(words);
  }
  expect(second.frames[0]).toMatchObject({
    active_session_id: (ready as { active_session_id: string }).active_session_id,
  });
});

test("quit in the middle of a command ends the command too", async () => {
  const agent = new AgentProcess([], { folder: freshFolder(), state: freshFolder() });
  agent.link.send({ type: "prompt", text: "run echo $$; sleep 300" });
  agent.answer(await agent.question(), { ok: true });
  const update = await agent.event("tool_execution_update");
  const sleeper = Number(/"(\d+)\\n"/.exec(JSON.stringify(update))?.[1]);
  expect(isRunning(sleeper)).toBe(true);
  agent.link.send({ type: "quit" });
  expect(await agent.link.exited).toMatchObject({ code: 0 });
  expect(isRunning(sleeper)).toBe(false);
});
