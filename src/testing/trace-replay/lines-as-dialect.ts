// Our own wire in the shape of the others, so that recordings of it are played like theirs: its machine only reads, because
// commands go out as they are and the agent itself keeps the questions.

import type { Dialect } from "../../wire/dialect.js";
import { writeLine } from "../../wire/json-frame.js";
import { createOutputDecoder } from "../../wire/lines-codec.js";
import { createLinesDialect } from "../../wire/lines-dialect.js";

const nothing = { events: [], frames: [], effects: [] } as const;

export function linesAsDialect(): Dialect {
  const dialect = createLinesDialect();
  const decoder = createOutputDecoder();
  return {
    open: () => nothing,
    read(decoded, nowMs) {
      const bytes = decoded.kind === "frame" ? new TextEncoder().encode(writeLine(decoded.frame)) : null;
      const items = decoded.kind === "frame" ? decoder.push(bytes ?? new Uint8Array()) : [decoded];
      return { ...nothing, events: items.flatMap((item) => dialect.read(item, nowMs)) };
    },
    command: (command) => ({ ...nothing, frames: [{ ...command }] }),
    performed: () => nothing,
    close: () => nothing,
  };
}
