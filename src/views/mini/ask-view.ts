// A view that shows the open asks of a source on a terminal that other programs print to: it follows the changes of the
// source, dispatches the user's answers, and reports when it needs the terminal exclusively. Dialogs, plain lines and a script
// in a test are such views.
import type { Change } from "../../session/engine/engine-messages.js";
import type { SessionEngine } from "../../session/engine/source.js";

/** The name of these views in records. */
export const MINI = "mini";

/** An ask that is spoken stands below what was printed before it; one that is drawn has a screen of its own. */
export type AskManner = "drawn" | "spoken";

export interface AskViewPorts {
  readonly source: SessionEngine;
  /** The terminal is about to be taken: nothing else may be written to it from now on. */
  onOpening(manner: AskManner): void;
  /** The terminal is as it was. */
  onClosed(): void;
}

export interface AskView {
  /** Every change of the source, but for asks that need no answer from this view. */
  follow(change: Change): void;
  /** Resolves when the terminal was given back. No ask is open any more. */
  close(): Promise<void>;
}

export type OpenAskView = (ports: AskViewPorts) => AskView;
