// What every ask gets on its way in, whichever wire it came over: the danger in words, and who performs what is approved.
import { describe, expect, test } from "vitest";
import { type Entering, enteredAsk, enteredEvent } from "../../src/agents/entered-ask.js";
import type { Ask } from "../../src/contract/asks.js";
import { verifies } from "../verifies.js";

const entering: Entering = { folder: "/home/ada/project", performedBy: "agent" };

function ask(question: Ask["question"]): Ask {
  return { id: "1", sessionId: null, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
}

const confirm = (opts: Record<string, unknown>) => ask({ kind: "confirm", params: { title: "bash", opts } });
const permission = (params: { performedBy?: "palaver" }) =>
  ask({ kind: "permission", params: { title: "bash", tool: "bash", choices: [], ...params } });

describe("an ask on its way in", () => {
  test("says what is dangerous in the event itself", () => {
    const event = { type: "ask.raised", sessionId: null, ask: confirm({ command: "rm -rf build" }) } as const;
    expect(enteredEvent(event, entering)).toMatchObject({
      ask: { question: { params: { opts: { danger: expect.stringMatching(/deletes folders/) } } } },
    });
  });

  test("says that the agent performs it, whatever the agent claims", () => {
    verifies("approvals.say-who-performs");
    const claimed = confirm({ command: "ls", performed_by: "palaver" });
    expect(enteredAsk(claimed, entering)).toMatchObject({ question: { params: { opts: { performed_by: "agent" } } } });
  });

  test("leaves it to Palaver where our own wire or our own agent performs it", () => {
    const own: Entering = { ...entering, performedBy: "palaver" };
    expect(enteredAsk(confirm({ command: "ls" }), own)).toMatchObject({
      question: { params: { opts: { performed_by: "palaver" } } },
    });
    expect(enteredAsk(permission({ performedBy: "palaver" }), entering)).toMatchObject({
      question: { params: { performedBy: "palaver" } },
    });
  });

  test("is left alone when it approves nothing", () => {
    const question = ask({ kind: "input", params: { title: "your name" } });
    expect(enteredAsk(question, entering)).toEqual(question);
    const plain = ask({ kind: "confirm", params: { title: "shall we?" } });
    expect(enteredAsk(plain, entering)).toEqual(plain);
  });
});
