// A preview is part of the question it belongs to; any other one is shown there as the agent's words, and what the question
// itself says is never replaced.
import { describe, expect, test } from "vitest";
import { enteredEvent } from "../../src/agents/entered-ask.js";
import { AskPreviews } from "../../src/agents/session-link.js";
import type { SessionEvent } from "../../src/contract/session-events.js";

const sessionId = null;
const diff = "--- a/p.ts\n+++ b/p.ts\n@@ -1 +1 @@\n-a\n+b\n";
const preview = (more: object = {}): SessionEvent => ({
  ...{ type: "permission.previewed", sessionId, tool: "edit", toolCallId: "c1", filePath: "p.ts", diff },
  ...{ truncated: false, ...more },
});
const asked = (opts: object = {}, message?: string): SessionEvent => {
  const params = { title: "edit p.ts", ...(message === undefined ? {} : { message }), opts: { tool: "edit", ...opts } };
  const ask = { id: "q", sessionId, turnId: null, origin: { kind: "agent" }, deadlineMs: null } as const;
  return { type: "ask.raised", sessionId, ask: { ...ask, question: { kind: "confirm", params } } };
};
const own = { tool_call_id: "c1" };

/** The parameters of the last ask, as views get them. */
function shown(...events: SessionEvent[]): object {
  const previews = new AskPreviews();
  const passed = events.map((event) => previews.take(event)).filter((event) => event !== null);
  const [last] = passed.slice(-1).map((event) => enteredEvent(event, { folder: "/w", performedBy: "agent" }));
  if (last?.type !== "ask.raised") throw new Error("no ask");
  return last.ask.question.params;
}

describe("a preview", () => {
  test("of the same call is the diff and the path of the question, and is judged like them", () => {
    expect(shown(preview(), asked(own))).toMatchObject({ opts: { diff, path: "p.ts" } });
    const outside = "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n";
    expect(shown(preview({ diff: outside, filePath: "../x" }), asked(own))).toMatchObject({
      opts: { danger_level: "danger", danger: expect.stringMatching(/outside/) },
    });
  });

  test("never replaces the diff or the command of the question, and is quoted where it says something else", () => {
    expect(shown(preview(), asked({ ...own, diff }))).not.toHaveProperty("message");
    const other = diff.replace("+b", "+c");
    expect(shown(preview(), asked({ ...own, diff: other }))).toMatchObject({
      message: expect.stringMatching(/^The agent says: --- a\/p\.ts[\s\S]*\+b/),
      opts: { diff: other },
    });
    expect(shown(preview(), asked({ ...own, command: "rm -rf build" }))).toMatchObject({
      message: expect.stringContaining("+b"),
      opts: { command: "rm -rf build" },
    });
    expect(shown(preview(), asked({ ...own, command: "rm -rf build" }))).not.toHaveProperty("opts.diff");
  });

  test("of another call does not belong to the question", () => {
    expect(shown(preview({ toolCallId: "c2" }), asked(own))).not.toHaveProperty("opts.diff");
    expect(shown(preview({ toolCallId: "c2" }), asked(own))).not.toHaveProperty("message");
    // A question without an id may quote it; the one it belongs to still gets it.
    expect(shown(preview(), asked(), asked(own))).toMatchObject({ opts: { diff } });
  });

  test("without an id belongs to the question about the same tool that follows; to any other it is words", () => {
    expect(shown(preview({ toolCallId: undefined }), asked())).toMatchObject({ opts: { diff } });
    const words = shown(preview({ toolCallId: undefined, tool: "write" }), asked());
    expect(words).toMatchObject({ message: expect.stringMatching(/^The agent says: write: --- a\/p\.ts/) });
    expect(words).not.toHaveProperty("opts.diff");
    const started: SessionEvent = { type: "tool.started", sessionId, toolCallId: "c9", name: "edit", args: null };
    expect(shown(preview({ toolCallId: undefined }), started, asked())).not.toHaveProperty("opts.diff");
  });

  test("of another file, or one of two without an id, is words", () => {
    const elsewhere = shown(preview(), asked({ ...own, path: "other.ts" }));
    expect(elsewhere).toMatchObject({ message: expect.stringContaining("+b"), opts: { path: "other.ts" } });
    expect(elsewhere).not.toHaveProperty("opts.diff");
    const nameless = { toolCallId: undefined };
    const two = shown(preview(nameless), preview({ ...nameless, diff: diff.replace("+b", "+c") }), asked());
    expect(two).toMatchObject({ message: expect.stringContaining("+c") });
    expect(two).not.toHaveProperty("opts.diff");
  });

  test("that comes after its question changes nothing of it", () => {
    const previews = new AskPreviews();
    const passed = [asked(own), preview(), preview({ diff: diff.replace("+b", "+c") })].map((one) =>
      previews.take(one),
    );
    expect(passed).toEqual([asked(own), null, null]);
  });

  test("is used once, and forgotten when the turn ends", () => {
    expect(shown(preview(), asked(own), asked(own))).not.toHaveProperty("opts.diff");
    expect(shown(preview(), { type: "prompt.finished", sessionId }, asked(own))).not.toHaveProperty("opts.diff");
  });

  test("that was cut says so, and its words are shown once", () => {
    expect(shown(preview({ truncated: true }), asked(own))).toMatchObject({
      message: "The agent says: only the beginning of the diff was sent",
    });
    expect(shown(preview({ summary: "one line" }), asked(own, "one line"))).toMatchObject({
      message: "The agent says: one line",
    });
  });
});
