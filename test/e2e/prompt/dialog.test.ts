// Prompt mode on a real terminal: the stream, the dialog over it, and the terminal afterwards, however it ends.

import { readFileSync } from "node:fs";
import { build } from "esbuild";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { childOf, isRunning } from "../processes.js";
import { play, scriptedAgent, Workplace } from "./prompt-terminal.js";

const place = new Workplace();
afterEach(() => place.endAll());
afterAll(() => place.remove());

const agent = ["--", process.execPath, scriptedAgent];
const name = { ask: "input", params: { title: "Enter feature name" } };

describe("a question over the stream", () => {
  test("opens while the agent says nothing, is answered in emoji and CJK, and the stream goes on", async () => {
    const terminal = place.palaver(["prompt", play({ say: "before" }, name, { say: "after" }), ...agent]);
    await terminal.dialog("┌ Enter feature name");
    expect(terminal.emulator.screen()).toBe("alternate");
    terminal.type("日本👩‍💻 ok\r");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toBe('before\n? Enter feature name  日本👩‍💻 ok\n\nanswer "日本👩‍💻 ok"\n\nafter');
    await terminal.expectGivenBack();
  });

  test("three in a row, what is said behind them in order, and one of them cancelled", async () => {
    verifies("prompt.dialog-keeps-output");
    const asked = (title: string, meanwhile: number) => ({ ask: "input", params: { title }, meanwhile });
    const steps = play(asked("First?", 3), asked("Second?", 2), asked("Third?", 0));
    const terminal = place.palaver(["prompt", "-q", steps, ...agent]);
    for (const [title, keys] of [
      ["First?", "one\r"],
      ["Second?", "\x1b"],
      ["Third?", "three\r"],
    ] as const) {
      await terminal.dialog(`┌ ${title}`);
      terminal.type(keys);
    }
    expect(await terminal.ended).toBe(0);
    const said = (await terminal.text()).split("\n").filter((line) => line !== "" && !line.startsWith("?"));
    expect(said).toEqual([
      ...["meanwhile 1", "meanwhile 2", "meanwhile 3", 'answer "one"'],
      ...["meanwhile 1", "meanwhile 2", "answer null", 'answer "three"'],
    ]);
  });

  test("with the output in a file, the file holds the agent's words and nothing else", async () => {
    const prompt = play({ say: "all:\n\tmake" }, name);
    const line = `palaver prompt '${prompt}' -- "${process.execPath}" "${scriptedAgent}" > out 2> err < /dev/null`;
    const terminal = place.shell(line);
    await terminal.dialog("Enter feature name");
    terminal.type("v2\r");
    expect(await terminal.ended).toBe(0);
    expect(place.read("out")).toBe('all:\n\tmake\n\nanswer "v2"\n');
    expect(JSON.parse(place.read("err"))).toMatchObject({ asked: "input", outcome: "answered", value: "v2" });
    expect(await terminal.text()).toBe("");
    await terminal.expectGivenBack();
  });

  test("follows a window that changes its size", async () => {
    const terminal = place.palaver(["prompt", play(name), ...agent]);
    await terminal.dialog("Enter feature name");
    terminal.type("half");
    await terminal.shows("› half");
    terminal.resize(46, 9);
    await terminal.shows("\n ▌ › half");
    terminal.type("way\r");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toContain('answer "halfway"');
  });

  test("Ctrl+C cancels the question; outside of it the agent is asked to stop", async () => {
    const terminal = place.palaver(["prompt", play(name, { say: "working" }, { hang: true }), ...agent]);
    await terminal.dialog("Enter feature name");
    terminal.type("\x03");
    await terminal.shows("answer null");
    await terminal.shows("working");
    terminal.type("\x03");
    expect(await terminal.ended).toBe(130);
    await terminal.expectGivenBack();
  });
});

