// The reader of server-sent events: any cut gives the same events, and an event after an empty line is understood again,
// whatever came before.
import { SseDecoder, type SseEvent } from "../../../../src/contract/sse-decoder.js";
import { cutsOf } from "../any-cut.js";
import { broken, expectSame, type FuzzTarget } from "../fuzz-target.js";

/** A small limit, so that overlong events are common. */
const EVENT_CHARS_MAX = 600;

export const sseTarget: FuzzTarget = { name: "sse", shape: "text", check };

function check(bytes: Uint8Array): void {
  const [whole = [], ...others] = cutsOf(bytes).map(eventsOf);
  for (const other of others) expectSame("another cut", whole, other);
  for (const { data, name } of whole) {
    if (data.length > EVENT_CHARS_MAX || name.length > EVENT_CHARS_MAX) broken(`an event of ${data.length} characters`);
  }
  const after = eventsOf([bytes, new TextEncoder().encode("\n\n\ndata: good\n\n")]).at(-1);
  expectSame("an event behind it", after?.data, "good");
}

function eventsOf(cut: readonly Uint8Array[]): SseEvent[] {
  const decoder = new SseDecoder({ eventCharsMax: EVENT_CHARS_MAX });
  return cut.flatMap((chunk) => decoder.push(chunk));
}
