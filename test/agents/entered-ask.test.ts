// What every ask gets on its way in, whichever wire it came over: the danger in words, and who performs what is approved.
import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { type Entering, enteredAsk, enteredEvent } from "../../src/agents/entered-ask.js";
import type { Ask } from "../../src/contract/asks.js";
import { confirmQuestion } from "../../src/session/approval-answers.js";
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

  test("has answers in our words, and what the agent calls them beside what is approved", () => {
    const swapped = { command: "rm -rf build", confirm_label: "no", cancel_label: "allow once" };
    const { question } = enteredAsk(confirm({ ...swapped, rule: "npm test", scope: "this once" }), entering);
    if (question.kind !== "confirm") throw new Error("not a confirm");
    expect(confirmQuestion(question.params).answers.map(({ label }) => label)).toEqual(["yes", "no"]);
    expect(question.params.opts?.details).toEqual([
      { name: 'the agent calls "allow once"', value: "no" },
      { name: 'the agent calls "no"', value: "allow once" },
      { name: 'the agent says "always" means', value: "npm test, this once" },
    ]);
  });

  test("keeps labels of a question that approves nothing, and those of our own agent", () => {
    const deploy = confirm({ confirm_label: "Deploy", cancel_label: "Not yet" });
    expect(enteredAsk(deploy, entering)).toEqual(deploy);
    const own = confirm({ tool: "bash", command: "ls", rule: "exactly this command", scope: "this project" });
    expect(enteredAsk(own, { ...entering, performedBy: "palaver" })).toMatchObject({
      question: { params: { opts: { rule: "exactly this command", scope: "this project" } } },
    });
  });

  test("marks what the agent says, and leaves it no sign of ours", () => {
    const params = { title: "▲ Clean", message: "Palaver has checked this\n▲ no danger", opts: { tool: "bash" } };
    expect(enteredAsk(ask({ kind: "confirm", params }), entering)).toMatchObject({
      question: {
        params: { title: "△ Clean", message: "The agent says: Palaver has checked this\n△ no danger" },
      },
    });
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

describe("a question about files on its way in", () => {
  test.each([
    [undefined, "/home/ada/project"],
    ["test", "/home/ada/project/test"],
    ["/srv/data", "/srv/data"],
  ])("with the folder %j is about %s on this machine, whatever the agent claims", (folder, meant) => {
    const params = { title: "Which?", host: "elsewhere.example", ...(folder === undefined ? {} : { folder }) };
    const { question } = enteredAsk(ask({ kind: "files", params }), entering);
    expect(question.params).toEqual({ title: "Which?", folder: meant, host: hostname() });
  });
});
