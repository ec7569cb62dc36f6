// What passes between agent and front end is written with its times, and no secret is in it, whichever way it came.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRecordingFile, recordedLink } from "../../../src/agents/recordings/recorder.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { EventInbox } from "../../../src/host/event-inbox.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";
import { inputAsk, raised, recordInMemory, said, scriptedLink, temporaryFolder } from "./recording-desk.js";

const grew = (delta: string, index = 0): SessionEvent => ({
  type: "message.grew",
  sessionId: "s1",
  index,
  kind: "text",
  delta,
});

describe("a recording", () => {
  test("has both directions with their times, after a line that says what it is", () => {
    const { recorder, entries, clock } = recordInMemory();
    clock.nowMs += 12;
    recorder.event({ type: "prompt.started", sessionId: "s1" });
    clock.nowMs += 30.6;
    recorder.command({ type: "prompt", text: "hello" });
    recorder.exited(0);
    expect(entries()).toEqual([
      expect.objectContaining({ t: 0, dir: "meta", kind: "recording", version: 1, agent: "gemini" }),
      { t: 12, dir: "in", event: { type: "prompt.started", sessionId: "s1" } },
      { t: 43, dir: "out", command: { type: "prompt", text: "hello" } },
      { t: 43, dir: "meta", kind: "exited", code: 0 },
    ]);
  });

  test("is made on the way, and changes nothing that passes", async () => {
    const { recorder, entries } = recordInMemory();
    const agent = scriptedLink();
    const heard: SessionEvent[] = [];
    const link = await recordedLink(agent.open, recorder)({ onEvent: (event) => heard.push(event), nowMs: () => 0 });
    agent.say(said("my key is password=hunter2"));
    link.send({ type: "prompt", text: "go" });
    agent.leave(3);
    await link.exited;
    expect(heard).toEqual([said("my key is password=hunter2")]);
    expect(agent.sent).toEqual([{ type: "prompt", text: "go" }]);
    expect(entries().map(({ dir }) => dir)).toEqual(["meta", "in", "out", "meta"]);
    expect(entries()[1]).toMatchObject({ event: said("my key is password=••••••") });
  });

  test("holds back an agent that floods, as a run without a recording does", async () => {
    const { recorder } = recordInMemory();
    const agent = scriptedLink();
    const clock = new ManualClock();
    let heard = 0;
    const inbox = new EventInbox({
      clock,
      hear: () => {
        heard += 1;
        clock.advance(1);
      },
      setFlow: (flow) => link.setFlow(flow),
    });
    const link = await recordedLink(agent.open, recorder)({ onEvent: (event) => inbox.push(event), nowMs: () => 0 });
    for (let count = 0; count < 500; count += 1) agent.say(said(`line ${count}`));
    await Promise.resolve();
    expect(agent.flows).toEqual(["paused"]);
    expect(heard).toBeLessThan(500);
    inbox.drain();
    expect(heard).toBe(500);
    expect(agent.flows).toEqual(["paused", "flowing"]);
  });
});

