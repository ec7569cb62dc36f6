// Palaver behind the bench harness: the production screen, terminal port and component host, as `palaver` itself uses them.
// PALAVER_DIST names another build than ../dist.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const meta = { name: "palaver", runtime: "node20", flags: [], markdown: true };

const dist = process.env.PALAVER_DIST ?? join(import.meta.dirname, "..", "dist");
const load = (name) => import(pathToFileURL(join(dist, name)).href);
// The first frame needs the screen and the terminal; editor and keys are loaded while the user looks at it.
const [{ InlineScreen, StreamTail }, { OwnedTerminal, makeRuntimeModest }] = await Promise.all([
  load("screen.js"),
  load("terminal.js"),
]);
makeRuntimeModest();

const STATUS = "  §STATUS§ model-x · 12.3k tok · ctrl+c to quit";
const OVERLAY = ["▌ §OVERLAY§ yes", "▌   no", "▌   always", "▌   never"];
const EMPTY_COMPOSER = { rows: [""], cursor: { row: 0, column: 0 } };
const same = (text) => text;
const theme = {
  borderColor: same,
  selectList: { selectedPrefix: same, selectedText: same, description: same, scrollInfo: same, noMatch: same },
};
const clock = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Markdown with the face of plain text: append(token) → settled lines, rows(columns), finish() → settled lines. */
class MarkdownTail {
  constructor({ createMarkdownStream, createStyle }, columns) {
    const style = createStyle({ theme: "harbour", depth: "256" });
    this.stream = createMarkdownStream({ style, wrap: "words" });
    this.columns = columns;
  }

  append(token) {
    this.stream.append(token);
    return this.stream.takeSettled(this.columns());
  }

  finish() {
    this.stream.finish();
    return this.stream.takeSettled(this.columns());
  }

  rows(columns) {
    return this.stream.liveRows(columns);
  }
}

class Chat {
  overlay = [];
  editor;
  protocol = "legacy";

  message = new StreamTail();

  constructor(variant) {
    this.variant = variant;
    this.terminal = new OwnedTerminal(
      { input: process.stdin, output: process.stdout, environment: process.env, timers: clock },
      {
        onKeyboard: (protocol) => {
          this.protocol = protocol;
        },
        onResize: (size) => this.screen.resize(size),
        onProfile: (profile) => {
          this.screen.setProfile(profile);
          this.screen.requestFrame("now");
        },
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
    this.screen.setView((size) => this.view(size));
  }

  async openEditor() {
    const { ComponentHost, Editor, KeyStream, hostTui } = await load("tui.js");
    if (this.variant === "md")
      this.message = new MarkdownTail(await load("markdown.js"), () => this.terminal.size.columns);
    const tui = hostTui({ size: () => this.terminal.size, onRenderWanted: () => this.screen.requestFrame("soon") });
    this.editor = new ComponentHost(new Editor(tui, theme));
    this.editor.focus = "focused";
    const keys = new KeyStream((sequence) => {
      this.editor.key(sequence);
      this.screen.requestFrame("now");
    });
    keys.protocol = this.protocol;
    this.terminal.onInput((chunk) => keys.read(chunk));
    this.screen.requestFrame("now");
  }

  // As in the product, a dialog stands where the composer stood.
  view({ columns }) {
    const tail = this.message.rows(columns - 1);
    const { rows, cursor } = this.overlay.length > 0 ? { rows: this.overlay, cursor: null } : this.composer(columns);
    return {
      rows: [...tail, ...rows, STATUS],
      cursor: cursor && { row: tail.length + cursor.row, column: cursor.column },
      transcriptRows: tail.length,
    };
  }

  composer(columns) {
    const { rows, cursor } = this.editor?.frame(columns - 3) ?? EMPTY_COMPOSER;
    return {
      rows: rows.map((row, index) => (index === 0 ? `> ${row}` : `  ${row}`)),
      cursor: cursor && { row: cursor.row, column: cursor.column + 2 },
    };
  }
}

export async function create({ variant }) {
  const chat = new Chat(variant);
  const { screen, terminal } = chat;
  return {
    caps: { chrome: { status: 1, borders: 0 } },
    async start() {
      terminal.start();
      screen.flush();
      await chat.openEditor();
    },
    commit: (lines) => screen.settle(lines),
    append: (token) => screen.settle(chat.message.append(token)),
    finishLive: () => screen.settle(chat.message.finish()),
    request: () => screen.requestFrame("soon"),
    flush: () => screen.requestFrame("now"),
    openOverlay() {
      chat.overlay = OVERLAY;
    },
    closeOverlay() {
      chat.overlay = [];
    },
    stop() {
      screen.close();
      terminal.stop();
    },
  };
}
