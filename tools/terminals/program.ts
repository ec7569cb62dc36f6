// What a program under test is told when it starts, and what it can do: the same session goes through the product's screen
// or through plain printing.

import type { Size } from "../../src/terminal/painter/frame.js";
import type { Moment, SessionPlan } from "./session-script.js";

export interface AppOptions extends SessionPlan {
  readonly mode: "inline" | "plain";
  readonly socket: string;
  readonly pieceMs: number;
  /** Where to note every write and every resize with its time; for looking into a failure. */
  readonly journal?: string;
  /** "shown" keeps the live area readable, for a picture; "disguised" lets a judge find every cell of it. */
  readonly liveText: "disguised" | "shown";
  /** Stop after this many pieces and wait, for a picture. */
  readonly pauseAtPiece?: number;
}

/** What both ways of showing a session can do. */
export interface Program {
  readonly profileName: string;
  readonly frames: number;
  start(): Promise<void>;
  stream(piece: string): void;
  moment(moment: Moment): void;
  end(): void;
}

export interface ProgramPorts {
  write(bytes: string): boolean;
  onResize(size: Size): void;
}
