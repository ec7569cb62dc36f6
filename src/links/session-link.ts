// A running agent in Palaver's own words: whatever dialect it speaks, its front end hears session events. Today there
// is one dialect, the lines wire; the others will be opened here too.
import type { SessionEvent } from "../contract/session-events.js";
import { createLinesDialect } from "../wire/lines-dialect.js";
import type { AgentCommand } from "./agent-process.js";
import { type LinesLink, openLinesLink } from "./lines-link.js";

/** `nowMs` is the front end's own clock: deadlines are moments on it. */
export function openSessionLink(
  command: AgentCommand,
  { onEvent, nowMs }: { onEvent(event: SessionEvent): void; nowMs(): number },
): Pick<LinesLink, "send" | "exited" | "stop"> {
  const dialect = createLinesDialect();
  return openLinesLink(command, {
    onDecoded: (decoded) => {
      for (const event of dialect.read(decoded, nowMs())) onEvent(event);
    },
  });
}
