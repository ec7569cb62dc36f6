// A recording from a shell: printed where there is no terminal, and told by name when it is none.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { inputAsk, recordInMemory, said } from "../../agents/recording/recording-desk.js";
import { PtySession } from "../pty-session.js";
import { palaver, runPalaver } from "../run-program.js";

function recording(): string {
  const folder = mkdtempSync(join(tmpdir(), "palaver-replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { recorder, lines, clock } = recordInMemory();
  recorder.event({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
  recorder.command({ type: "prompt", text: "name the release" });
  clock.nowMs += 3_600_000;
  recorder.event(inputAsk("q1", {}));
  recorder.command({ type: "ui_response", id: "q1", result: "v1.4", error: null });
  recorder.event(said("It is **v1.4** then."));
  recorder.event({ type: "prompt.finished", sessionId: null });
  const path = join(folder, "session.jsonl");
  writeFileSync(path, `${lines.join("")}{"t":9,"dir":"in","ev`);
  return path;
}

describe("palaver replay", () => {
  test("plays in the terminal UI, answers with the truth, and leaves when it is told to", async () => {
    const session = new PtySession(process.execPath, [palaver, "replay", recording(), "--speed", "1000"]);
    await session.shows("the recording ends here");
    expect(await session.text()).toMatch(/› name the release[\s\S]*It is v1\.4 then\./);
    session.type("hello?\r");
    await session.shows("this is a recording; it takes no input");
    session.type("/quit\r");
    expect(await session.ended).toBe(0);
  });

  test("prints the transcript at once where there is no terminal", async () => {
    const { code, stdout, stderr } = await runPalaver(["replay", recording()]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`› name the release

? Token?: v1.4

It is **v1.4** then.

ℹ the recording ends here
`);
  });

  test.each([
    [["replay"], "replay needs one file"],
    [["replay", "package.json"], "is not a Palaver recording"],
    [["replay", "x.jsonl", "--speed", "fast"], '--speed takes a number from 0 on, not "fast"'],
    [["replay", "x.jsonl", "--from", "1:x"], "--from takes a time such as 90 or 1:30"],
    [["replay", "does-not-exist.jsonl"], "does-not-exist.jsonl"],
  ])("%j is bad usage with words", async (args, words) => {
    const { code, stderr } = await runPalaver(args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