describe("when something is stopped or killed", () => {
  test("Ctrl+Z gives the terminal to the shell, and continuing draws the dialog again", async () => {
    const terminal = place.palaver(["prompt", play(name), ...agent]);
    await terminal.dialog("Enter feature name");
    terminal.type("half");
    await terminal.shows("› half");
    terminal.type("\x1a");
    await expect.poll(() => terminal.emulator.screen()).toBe("normal");
    await expect.poll(() => stateOf(terminal.pty.pid)).toBe("T");
    await terminal.expectGivenBack();
    process.kill(terminal.pty.pid, "SIGCONT");
    await terminal.shows("› half");
    terminal.type("way\r");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toContain('answer "halfway"');
  });

  async function brokenDialog(): Promise<string> {
    const program = place.path("broken-dialog.mjs");
    const source = new URL("broken-dialog.ts", import.meta.url).pathname;
    const target = { outfile: program, platform: "node", format: "esm" } as const;
    await build({ entryPoints: [source], bundle: true, logLevel: "error", ...target });
    return program;
  }

  test("a dialog that breaks before it is seen gives the terminal back, and its error is told", async () => {
    const program = await brokenDialog();
    const run = `"${process.execPath}" "${program}" draw`;
    const terminal = place.shell(`${run} 2> err; echo "code $?"; stty -a > modes`);
    await terminal.shows("code ");
    await terminal.ended;
    expect(place.read("err")).toContain("Error: a dialog that breaks");
    expect(place.read("err")).not.toContain("TypeError");
    expect(place.read("modes")).toMatch(/ icanon[\s\S]* echo /);
    await terminal.expectGivenBack();
  });

  test("a dialog that breaks gives the terminal back before the program ends", async () => {
    const program = await brokenDialog();
    const terminal = place.shell(`"${process.execPath}" "${program}" 2> err; echo "code $?"; stty -a > modes`);
    await terminal.shows("press any key");
    expect(terminal.emulator.screen()).toBe("alternate");
    terminal.type("x");
    await terminal.shows("code 1");
    await terminal.ended;
    expect(place.read("err")).toContain("a dialog that breaks");
    expect(place.read("modes")).toMatch(/ icanon[\s\S]* echo /);
    await terminal.expectGivenBack();
  });

  test("the agent, while the dialog is open: the dialog closes and the run has failed", async () => {
    const terminal = place.palaver(["prompt", play({ say: "before" }, name), ...agent]);
    await terminal.dialog("Enter feature name");
    process.kill(await childOf(terminal.pty.pid), "SIGKILL");
    expect(await terminal.ended).toBe(1);
    expect(await terminal.text()).toContain("✕ the agent ended with code 137");
    await terminal.expectGivenBack();
  });

  test("Palaver itself, while the dialog is open: the terminal can be used and the agent is gone", async () => {
    const run = `palaver prompt '${play(name)}' -- "${process.execPath}" "${scriptedAgent}"`;
    const restored = "while stty -a | grep -q -- -isig; do :; done; echo restored";
    const terminal = place.shell(`${run}; ${restored}; read typed; echo "typed $typed"; stty -a > modes`);
    await terminal.dialog("Enter feature name");
    const palaverPid = await childOf(terminal.pty.pid);
    const agentPid = await childOf(palaverPid);
    process.kill(palaverPid, "SIGKILL");
    await expect.poll(() => terminal.emulator.screen(), { timeout: 25_000 }).toBe("normal");
    await expect.poll(() => isRunning(agentPid)).toBe(false);
    await terminal.shows("restored");
    terminal.type("hello\r");
    await terminal.shows("typed hello");
    await terminal.ended;
    expect(place.read("modes")).toMatch(/ icanon[\s\S]* echo /);
    await terminal.expectGivenBack();
  });

  test.each<[NodeJS.Signals, number]>([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ])("Palaver by %s, while the dialog is open", async (signal, code) => {
    const terminal = place.palaver(["prompt", play(name), ...agent]);
    await terminal.dialog("Enter feature name");
    process.kill(terminal.pty.pid, signal);
    expect(await terminal.ended).toBe(code);
    await terminal.expectGivenBack();
  });
});

describe("other terminals", () => {
  test("one that cannot be drawn on is asked by lines", async () => {
    const words = play({ say: "I need a name." }, name);
    const terminal = place.palaver(["prompt", words, ...agent], { env: { TERM: "dumb" } });
    await terminal.shows("I need a name.\nQuestion: Enter feature name.");
    await terminal.shows("\n>");
    terminal.type("plain\r");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toContain('answer "plain"');
    expect(terminal.bytes).not.toContain("\x1b");
  });

  test("NO_COLOR draws without colours", async () => {
    const terminal = place.palaver(["prompt", play(name), ...agent], { env: { NO_COLOR: "1" } });
    await terminal.dialog("Enter feature name");
    expect(terminal.bytes).not.toMatch(/\x1b\[(?:3|4|9|10)\d(?:;[\d;]*)?m/);
    terminal.type("\x1b");
    expect(await terminal.ended).toBe(0);
  });

  test("what a build service calls a terminal has no one in front of it", async () => {
    const terminal = place.palaver(["prompt", play(name), ...agent], { env: { CI: "true" } });
    expect(await terminal.ended).toBe(3);
    expect(terminal.emulator.screen()).toBe("normal");
  });
});

/** "T" when it is stopped. */
function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.charAt(stat.lastIndexOf(")") + 2);
}
