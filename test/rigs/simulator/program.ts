// The program under test, put together from the product's parts as the terminal UI does it: inline screen, streams,
// editor, dialogs, and a viewer on the alternate screen. It also keeps what the last frame was asked to show.
//
//     | streaming answer, or the last rows of a running tool |
//     | widget                                               |
//     | dialog                                               |
//     | › composer                                           |
//     | status                                               |

import { Editor } from "@earendil-works/pi-tui";
import { ComponentHost, hostTui } from "../../../src/terminal/component-host.js";
import type { Frame, Size } from "../../../src/terminal/painter/frame.js";
import { FullScreen } from "../../../src/terminal/painter/full-screen.js";
import { type ApplyTerminalEffects, InlineScreen } from "../../../src/terminal/painter/inline-screen.js";
import type { Profile } from "../../../src/terminal/painter/profile.js";
import { safeLines } from "../../../src/text/safe.js";
import { AskDialogs } from "./ask-dialogs.js";
import { Conversation } from "./conversation.js";
import type { Ledger } from "./ledger.js";
import type { ManualClock } from "./manual-clock.js";
import { PLAIN_EDITOR } from "./plain-theme.js";

export interface ProgramPorts {
  readonly apply: ApplyTerminalEffects;
  readonly clock: ManualClock;
  readonly size: Size;
  readonly profile: Profile;
  readonly ledger: Ledger;
  /** The most rows that the window can take at this moment, whether the program knows of it or not. */
  readonly liveRowsMax: () => number;
  readonly onFrame: () => void;
}

export interface Shown {
  readonly frame: Frame;
  readonly size: Size;
}

export class Program {
  readonly screen: InlineScreen;
  readonly conversation: Conversation;
  readonly dialogs: AskDialogs;
  /** Where the program is: on its screen, behind the viewer, or in the background. */
  place: "screen" | "viewer" | "background" = "screen";
  shown: Shown | undefined;
  status = "ready";
  widget: readonly string[] = [];
  private size: Size;
  private scrolled = 0;
  private viewer: FullScreen | undefined;
  private readonly composer: ComponentHost;
  private readonly ports: ProgramPorts;

  constructor(ports: ProgramPorts) {
    const { apply, clock, size, profile } = ports;
    this.ports = ports;
    this.size = size;
    this.screen = new InlineScreen({ apply, clock, size, profile, onViolation: "throw" });
    this.screen.setView((asked) => this.view(asked));
    this.conversation = new Conversation((lines) => this.settle(lines));
    this.dialogs = new AskDialogs(this.screen, clock);
    const tui = hostTui({ size: () => this.size, onRenderWanted: () => this.screen.requestFrame("soon") });
    const editor = new Editor(tui, PLAIN_EDITOR);
    editor.onSubmit = (text) => this.settle(safeLines(text).map((line) => `› ${line}`));
    this.composer = new ComponentHost(editor);
    this.composer.focus = "focused";
  }

  get textCells(): number {
    return this.size.columns - 1;
  }

  settle(lines: readonly string[]): void {
    this.ports.ledger.settled(lines);
    this.screen.settle(lines);
  }

  /** Keys reach the program only while it has the terminal. */
  key(sequence: string): void {
    if (this.place !== "screen") return;
    if (this.dialogs.key(sequence) === "free") this.composer.key(sequence);
    this.screen.requestFrame("now");
  }

  resize(size: Size): void {
    this.size = size;
    this.screen.resize(size);
    this.viewer?.resize(size);
  }

  roomAgain(): void {
    if (this.place === "viewer") this.viewer?.drained();
    this.screen.drained();
  }

  openViewer(): void {
    if (this.place !== "screen") return;
    this.screen.hold();
    this.viewer = new FullScreen(this.ports.apply, this.size, ({ rows }) => this.page(rows));
    this.viewer.open();
    this.place = "viewer";
  }

  scrollViewer(): void {
    this.scrolled += 1;
    this.viewer?.draw();
  }

  closeViewer(): void {
    if (this.place !== "viewer") return;
    this.viewer?.close();
    this.viewer = undefined;
    this.place = "screen";
    this.screen.release();
  }

  suspend(): void {
    if (this.place !== "screen") return;
    this.screen.suspend();
    this.place = "background";
  }

  resume(): void {
    if (this.place !== "background") return;
    this.place = "screen";
    this.screen.resume();
  }

  close(): void {
    this.viewer?.close();
    this.screen.close();
    this.place = "background";
  }

  private page(rows: number): Frame {
    const text = (row: number) =>
      `page ${this.scrolled + row} ${"of the transcript ".repeat((this.scrolled + row) % 7)}`;
    return { rows: Array.from({ length: rows }, (_, row) => text(row)), cursor: null };
  }

  private view(size: Size): Frame & { transcriptRows: number } {
    this.ports.ledger.frameBegins();
    this.ports.onFrame();
    const said = this.conversation.rows(size.columns - 1);
    const above = [...said, ...this.widget, ...this.dialogs.rowsForFrame(size.columns - 1)];
    const typed = this.composer.frame(Math.max(1, size.columns - 3));
    const rows = [
      ...above,
      ...typed.rows.map((row, index) => (index === 0 ? `› ${row}` : `  ${row}`)),
      `  ${this.status}`,
    ];
    const cursor = typed.cursor === null || this.dialogs.phase === "active" ? null : typed.cursor;
    const at = cursor === null ? null : { row: above.length + cursor.row, column: cursor.column + 2 };
    const frame = lastRows({ rows, cursor: at }, this.ports.liveRowsMax());
    this.shown = { frame, size };
    return { ...frame, transcriptRows: Math.max(0, said.length - (rows.length - frame.rows.length)) };
  }
}

// Before the news of a lower window has reached it, no program can know that its live area is too tall: what it then
// draws above the top edge is in the scrollback for good. The simulation leaves that case out.
export function lastRows({ rows, cursor }: Frame, rowsMax: number): Frame {
  const cut = Math.max(0, rows.length - rowsMax);
  if (cut === 0) return { rows, cursor };
  const isCut = cursor === null || cursor.row < cut;
  return { rows: rows.slice(cut), cursor: isCut ? null : { row: cursor.row - cut, column: cursor.column } };
}
