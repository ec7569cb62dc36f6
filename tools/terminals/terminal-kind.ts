// What the driver needs of a terminal: to be opened with a program in it, to change its size as a person would change it,
// and to give back everything that can be scrolled to.

import type { Size } from "../../src/terminal/painter/frame.js";
import type { Desk } from "./desk.js";

export interface TerminalWindow {
  /** Asks for the size and does not wait until the program has heard of it. */
  resize(size: Size): Promise<void>;
  /** All rows, the scrollback first. Terminals that give whole logical lines give those. */
  contents(): Promise<string[]>;
  /** A picture of the window, where there is one. */
  picture?(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface TerminalKind {
  readonly name: string;
  /** Programs that must be there, and the Debian packages that bring them. */
  readonly programs: readonly string[];
  readonly packages: readonly string[];
  /** For parts that are no programs: a command that fails when they are missing. */
  readonly probe?: readonly string[];
  /** Cells that it keeps right of the edge when it grows narrower. */
  readonly keptCells?: number;
  open(desk: Desk, command: readonly string[], size: Size): Promise<TerminalWindow>;
}

/** The scrollback must hold every session whole. */
export const SCROLLBACK_ROWS = 20_000;

export const X11_PROGRAMS: readonly string[] = ["Xvfb", "xdotool"];
export const X11_PACKAGES: readonly string[] = ["xvfb", "xdotool", "fonts-dejavu", "fonts-noto-cjk"];

export function rowsOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

export async function takePicture(desk: Desk, window: string, path: string): Promise<void> {
  await desk.run("import", ["-window", window, path]);
}
