// What a recording is: one JSON object a line, the first of which says what it is. Both directions are kept in Palaver's
// own words, session events in and commands out, so that a recording of any agent plays in any front end.
//
//     {"t":0,"dir":"meta","kind":"recording","version":1,"palaver":"0.1.0","agent":"gemini",…}
//     {"t":12,"dir":"in","event":{"type":"agent.readied",…}}
//     {"t":2210,"dir":"out","command":{"type":"prompt","text":"…"}}
import type { AskOutcome } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { DialectLinkHandlers, SessionLink } from "../dialect-link.js";

export const RECORDING_VERSION = 1;

export interface RecordingHeader {
  readonly agent: string;
  /** The version of Palaver that wrote it. */
  readonly palaver: string;
  readonly startedAt: string;
  readonly size: { readonly columns: number; readonly rows: number };
}

/** `t` is milliseconds since the start. */
export type RecordingEntry =
  | ({
      readonly t: number;
      readonly dir: "meta";
      readonly kind: "recording";
      readonly version: number;
    } & RecordingHeader)
  | { readonly t: number; readonly dir: "meta"; readonly kind: "exited"; readonly code: number | null }
  | { readonly t: number; readonly dir: "in"; readonly event: SessionEvent }
  /** `secret` says that the answer was one and is not here. */
  | { readonly t: number; readonly dir: "out"; readonly command: LinesCommand; readonly secret?: true };

/** What keeps secrets out of a recording; text/redact.ts makes one. */
export interface Redaction {
  declare(secret: string): void;
  value(value: unknown): unknown;
  unfinished(text: string): string;
  stream(): { push(piece: string): string; end(): string };
}

export type ReplayHandlers = DialectLinkHandlers & {
  /** Somebody else settled a question that is shown here; without it the question is merely withdrawn. */
  onAskSettled?(askId: string, outcome: AskOutcome): void;
};

/** How a front end opens whatever it talks to. */
export type OpenLink = (handlers: DialectLinkHandlers) => SessionLink | Promise<SessionLink>;
