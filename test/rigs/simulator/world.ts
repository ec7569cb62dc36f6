// A program, its terminal and the pipe between them, with everything that lies between a byte and its effect: slow
// readers, a window that changes before the program hears of it, other programs that borrow the terminal.

import { type Frame, fitFrame, type Size } from "../../../src/terminal/painter/frame.js";
import { widthAtMost } from "../../../src/terminal/painter/pen.js";
import { type Profile, profileFor } from "../../../src/terminal/painter/profile.js";
import { guarded } from "../../../src/terminal/painter/rest.js";
import type { ProfileName, SessionHead } from "./action.js";
import { checkErasure, checkInsertion, checkWrite } from "./byte-rules.js";
import { Ledger } from "./ledger.js";
import { ManualClock } from "./manual-clock.js";
import { Pipe } from "./pipe.js";
import { lastRows, Program, type Shown } from "./program.js";
import { StateRules } from "./state-rules.js";
import { Window } from "./window.js";

/** Behind a row that became shorter stand a few spaces; they count when the terminal reflows it. */
const SPARE_COLUMNS = 6;
const EVERYTHING = Number.POSITIVE_INFINITY;

const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  generic: profileFor({}, {}),
  "xterm.js": profileFor({ secondaryAttributes: "0;276;0" }, {}),
  kitty: profileFor({ version: "kitty(0.26.5)", synchronizedUpdates: 2 }, {}),
  tmux: profileFor({ version: "tmux 3.3a" }, {}),
  xterm: profileFor({ version: "XTerm(379)" }, {}),
};

export class World {
  readonly ledger = new Ledger();
  readonly clock = new ManualClock();
  readonly pipe = new Pipe();
  readonly window: Window;
  readonly program: Program;
  /** How often the program has written something. */
  writes = 0;
  /** The window has changed and the program does not know it. */
  isNewsOwed = false;
  /** The shell has the terminal and stands in the middle of a line. */
  isShellInLine = false;
  private profile: Profile;
  private readonly rules = new StateRules();
  private lastWrite: { readonly bytes: string; readonly cursor: "shown" | "hidden" } | undefined;
  private knownSize: Size;
  private sizeWhenCovered: Size | undefined;
  /** The program may draw again but has not yet: it takes the terminal with its first write. */
  private isTakingOver = true;

  constructor({ profile, columns, rows, shell, prompt }: SessionHead) {
    const size = { columns, rows };
    this.profile = PROFILES[profile];
    this.knownSize = size;
    this.window = new Window(size);
    this.printForeign(shell, prompt);
    this.program = new Program({
      apply: (bytes) => this.apply(bytes),
      clock: this.clock,
      size,
      profile: this.profile,
      ledger: this.ledger,
      liveRowsMax: () => (this.isNewsOwed ? Math.max(1, this.window.size.rows - 1) : EVERYTHING),
      onFrame: () => this.rules.frameBegan(),
    });
    this.program.screen.flush();
    this.settleDown();
    this.follow();
  }

  dispose(): void {
    this.window.dispose();
  }

  /** A window that changed and changed back is news, too: the terminal has cut or moved our rows meanwhile. */
  tellSize(): void {
    if (!this.isNewsOwed) return;
    this.isNewsOwed = false;
    this.knownSize = this.window.size;
    this.program.resize(this.knownSize);
  }

  identify(name: ProfileName): void {
    this.profile = PROFILES[name];
    this.program.screen.setProfile(this.profile);
    this.program.screen.requestFrame("now");
  }

  // What a window change does to the line that is just being written hits every program: the terminal has read all complete
  // frames before, and a shell that stands in the middle of a line keeps its window.
  resizeWindow(wish: Size): void {
    if (this.isShellInLine) return;
    this.read(EVERYTHING);
    this.follow();
    const size = { columns: this.possibleColumns(wish.columns), rows: wish.rows };
    this.isNewsOwed = true;
    this.window.resize(size);
    this.ledger.resized(size);
    if (this.isTakingOver) this.tellSize();
  }

  suspend(shell: readonly string[], prompt: string): void {
    if (this.program.place !== "screen") return;
    this.program.suspend();
    this.read(EVERYTHING);
    this.follow();
    this.printForeign(shell, prompt);
  }

  /** The size is the first thing to ask for when one has been away. */
  resume(): void {
    this.tellSize();
    if (this.program.place === "background") this.isTakingOver = true;
    this.program.resume();
  }

