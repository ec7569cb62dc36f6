// The reader in front of an emulator: what is said is what the terminal shows, as text.
import { asciiGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import type { AppLook } from "../../../src/views/inline/app-look.js";
import { ReaderApp, type ReaderOptions } from "../../../src/views/reader/reader-app.js";
import { colourless } from "../../terminal/painter/visible.js";
import { TalkStage } from "../talk-stage.js";

export { BACKSPACE, CTRL_C, DOWN, ENTER, ESCAPE, UP } from "../talk-stage.js";

export class ReaderStage extends TalkStage {
  readonly app: ReaderApp;
  readonly look: AppLook = {
    style: colourless,
    glyphs: asciiGlyphs,
    wrap: "words",
    thinking: "shown",
    motion: "full",
    outputLinesMax: 2,
  };

  constructor(options: Partial<ReaderOptions> = {}) {
    super(options.columns ?? 120, 30);
    const own = { columns: 120, clipboard: "osc52", bell: "off" } as const;
    this.app = new ReaderApp({ ...this.options(this.look), ...own, ...options }, this.ports());
    this.linkChanged("opened", []);
  }

  /** No one presses two keys at once. */
  override type(...sequences: string[]): void {
    for (const [index, sequence] of sequences.entries()) {
      if (index > 0) this.clock.advance(40);
      super.type(sequence);
    }
  }

  /** All that one write brings. */
  paste(...sequences: string[]): void {
    super.type(...sequences);
  }

  /** All of it, from the beginning. */
  async all(): Promise<string[]> {
    await this.catchUp();
    const lines = this.emulator.lines().map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }
}
