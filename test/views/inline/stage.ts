// The whole terminal UI on an emulator: the production app on the inline screen, or on the full one.
import type { Situation } from "../../../src/session/attention.js";
import type { SavedSessions } from "../../../src/session/saved-session.js";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { InlineScreen } from "../../../src/terminal/painter/inline-screen.js";
import type { ImageQueue } from "../../../src/terminal/pictures/image-queue.js";
import type { AppLook } from "../../../src/views/inline/app-look.js";
import { ScreenRenderer } from "../../../src/views/inline/screen-renderer.js";
import { TerminalSurface } from "../../../src/views/inline/terminal-surface.js";
import { XTERM_JS } from "../../terminal/painter/rig.js";
import { colourless } from "../../terminal/painter/visible.js";
import { TalkStage } from "../talk-stage.js";

export { CTRL_C, DOWN, ENTER, ESCAPE } from "../talk-stage.js";

export interface StageOptions {
  readonly pictures?: ImageQueue | null;
  readonly screen?: "inline" | "full";
  readonly unsent?: string | null;
  readonly saved?: SavedSessions;
}

export class Stage extends TalkStage {
  readonly renderer: ScreenRenderer;
  readonly situations: Situation[] = [];
  readonly look: AppLook = {
    style: colourless,
    glyphs: unicodeGlyphs,
    wrap: "words",
    thinking: "shown",
    motion: "full",
    outputLinesMax: 5,
  };

  constructor(
    columns = 60,
    rows = 20,
    { pictures = null, screen = "inline", unsent = null, saved }: StageOptions = {},
  ) {
    super(columns, rows);
    this.unsent = unsent;
    this.saved = saved;
    const inline = new InlineScreen({
      apply: (bytes) => this.write(pictures?.placed(bytes) ?? bytes),
      clock: this.clock,
      size: { columns, rows },
      profile: XTERM_JS,
      onViolation: "throw",
    });
    const { clock, look, write } = this;
    const surface = new TerminalSurface({ inline, apply: write, clock, look });
    surface.setMode(screen);
    this.renderer = new ScreenRenderer(this.options(look), {
      ...this.ports(),
      surface,
      pictures,
      attention: { update: (situation) => this.situations.push(situation) },
    });
    this.renderer.draw("now");
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.read();
    this.emulator.resize(columns, rows);
    this.renderer.resize({ columns, rows });
  }

  async read(): Promise<string[]> {
    await this.catchUp();
    return this.emulator.viewport();
  }

  /** The screen without trailing blanks and empty rows at its end. */
  async screen(): Promise<string> {
    return (await this.read())
      .map((row) => row.trimEnd())
      .join("\n")
      .trimEnd();
  }
}
