// Keys with an action other than typing: stop, read, open an editor. If an action has nothing to do, its key goes to the
// composer.
import type { KeyAction } from "../../session/keymap.js";
import type { ToolBlock } from "../../session/transcript/block.js";
import { hasLineCount, isReading } from "../../session/transcript/tool-words.js";
import { documentOf, growingDocument } from "../../terminal/painter/viewer/transcript-document.js";
import type { App } from "./app.js";
import type { Composer } from "./composer.js";
import type { Overlays } from "./overlays.js";
import type { Surface } from "./surface.js";

export interface KeyActionParts {
  readonly app: App;
  readonly composer: Composer;
  readonly overlays: Overlays;
  readonly screen: Surface;
  /** Whether a question is open. */
  isAsking(): boolean;
}

export class KeyActions {
  private readonly parts: KeyActionParts;

  constructor(parts: KeyActionParts) {
    this.parts = parts;
  }

  /** Keys with a meaning of their own; false when the key is the composer's. */
  act(action: KeyAction | null): boolean {
    if (action === null) return false;
    const own = this.actions[action];
    return own === undefined ? this.parts.app.act(action) : own();
  }

  private readonly actions: Readonly<Partial<Record<KeyAction, () => boolean>>> = {
    cancel: () => done(this.ctrlC()),
    "open-viewer": () => done(this.openTranscript()),
    leave: () => this.parts.composer.text === "" && done(this.parts.app.ports.leave()),
    abort: () => {
      const { composer, app } = this.parts;
      return !composer.isCompleting && !composer.takesEscape && app.stopWork();
    },
    redraw: () => done(this.parts.screen.resize(this.parts.screen.size)),
    "external-editor": () => done(this.editDraft()),
    "next-mode": () => this.parts.app.nextMode() !== null,
    "open-whole": () => done(this.openLastOutput()),
  };

  private editDraft(): void {
    const { app, composer } = this.parts;
    // The agent may take its suggestion away meanwhile: the text stays what it was when the editor opened.
    const { text: before, as } = composer.written;
    void app.edit(before, (text) => {
      if (text !== null) composer.draft = { text, as };
    });
  }

  private openTranscript(): void {
    const { app, screen, overlays } = this.parts;
    const { source, clock } = app.ports;
    const shown = app.active;
    const journal = () => (source.state.sessions.find(({ key }) => key === shown.key) ?? shown).journal;
    const document = growingDocument(journal, screen.size.columns - 1, app.options.look);
    const first = document();
    const isAsking = () => this.parts.isAsking();
    if (first !== null) overlays.read(first, { at: "end", follow: { clock, document, isAsking } });
  }

  private openLastOutput(): void {
    const { app, screen, overlays } = this.parts;
    const tools = app.active.journal.blocks.filter((block) => block.kind === "tool").filter(hasLineCount);
    const { outputLinesMax } = app.options.look;
    const isFolded = ({ output }: ToolBlock) => output.split("\n", outputLinesMax + 1).length > outputLinesMax;
    const tool = tools.findLast((block) => isReading(block) || isFolded(block)) ?? tools.at(-1);
    if (tool === undefined) app.notice("info", "no tool output yet");
    else {
      const journal = { blocks: [tool], units: 0, dropped: 0 };
      overlays.read(documentOf(journal, screen.size.columns - 1, app.options.look), { at: "start" });
    }
  }

  private ctrlC(): void {
    const { app, composer } = this.parts;
    const clear = () => {
      if (composer.text === "") return false;
      composer.text = "";
      return true;
    };
    app.interrupt(clear, "press ctrl+c again to quit");
  }
}

function done(_: unknown): true {
  return true;
}
