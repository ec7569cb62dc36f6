// The format of a recording: one JSON object per line, first a header. It holds session events and commands, not the wire, so
// that a recording of any agent plays in any front end.
//
//     {"t":0,"dir":"meta","kind":"recording","version":1,"palaver":"0.2.0","agent":"gemini",…}
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
  /** `secret` marks an answer that was left out. */
  | { readonly t: number; readonly dir: "out"; readonly command: LinesCommand; readonly secret?: true };

/** Removes secrets; text/redact.ts implements it. */
export interface Redaction {
  declare(secret: string): void;
  value(value: unknown): unknown;
  unfinished(text: string): string;
  stream(): { push(piece: string): string; end(): string };
}

export type ReplayHandlers = DialectLinkHandlers & {
  /** An answer in the recording settles the ask; without this handler the ask is withdrawn. */
  onAskSettled?(askId: string, outcome: AskOutcome): void;
};

/** How a front end opens its link. */
export type OpenLink = (handlers: DialectLinkHandlers) => SessionLink | Promise<SessionLink>;
