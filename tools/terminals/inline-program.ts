// The session through the product: the inline screen, the owned terminal with its questions to it, and a hosted editor.
// Only what the agent and the user do is played.

import { Editor, type EditorTheme } from "@earendil-works/pi-tui";
import { ComponentHost, hostTui } from "../../src/terminal/component-host.js";
import { KeyStream } from "../../src/terminal/device/key-stream.js";
import { OwnedTerminal } from "../../src/terminal/device/owned-terminal.js";
import type { Frame, Size } from "../../src/terminal/painter/frame.js";
import { InlineScreen, type ScreenClock } from "../../src/terminal/painter/inline-screen.js";
import { StreamTail } from "../../src/terminal/painter/stream-tail.js";
import { disguised, LIVE_BAR } from "./live-disguise.js";
import type { Program, ProgramPorts } from "./program.js";
import type { Moment } from "./session-script.js";

const clock: ScreenClock = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

const same = (text: string): string => text;
const theme: EditorTheme = {
  borderColor: same,
  selectList: { selectedPrefix: same, selectedText: same, description: same, scrollInfo: same, noMatch: same },
};

const SPINNER: readonly string[] = Array.from("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏");
/** A long line shows its end while it grows; all of it comes when it is finished. */
const TAIL_ROWS_MAX = 4;
const PIECES_PER_SPIN = 16;
const DIM = "\x1b[2m";
const PLAIN = "\x1b[m";
const CYAN = "\x1b[36m";

export class InlineProgram implements Program {
  private readonly terminal: OwnedTerminal;
  private readonly screen: InlineScreen;
  private readonly editor: ComponentHost;
  private readonly tail = new StreamTail();
  private readonly liveText: "disguised" | "shown";
  private overlayRows = 0;
  private isWorking = false;
  private pieces = 0;
  profileName = "unknown";

  constructor(ports: ProgramPorts, liveText: "disguised" | "shown") {
    this.liveText = liveText;
    const { stdin: input, stdout, env: environment } = process;
    const output = {
      get columns() {
        return stdout.columns;
      },
      get rows() {
        return stdout.rows;
      },
      _refreshSize: () => (stdout as typeof stdout & { _refreshSize?: () => void })._refreshSize?.(),
      write: (bytes: string) => ports.write(bytes),
      on: (event: "resize" | "drain", listener: () => void) => stdout.on(event, listener),
      off: (event: "resize" | "drain", listener: () => void) => stdout.off(event, listener),
    };
    this.terminal = new OwnedTerminal(
      { input, output, environment, timers: clock, windowEvents: process },
      {
        onKeyboard: () => undefined,
        onResize: (size) => {
          ports.onResize(size);
          this.screen.resize(size);
        },
        onProfile: (profile) => {
          this.profileName = profile.name;
          this.screen.setProfile(profile);
          this.screen.requestFrame("now");
        },
        onCursorColumn: (column) => this.screen.cursorSeen(column),
        onDrained: () => this.screen.drained(),
        onInputClosed: () => this.screen.close(),
      },
    );
    this.screen = new InlineScreen({
      apply: (bytes) => this.terminal.write(bytes),
      measure: () => this.terminal.measure(),
      clock,
      size: this.terminal.size,
      profile: this.terminal.firstProfile,
      onViolation: "throw",
    });
    const tui = hostTui({ size: () => this.terminal.size, onRenderWanted: () => this.screen.requestFrame("soon") });
    this.editor = new ComponentHost(new Editor(tui, theme));
    this.editor.focus = "focused";
  }

  get frames(): number {
    return this.screen.stats.frames;
  }

  async start(): Promise<void> {
    this.screen.setView((size) => this.view(size));
    this.terminal.start();
    this.screen.flush();
    const keys = new KeyStream((sequence) => this.type(sequence));
    this.terminal.onInput((chunk) => keys.read(chunk));
    await this.terminal.whenAnswered();
  }

  stream(piece: string): void {
    this.pieces += 1;
    this.screen.settle(this.tail.append(piece));
    this.screen.requestFrame("soon");
  }

  moment(moment: Moment): void {
    switch (moment.type) {
      case "overlay":
        this.overlayRows = moment.rows;
        this.screen.requestFrame("now");
        break;
      case "working":
        this.isWorking = moment.state === "begins";
        this.screen.requestFrame("soon");
        break;
      case "key":
        this.type(moment.key);
        break;
      case "clear":
        this.screen.clear();
        this.screen.requestFrame("now");
        break;
    }
  }

  end(): void {
    this.screen.settle(this.tail.finish());
    this.screen.close();
    this.terminal.stop();
  }

  private type(key: string): void {
    this.editor.key(key);
    this.screen.requestFrame("now");
  }

  /**
   *     ▌ the line that is being streamed, wrapped
   *       where it does not fit
   *
   *       ⠹ run npm test  12 s · esc stop
   *
   *     ▌ an overlay
   *     › the composer
   *       status
   */
  private view({ columns }: Size): Frame & { transcriptRows: number } {
    const tail = this.tail
      .rows(columns - 3)
      .slice(-TAIL_ROWS_MAX)
      .map((row, index) => (index === 0 ? `${LIVE_BAR} ${row}` : `  ${row}`));
    const composer = this.editor.frame(columns - 3);
    const typed = composer.rows.map((row, index) => (index === 0 ? `› ${row}` : `  ${row}`));
    const above = [...tail, ...this.working(), ...this.overlay()];
    const rows = [
      ...above,
      ...typed,
      `${DIM}  claude · main · ${(12.4 + Math.floor(this.pieces / 50) / 10).toFixed(1)} k tok · $0.08${PLAIN}`,
    ];
    const { cursor } = composer;
    return {
      rows: this.liveText === "disguised" ? rows.map(disguised) : rows,
      cursor: cursor && { row: above.length + cursor.row, column: cursor.column + 2 },
      transcriptRows: tail.length,
    };
  }

  private working(): string[] {
    if (!this.isWorking) return [];
    const spins = Math.floor(this.pieces / PIECES_PER_SPIN);
    const spinner = SPINNER[spins % SPINNER.length] ?? "";
    return ["", `  ${CYAN}${spinner}${PLAIN} run npm test  ${Math.floor(spins / 10)} s ${DIM}· esc stop${PLAIN}`, ""];
  }

  private overlay(): string[] {
    return Array.from({ length: this.overlayRows }, (_, index) =>
      index === 0
        ? `${LIVE_BAR} Which package manager should the new project use?    from tool setup`
        : `${LIVE_BAR} ${index === 2 ? "❯" : " "} ${index}  option number ${index}${" and its description".repeat(index % 3)}`,
    );
  }
}