describe("secrets", () => {
  test("the answer to a secret question is not written, nor is what the agent makes of it", () => {
    const { recorder, lines, entries } = recordInMemory();
    recorder.event(inputAsk("q1", { secret: true }));
    recorder.command({ type: "ui_response", id: "q1", result: "open sesame", error: null });
    recorder.event(said('I will use "open sesame", and b3BlbiBzZXNhbWU in base64'));
    expect(entries()[2]).toEqual({
      t: 0,
      dir: "out",
      command: { type: "ui_response", id: "q1", result: null, error: null },
      secret: true,
    });
    expect(lines.join("")).not.toMatch(/sesame|b3BlbiBzZXNhbWU/);
  });

  test("of a form only the secret fields are left out", () => {
    const { recorder, lines, entries } = recordInMemory();
    const fields = [
      { name: "user", label: "User", kind: "text" as const },
      { name: "pin", label: "Pin", kind: "secret" as const },
    ];
    recorder.event(raised({ kind: "form", params: { title: "Log in", fields } }, "q2"));
    recorder.command({ type: "ui_response", id: "q2", result: { user: "ada", pin: "482913" }, error: null });
    expect(entries()[2]).toMatchObject({ command: { result: { user: "ada", pin: null } }, secret: true });
    recorder.event(said("482913"));
    expect(lines.join("")).not.toContain("482913");
  });

  test("an ordinary answer is written", () => {
    const { recorder, entries } = recordInMemory();
    recorder.event(inputAsk("q1", {}));
    recorder.command({ type: "ui_response", id: "q1", result: "v1.4", error: null });
    expect(entries()[2]).toEqual({
      t: 0,
      dir: "out",
      command: { type: "ui_response", id: "q1", result: "v1.4", error: null },
    });
  });

  test("a secret that grows letter by letter is in none of the steps", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { recorder, lines } = recordInMemory();
    for (let units = 1; units <= secret.length; units += 1) {
      const content = [{ type: "text" as const, text: `use ${secret.slice(0, units)}` }];
      recorder.event({ type: "message.updated", sessionId: null, message: { role: "assistant", content } });
      recorder.event({
        type: "tool.updated",
        sessionId: null,
        toolCallId: "t1",
        name: "run",
        output: `export X=${secret.slice(0, units)}`,
      });
    }
    expect(lines.join("")).not.toMatch(/a1B2/);
  });

  test("in no cutting does a recording hold a declared secret, also when its pieces are joined", () => {
    const secret = fc.stringMatching(/^[a-z]{2,6}[ "\\\n]?[a-z0-9é]{3,12}7$/);
    fc.assert(
      fc.property(secret, fc.string(), fc.array(fc.nat(5), { maxLength: 30 }), (declared, around, cuts) => {
        const { recorder, lines, events } = recordInMemory([declared]);
        const text = `${around} ${declared} ${around}`;
        let at = 0;
        for (const units of [...cuts, text.length]) {
          recorder.event(grew(text.slice(at, at + units)));
          at += units;
        }
        recorder.event(said(text));
        const joined = events()
          .map((event) => (event.type === "message.grew" ? event.delta : ""))
          .join("");
        expect(joined).not.toContain(declared);
        expect(lines.join("")).not.toContain(JSON.stringify(declared).slice(1, -1));
      }),
    );
  });

  test("pieces keep their order among other events, and nothing of them is lost", () => {
    const { recorder, events } = recordInMemory();
    recorder.event(grew("one tw"));
    recorder.event(grew("o three"));
    recorder.event(grew("four", 1));
    recorder.event({ type: "prompt.finished", sessionId: "s1" });
    expect(
      events().map((event) => (event.type === "message.grew" ? `${event.index}:${event.delta}` : event.type)),
    ).toEqual(["0:one ", "0:two ", "0:three", "1:four", "prompt.finished"]);
  });
});

describe("the file", () => {
  test("is private, whole after the end, and never an older one", () => {
    const path = join(temporaryFolder(), "session.jsonl");
    const file = createRecordingFile(path, () => undefined);
    for (let line = 0; line < 5_000; line += 1) file.write(`{"t":${line}}\n`);
    file.close();
    file.write("late\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(5_000);
    writeFileSync(path, "mine");
    expect(() => createRecordingFile(path, () => undefined).write("{}\n")).toThrow(/already exists/);
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  test("that cannot be written ends the recording with a word, once", () => {
    const problems: string[] = [];
    const path = join(temporaryFolder(), "full.jsonl");
    const full = () => {
      throw new Error("ENOSPC: no space left on device");
    };
    const file = createRecordingFile(path, (words) => problems.push(words), full);
    for (let line = 0; line < 20_000; line += 1) file.write(`{"t":${line}}\n`);
    file.close();
    expect(problems).toEqual([`the recording ${path} ends here: ENOSPC: no space left on device`]);
  });
});
