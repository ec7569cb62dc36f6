// The reader's promise about its bytes: whatever is heard and typed, text is appended and nothing ever moves.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { verifies } from "../../verifies.js";
import { asks, finished, says, sessionId } from "./reader-events.js";
import { BACKSPACE, CTRL_C, DOWN, ENTER, ESCAPE, ReaderStage, UP } from "./reader-stage.js";

const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => says("message.finished", text)),
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => says("message.updated", `\x1b[2J${text}\n\n# x`)),
  fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })).map(
    ([name, output]): SessionEvent => ({
      type: "tool.finished",
      sessionId,
      toolCallId: name,
      name,
      output: `\x1b[31m${output}\x1b[H`,
      isError: false,
    }),
  ),
  fc
    .string({ unit: "binary" })
    .map((message): SessionEvent => ({ type: "notice.shown", sessionId, level: "info", message: `\x9b2J${message}` })),
  fc
    .string({ unit: "binary" })
    .map((title) =>
      asks(title, { kind: "confirm", params: { title: `${title}\x1b]0;x\x07`, opts: { command: `\x1b[A${title}` } } }),
    ),
  fc.constant(finished),
);
const anyKey = fc.oneof(
  fc.constantFrom(ENTER, ESCAPE, UP, DOWN, BACKSPACE, CTRL_C, "\t", "\x15", "\x17", "\x0c", "1", "/", "日"),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => `\x1b[200~${text}\x1b[201~`),
);

// As many steps back as blanks, and as many back again; wide characters have more of them.
function withoutBackspaces(bytes: string): string {
  return [8, 7, 6, 5, 4, 3, 2, 1].reduce(
    (text, cells) => text.replaceAll("\b".repeat(cells) + " ".repeat(cells) + "\b".repeat(cells), ""),
    bytes,
  );
}

test("whatever is heard and typed, only text is appended: no control character but line ends and the echo of a backspace", () => {
  verifies("reader.only-appends");
  const step = fc.oneof(anyEvent, anyKey);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const stage = new ReaderStage({ clipboard: "none" }).ready();
      for (const one of steps) {
        if (typeof one === "string") stage.type(one);
        else stage.hear(one);
        stage.wait(600);
      }
      stage.renderer.close();
      expect(withoutBackspaces(stage.written.replaceAll("\r\n", ""))).toMatch(/^[^\x00-\x1f\x7f-\x9f]*$/);
    }),
    { numRuns: Number(process.env["RUNS"] ?? 60) },
  );
});
