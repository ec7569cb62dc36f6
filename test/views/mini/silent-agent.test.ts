// Agents that do not do their part in one prompt: each of them fails with words, or is waited for and mentioned.
import { describe, expect, test } from "vitest";
import { askOf, PromptRig, ScriptedView } from "./rig.js";

const bash = askOf({ kind: "confirm", params: { title: "npm test", opts: { tool: "bash" } } });

describe("an agent that does not do its part", () => {
  const refused = { name: "invalidField" as const, message: "event message_end: data", excerpt: "" };
  const unknown = { name: "unknownType" as const, message: "unknown event: weather", excerpt: "" };

  test("and is silent after a frame that was refused has failed, and the fault is told", async () => {
    const rig = new PromptRig().begin().hear({ type: "fault.reported", fault: refused });
    rig.clock.advance(29_999);
    expect(await Promise.race([rig.result, "goes on"])).toBe("goes on");
    rig.clock.advance(1);
    expect(await rig.result).toMatchObject({ end: "failed", error: expect.stringContaining(refused.message) });
  });

  test("may take as long as it likes when something readable follows, or nothing was refused", async () => {
    const rig = new PromptRig().begin();
    rig.hear({ type: "fault.reported", fault: refused }, { type: "turn.started" });
    rig.clock.advance(3_600_000);
    rig.hear({ type: "fault.reported", fault: unknown });
    rig.clock.advance(3_600_000);
    rig.say("Done.").finish();
    expect(await rig.result).toMatchObject({ end: "done", text: "Done." });
  });

  test("fails 30 s after the first refused frame, also when one follows the other", async () => {
    const rig = new PromptRig().begin();
    for (let second = 0; second < 30; second += 2) {
      rig.hear({ type: "fault.reported", fault: { ...refused, message: `refused at ${second} s` } });
      rig.clock.advance(2_000);
    }
    expect(await rig.result).toMatchObject({ end: "failed", error: expect.stringContaining("refused at 0 s") });
  });

  test.each([
    [
      "says nothing to the prompt",
      (rig: PromptRig) => rig.hear({ type: "agent.readied", ui: true, protocolVersion: "1" }),
      "has not begun its turn; does it read its standard input?",
    ],
    ["never ends its turn", (rig: PromptRig) => rig.begin().say("Well."), "has not ended its turn;"],
  ])("and %s is mentioned once after 30 s, and may go on", async (_, begin, what) => {
    const rig = new PromptRig();
    begin(rig);
    rig.clock.advance(29_999);
    expect(rig.err).toBe("");
    rig.clock.advance(600_000);
    const words = `▲ the agent has been silent for 30 s and ${what} --idle-timeout SECONDS ends a silent agent\n`;
    expect(rig.err).toBe(words);
    rig.hear({ type: "prompt.started" }).say("Done.");
    rig.clock.advance(600_000);
    rig.finish();
    expect(await rig.result).toMatchObject({ end: "done", text: "Done." });
    expect(rig.err).toBe(words);
  });

  test("and announces itself again in the middle of the turn has lost the prompt", async () => {
    const readied = { type: "agent.readied", ui: true, protocolVersion: "1" } as const;
    const rig = new PromptRig().begin().hear(readied);
    expect(await rig.result).toMatchObject({ end: "failed", error: expect.stringContaining("the prompt is lost") });
    const early = new PromptRig().hear(readied, readied);
    early.clock.advance(3_000);
    expect(await early.result).toMatchObject({ end: "failed", error: expect.stringContaining("the prompt is lost") });
    const late = new PromptRig().hear(readied, readied, { type: "prompt.started" }).say("Done.");
    late.clock.advance(3_000);
    late.finish();
    expect(await late.result).toMatchObject({ end: "done", text: "Done." });
  });

  test("and only says that it works is mentioned, too", () => {
    const rig = new PromptRig().begin();
    rig.clock.advance(20_000);
    rig.hear({ type: "working.changed", message: "silent for 20 s" });
    rig.clock.advance(10_000);
    expect(rig.err).toContain("the agent has been silent for 30 s");
  });

  test("is not mentioned while a person is asked, when the user wants it quiet, or when time is limited", async () => {
    const view = new ScriptedView();
    const asked = new PromptRig({ openView: view.open }).begin().ask(bash);
    const quiet = new PromptRig({ notes: "few" }).begin();
    const limited = new PromptRig({ idleTimeoutMs: 60_000 }).begin();
    for (const rig of [asked, quiet, limited]) {
      rig.clock.advance(59_999);
      expect(rig.err).toBe("");
    }
  });

  test("and answers without announcing the start of its turn is printed", async () => {
    const rig = new PromptRig().hear({ type: "agent.readied", ui: true, protocolVersion: "1" });
    rig.say("Here.").finish();
    expect(await rig.result).toMatchObject({ end: "done", text: "Here." });
    expect(rig.out).toBe("Here.\n");
  });

  test("and asks without announcing the start of its turn is printed, too", async () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open });
    rig.hear({ type: "agent.readied", ui: true, protocolVersion: "1" }).say("First.").ask(bash);
    view.answer(true);
    rig.say("Then.").finish();
    await rig.result;
    expect(rig.out).toBe("First.\n\nThen.\n");
  });

  test("and repeats a session after the prompt was sent has that left out", async () => {
    const rig = new PromptRig().hear({ type: "agent.readied", ui: true, protocolVersion: "1" });
    rig.say("long ago").hear({ type: "prompt.started" }).say("now").finish();
    await rig.result;
    expect(rig.out).toBe("now\n");
  });

  test("and ends a turn that it neither started nor answered has failed", async () => {
    const rig = new PromptRig().hear({ type: "agent.readied", ui: true, protocolVersion: "1" }).finish();
    const words = "the agent ended the turn without starting it or answering";
    expect(await rig.result).toMatchObject({ end: "failed", error: words });
    expect(rig.err).toBe(`✕ ${words}\n`);
  });

  test("may wait for the user after a fault", async () => {
    const view = new ScriptedView();
    const rig = new PromptRig({ openView: view.open }).begin().ask(bash);
    rig.hear({ type: "fault.reported", fault: refused });
    rig.clock.advance(60_000);
    view.answer(true);
    rig.finish();
    expect(await rig.result).toMatchObject({ end: "done" });
  });

  test("and whose turn ended only because it ended itself has failed with its exit", async () => {
    const rig = new PromptRig().begin().hear({ type: "prompt.finished", isCutOff: true });
    rig.gone(7, "Error: no key\n    at main (a.js:1)\n\nNode.js v20.20.2\n");
    expect(await rig.result).toMatchObject({ end: "failed", error: "the agent ended with code 7: Error: no key" });
  });
});
