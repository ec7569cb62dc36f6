// The production screen in front of a real emulator, with a clock that only moves when told. The terminal side runs behind:
// bytes wait until `settleDown`, so that a test can resize the window while a frame is still on its way.

import { InlineScreen } from "../../../src/terminal/painter/inline-screen.js";
import { WINDOW_RESTS_AFTER_MS } from "../../../src/terminal/painter/moving-window.js";
import { type Profile, profileFor } from "../../../src/terminal/painter/profile.js";
import { Emulator } from "../../rigs/emulator.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";

export const XTERM_JS: Profile = profileFor({ secondaryAttributes: "0;276;0" }, {});
export const GENERIC: Profile = profileFor({}, {});

/** Stands in every live row and nowhere else: found in the scrollback it is a ghost. */
export const LIVE = "▌";

export interface RigOptions {
  readonly columns: number;
  readonly rows: number;
  readonly profile?: Profile;
  readonly shellLines?: readonly string[];
  readonly measure?: () => void;
}

export class Rig {
  readonly emulator: Emulator;
  readonly screen: InlineScreen;
  readonly clock = new ManualClock();
  /** Everything written so far, one entry per write. */
  readonly writes: string[] = [];
  private unread: string[] = [];

  constructor(options: RigOptions) {
    this.emulator = new Emulator({ columns: options.columns, rows: options.rows });
    const shell = options.shellLines ?? [];
    if (shell.length > 0) this.unread.push(`${shell.join("\r\n")}\r\n`);
    this.screen = new InlineScreen({
      apply: (bytes) => {
        this.writes.push(bytes);
        this.unread.push(bytes);
        return "drained";
      },
      ...(options.measure && { measure: options.measure }),
      clock: this.clock,
      size: { columns: options.columns, rows: options.rows },
      profile: options.profile ?? XTERM_JS,
      onViolation: "throw",
    });
  }

  /** Bytes of somebody else who shares the terminal. */
  write(bytes: string): void {
    this.unread.push(bytes);
  }

  /** Nobody drags the window's edge any more. */
  rest(): void {
    this.clock.advance(WINDOW_RESTS_AFTER_MS);
  }

  /** Lets the terminal read everything that was written. */
  async settleDown(): Promise<void> {
    const bytes = this.unread.join("");
    this.unread = [];
    await this.emulator.write(bytes);
  }

  /** The window changes now; the program hears of it when it is told with `screen.resize`. */
  async resizeWindow(columns: number, rows: number): Promise<void> {
    await this.settleDown();
    this.emulator.resize(columns, rows);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.resizeWindow(columns, rows);
    this.screen.resize({ columns, rows });
  }
}

export interface Faults {
  readonly lost: string[];
  readonly doubled: string[];
  readonly ghosts: string[];
  readonly blankRows: number;
  readonly isInOrder: boolean;
}

export const NO_FAULTS: Faults = { lost: [], doubled: [], ghosts: [], blankRows: 0, isInOrder: true };

/** Compares what a person can scroll to with the lines that should be there, each exactly once. */
export function faultsOf(emulator: Emulator, expected: readonly string[], liveRows: number): Faults {
  const rows = emulator.allRows();
  while (rows.length > 0 && rows.at(-1) === "") rows.pop();
  const text = squash(rows.join(""));
  const places = expected.map((line) => text.indexOf(squash(line)));
  const live = rows.filter((row) => row.includes(LIVE));
  const transcript = rows.slice(0, rows.length - live.length);
  return {
    lost: expected.filter((_, index) => (places[index] ?? -1) < 0),
    doubled: expected.filter((line) => text.split(squash(line)).length > 2),
    ghosts: live.length > liveRows ? live : rows.slice(0, -liveRows).filter((row) => row.includes(LIVE)),
    blankRows: transcript.filter((row) => row.trim() === "").length,
    isInOrder: places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1)),
  };
}

function squash(text: string): string {
  return text.replace(/\s+/g, "");
}
