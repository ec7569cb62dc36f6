// What an agent that behaves does in a session, as scripts that fast-check makes up: it says things in pieces, uses tools, tells and
// asks; what it says only grows, and every message ends.
import * as fc from "fast-check";
import type { Ask } from "../../src/contract/asks.js";
import type { SessionEvent } from "../../src/contract/session-events.js";

export const sessionId = "s1";
export const assistant = (text: string) => ({ role: "assistant" as const, content: [{ type: "text" as const, text }] });
export const notice = (message: string): SessionEvent => ({ type: "notice.shown", sessionId, level: "info", message });
export const grew = (delta: string): SessionEvent => ({
  type: "message.grew",
  sessionId,
  index: 0,
  kind: "text",
  delta,
});
export const started: SessionEvent = {
  type: "message.started",
  sessionId,
  message: { role: "assistant", content: [] },
};

function askNamed(id: string): Ask {
  const question = { kind: "confirm" as const, params: { title: `question ${id}` } };
  return { id, sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
}

export type Deed =
  | { readonly do: "say"; readonly pieces: readonly string[]; readonly between: "nothing" | "tool" | "notice" | "ask" }
  | { readonly do: "tool"; readonly end: "finished" | "stopped" }
  | { readonly do: "notice" | "status" | "prompt" };

export function eventsOf(deed: Deed, number: number): SessionEvent[] {
  const toolCallId = `c${number}`;
  const tool = { sessionId, toolCallId, name: "bash" };
  const run: SessionEvent[] = [
    { type: "tool.started", ...tool, args: { command: "npm test" } },
    { type: "tool.updated", ...tool, output: "half" },
    { type: "tool.updated", ...tool, output: "half and more" },
  ];
  const finished: SessionEvent = { type: "tool.finished", ...tool, output: "half and more, done", isError: false };
  const askId = `q${number}`;
  const ask: SessionEvent = { type: "ask.raised", sessionId, ask: askNamed(askId) };
  const withdrawn: SessionEvent = { type: "ask.withdrawn", sessionId, askId, reason: "agent_cancelled" };
  const between = {
    nothing: [],
    tool: [...run, finished],
    notice: [notice(`in between ${number}`)],
    ask: [ask, withdrawn],
  };
  switch (deed.do) {
    case "say": {
      const half = Math.ceil(deed.pieces.length / 2);
      const pieces = deed.pieces.map(grew);
      const whole: SessionEvent = { type: "message.finished", sessionId, message: assistant(deed.pieces.join("")) };
      return [started, ...pieces.slice(0, half), ...between[deed.between], ...pieces.slice(half), whole];
    }
    case "tool":
      return deed.end === "finished" ? [...run, finished] : [...run, { type: "prompt.finished", sessionId }];
    case "notice":
      return [notice(`notice ${number}`)];
    case "status":
      return [
        { type: "status.changed", sessionId, key: `k${number % 2}`, text: number % 3 === 0 ? null : `at ${number}` },
      ];
    case "prompt":
      return [{ type: "message.started", sessionId, message: { role: "user", content: `prompt ${number}` } }];
  }
}

const pieces = fc.array(fc.constantFrom("one ", "two ", "ä😀 ", "three. "), { minLength: 1, maxLength: 8 });
export const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("say" as const),
      pieces,
      between: fc.constantFrom("nothing", "tool", "notice", "ask"),
    }),
    fc.record({ do: fc.constant("tool" as const), end: fc.constantFrom("finished", "stopped") }),
    fc.record({ do: fc.constantFrom("notice" as const, "status" as const, "prompt" as const) }),
  ),
  { minLength: 1, maxLength: 12 },
);
