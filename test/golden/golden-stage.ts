// The stage on which golden scenes are played: the whole app on an emulator, in colour, with an agent, a history, files and
// settings that are the same on every machine.
import { asciiGlyphs } from "../../src/terminal/painter/blocks/glyphs.js";
import { createStyle } from "../../src/terminal/painter/style/style.js";
import type { AppLook } from "../../src/views/inline/app-look.js";
import type { Setting } from "../../src/views/inline/slash-runner.js";
import type { AppOptions, AppPorts } from "../../src/views/inline/terminal-app.js";
import { Stage } from "../views/inline/stage.js";
import type { Scene, SceneSize } from "./scene.js";

const HISTORY: readonly string[] = ["explain the parser", "write the changelog\nfor 1.4", "fix the failing test"];
const FILES: readonly string[] = [
  "README.md",
  "docs/parser.md",
  "src/join.ts",
  "src/parser.ts",
  "test/parser.test.ts",
  "a page.md",
];
const SETTINGS: readonly Setting[] = [
  { key: "theme", value: "ember", words: "the colours", values: ["harbour", "ember", "paper"] },
  { key: "thinking", value: "shown", words: "what becomes of the agent's thinking", values: ["shown", "hidden"] },
  { key: "output_lines", value: "5", words: "how many lines of a tool's output are shown", values: [] },
];
/** Looks, from one to the next, until something that takes real time must have come. */
const LOOKS_MAX = 2_000;

export class GoldenStage extends Stage {
  constructor({ columns, rows }: SceneSize, { screen = "inline", glyphs, colours, look = {} }: Scene) {
    super(columns, rows, { screen });
    const style = createStyle({ theme: "harbour", depth: colours ?? "truecolor" });
    Object.assign(this.look, { style, ...(glyphs === "ascii" ? { glyphs: asciiGlyphs } : {}), ...look });
    this.app.restyle();
  }

  /** Some time later; nothing but the spinner happened meanwhile. */
  later(ms: number): void {
    this.clock.advance(ms - 200);
    this.wait(200);
  }

  /** Waits for what is made beside the clock of the stage: a list of completions, the output of a program. */
  async until(words: string): Promise<void> {
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      this.wait(40);
      if ((await this.screen()).includes(words)) return;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error(`"${words}" never came:\n${await this.screen()}`);
  }

  /** The same for a program whose time is shown: the clock of the stage moves only when it has said something. */
  async untilSaid(words: string): Promise<void> {
    let seen: unknown = null;
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const { state } = this.engine;
      if (state === seen) continue;
      seen = state;
      this.wait(40);
      if ((await this.screen()).includes(words)) return;
    }
    throw new Error(`"${words}" never came:\n${await this.screen()}`);
  }

  protected override options(look: AppLook): AppOptions {
    const history = { load: () => [...HISTORY], append: (text: string) => this.remembered.push(text) };
    return { ...super.options(look), agent: "claude", history, files: () => Promise.resolve(FILES) };
  }

  protected override ports(): Omit<AppPorts, "face" | "attention"> {
    return { ...super.ports(), settings: () => SETTINGS };
  }
}
