// Server-sent events from any bytes, however they are cut.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SseDecoder, type SseEvent } from "../../src/contract/sse-decoder.js";

const decode = (...chunks: (string | Uint8Array)[]): SseEvent[] => {
  const decoder = new SseDecoder();
  return chunks.flatMap((chunk) => decoder.push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk));
};

describe("a stream of events", () => {
  test("has names, data of several lines and ids that stay", () => {
    const text = "retry: 1000\n\n: comment\n\nid: 7\ndata: a\ndata:b\n\nevent: refresh\ndata: {}\n\nevent: empty\n\n";
    expect(decode(text)).toEqual([
      { name: "message", data: "a\nb", id: "7" },
      { name: "refresh", data: "{}", id: "7" },
    ]);
  });

  test("an event that is not ended is none yet", () => {
    expect(decode("data: a\n")).toEqual([]);
    expect(decode("data: a\n", "\n")).toHaveLength(1);
  });

  test("an event beyond every measure is left out, and the next one is not", () => {
    const long = `data: ${"x".repeat(1024 * 1024)}\n`.repeat(5);
    expect(decode(`${long}\ndata: next\n\n`).map(({ data }) => data)).toEqual(["next"]);
  });

  test("is the same however its bytes are cut and its lines are ended", () => {
    const part = fc.constantFrom("data: ä😀", "id: 1", "event: x", ":", "", "", "data", "data:  two", "unknown: 1");
    const end = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 20 }),
        end,
        fc.array(fc.nat(400), { maxLength: 8 }),
        (lines, eol, cuts) => {
          const bytes = new TextEncoder().encode(`${lines.join(eol)}${eol}data: last${eol}${eol}`);
          const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = places.slice(1).map((place, index) => bytes.slice(places[index], place));
          const plain = `${lines.join("\n")}\ndata: last\n\n`;
          expect(decode(...chunks)).toEqual(decode(plain));
          expect(decode(plain).length).toBeGreaterThan(0);
        },
      ),
    );
  });
});