  /**
   * What stands on the screen: as much as fits, with the empty row that some terminals get above it. While the window moves
   * these are its last rows, as many as the screen says.
   */
  get shown(): Shown | undefined {
    const { shown, screen } = this.program;
    if (shown === undefined) return undefined;
    const { size } = shown;
    const withGuard = (frame: Frame): Frame => guarded(frame, this.profile, size);
    const whole = fitFrame(shown.frame, size);
    const { liveRows } = screen;
    if (screen.window === "still" || withGuard(whole).rows.length <= liveRows) return { frame: withGuard(whole), size };
    const frame = withGuard(lastRows(whole, liveRows));
    return { frame: frame.rows.length === liveRows ? frame : withGuard(lastRows(whole, liveRows - 1)), size };
  }

  openViewer(): void {
    if (this.program.place !== "screen" || this.isTakingOver) return;
    this.program.openViewer();
    this.sizeWhenCovered = this.knownSize;
  }

  closeViewer(): void {
    if (this.program.place !== "viewer") return;
    this.tellSize();
    this.uncover();
    this.program.closeViewer();
  }

  /** The program leaves; the terminal reads to the end. Whoever comes back for that asks for the size first. */
  close(): void {
    if (this.program.place !== "screen") this.tellSize();
    this.uncover();
    this.program.close();
    this.settleDown();
    this.follow();
  }

  /** The terminal reads what has been written, and the program hears when there is room again. */
  read(units: number): void {
    this.window.read(this.pipe.take(units));
    for (const erasure of this.window.takeErasures()) checkErasure(erasure, this.profile);
  }

  tellRoom(): "told" | "nothing to tell" {
    if (this.pipe.takeNewsOfRoom() === "nothing new") return "nothing to tell";
    this.program.roomAgain();
    return "told";
  }

  settleDown(): void {
    do this.read(EVERYTHING);
    while (this.tellRoom() === "told" || !this.pipe.isEmpty);
  }

  /** Brings the ledger up to date with the screen, and looks whether a confirmation took over too early. */
  follow(): void {
    this.followInsertions();
    const { place, screen } = this.program;
    this.rules.check(screen.state.confirmPhase, this.ledger, place === "viewer" ? "held" : "allowed");
  }

  // What the shell leaves on the last line stays a line of its own: whoever comes next begins below it.
  private printForeign(lines: readonly string[], prompt: string): void {
    const start = this.window.cursor().column === 0 ? "" : "\r\n";
    this.window.read(start + lines.map((line) => `${line}\r\n`).join("") + prompt);
    this.ledger.foreign(prompt === "" ? lines : [...lines, prompt]);
    this.isShellInLine = prompt !== "";
  }

  // When the window has changed behind the viewer the terminal may have lost our place; a gap is better than a line
  // that is written over.
  private uncover(): void {
    this.follow();
    const { columns, rows } = this.sizeWhenCovered ?? this.knownSize;
    if (columns !== this.knownSize.columns || rows !== this.knownSize.rows) this.ledger.gap();
    this.sizeWhenCovered = undefined;
  }

  private apply(bytes: string): "drained" | "full" {
    checkWrite(bytes);
    this.followInsertions();
    const cursor = this.pipe.isEmpty ? this.window.cursor().state : "hidden";
    this.lastWrite = { bytes, cursor };
    this.isTakingOver = false;
    this.isShellInLine = false;
    this.writes += 1;
    return this.pipe.write(bytes);
  }

  private followInsertions(): void {
    const before = this.ledger.insertedCount;
    this.ledger.follow(this.program.screen.state);
    if (this.ledger.insertedCount === before || this.lastWrite === undefined) return;
    checkInsertion(this.lastWrite.bytes, this.lastWrite.cursor, this.profile);
  }

  // This emulator reflows rows below the cursor in a way that only its own profile survives. The profiles of other terminals
  // are spared that: what they are for cannot be seen here.
  private possibleColumns(wished: number): number {
    const { columns } = this.window.size;
    const { place, shown } = this.program;
    if (wished === columns) return columns;
    if (this.profile.name === "xterm.js" || place !== "screen" || shown === undefined) return wished;
    return Math.max(wished, SPARE_COLUMNS + Math.max(0, ...fitFrame(shown.frame, shown.size).rows.map(widthAtMost)));
  }
}
