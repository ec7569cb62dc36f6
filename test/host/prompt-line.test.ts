// When a prompt that waits is sent to the agent.
import { expect, test } from "vitest";
import { PromptLine } from "../../src/host/prompt-line.js";

const prompt = (text: string) => ({ prompt: { type: "prompt", text } as const, frontEnd: "f1" });

test("a waiting prompt follows the end of the turn, and not an end that the exit of the agent made", () => {
  for (const [isCutOff, expected] of [
    [false, ["first", "second"]],
    [true, ["first"]],
  ] as const) {
    const sent: string[] = [];
    const line = new PromptLine(({ prompt: { text } }) => sent.push(text));
    line.hear({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
    line.add(prompt("first"));
    line.hear({ type: "prompt.started", sessionId: null });
    line.add(prompt("second"));
    line.hear({ type: "prompt.finished", sessionId: null, ...(isCutOff ? { isCutOff } : {}) });
    expect(sent).toEqual(expected);
  }
});
