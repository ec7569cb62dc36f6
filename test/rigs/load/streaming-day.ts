// A day of streaming in minutes: the production app on the production screen, with a clock that is moved and a terminal that
// only counts. An agent talks and works from midnight to midnight; what an hour of it costs is told hour by hour.
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { SessionEngine } from "../../../src/session/engine/source.js";
import { createKeymap } from "../../../src/session/keymap.js";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { InlineScreen } from "../../../src/terminal/painter/inline-screen.js";
import { profileFor } from "../../../src/terminal/painter/profile.js";
import { createStyle } from "../../../src/terminal/painter/style/style.js";
import { ScreenRenderer } from "../../../src/views/inline/screen-renderer.js";
import { TerminalSurface } from "../../../src/views/inline/terminal-surface.js";
import { ManualClock } from "../simulator/manual-clock.js";

/** Ten pieces of text a second, as a model sends them. */
const PIECE_MS = 100;
const PIECES_PER_MINUTE = 60_000 / PIECE_MS;
const PIECES_PER_MESSAGE = 300;
const WORDS = "the parser reads a file and then reports what it found before the next test runs again".split(" ");

interface Written {
  readonly bytes: number;
  readonly frames: number;
}

export class StreamingDay {
  private readonly clock = new ManualClock();
  private readonly screen: InlineScreen;
  private readonly engine: SessionEngine;
  private bytes = 0;
  private piece = 0;
  private said = "";

  constructor() {
    const { clock } = this;
    const write = (bytes: string): "drained" => {
      this.bytes += bytes.length;
      return "drained";
    };
    this.screen = new InlineScreen({
      apply: write,
      clock,
      size: { columns: 100, rows: 30 },
      profile: profileFor({}, {}),
      onViolation: "throw",
    });
    const look = {
      style: createStyle({ theme: "harbour", depth: "truecolor" }),
      glyphs: unicodeGlyphs,
      wrap: "words",
      thinking: "shown",
      motion: "full",
      outputLinesMax: 5,
    } as const;
    const nothing = () => undefined;
    this.engine = new SessionEngine({ clock, send: nothing, respond: () => "delivered" });
    new ScreenRenderer(
      {
        agent: "agent",
        folder: "/",
        look,
        keymap: createKeymap({}).keymap,
        history: { load: () => [], append: nothing },
        draft: { recover: () => null, changed: nothing, end: () => Promise.resolve() },
        shell: "sh",
        typingGuardMs: 800,
      },
      {
        clock,
        terminal: { write },
        surface: new TerminalSurface({ inline: this.screen, apply: write, clock, look }),
        attention: { update: nothing },
        source: this.engine,
        leave: nothing,
        restart: nothing,
        edit: async (text) => ({ text }),
        exportTranscript: async () => "",
        settings: () => [],
        change: () => null,
      },
    );
    this.hear({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
    this.hear({ type: "prompt.started", sessionId: null });
  }

  /** Time passes; gives what was written in it. */
  minutes(count: number): Written {
    const before = { bytes: this.bytes, frames: this.screen.stats.frames };
    for (let piece = 0; piece < count * PIECES_PER_MINUTE; piece += 1) this.next();
    return { bytes: this.bytes - before.bytes, frames: this.screen.stats.frames - before.frames };
  }

  private next(): void {
    const at = this.piece % PIECES_PER_MESSAGE;
    if (at === 0) this.said = "";
    if (at === 0) this.hear({ type: "message.started", sessionId: null, message: { role: "assistant", content: [] } });
    const word = WORDS[this.piece % WORDS.length] ?? "";
    const delta = at % 40 === 39 ? `${word}.\n\n` : `${word} `;
    this.said += delta;
    this.hear({ type: "message.grew", sessionId: null, index: 0, kind: "text", delta });
    if (at === PIECES_PER_MESSAGE - 1) this.work();
    this.piece += 1;
    this.clock.advance(PIECE_MS);
  }

  private work(): void {
    const toolCallId = `call-${this.piece}`;
    const content = [{ type: "text" as const, text: this.said }];
    this.hear({ type: "message.finished", sessionId: null, message: { role: "assistant", content } });
    this.hear({ type: "tool.started", sessionId: null, toolCallId, name: "bash", args: { command: "npm test" } });
    this.hear({
      type: "tool.finished",
      sessionId: null,
      toolCallId,
      name: "bash",
      output: "212 passed",
      isError: false,
    });
  }

  private hear(event: SessionEvent): void {
    this.engine.take({ type: "event", event });
  }
}
