// Follows a transcript by its changes and says what happens, in the order in which it is complete. Nothing is ever taken
// back or said twice; a block that speaks again after another has spoken says once more who it is.
import type { Block, BlockChange } from "../../../session/transcript/block.js";
import { spokenBlock, wholeSpeech } from "./block-speech.js";
import { SpokenProse } from "./spoken-prose.js";

export interface SpokenOptions {
  /** Read for every block, so that a change of the settings counts from the next one on. */
  outputLinesMax(): number;
  /** "collapsed" says in one line that there was thinking, and /open reads it. */
  thinking(): "shown" | "hidden" | "collapsed";
}

interface Voice {
  readonly kind: "prose" | "thinking";
  prose: SpokenProse;
  hasSpoken: boolean;
  label: string;
}

const LABELS = { prose: "Agent", thinking: "Thinking" } as const;

export class SpokenTranscript {
  private readonly options: SpokenOptions;
  private readonly voices = new Map<string, Voice>();
  private readonly lines: string[] = [];
  private lastSpeaker: string | null = null;
  private cut: Block | null = null;

  constructor(options: SpokenOptions) {
    this.options = options;
  }

  /** The last block of which only a part was said. */
  get lastCut(): Block | null {
    return this.cut;
  }

  follow(change: BlockChange): void {
    switch (change.type) {
      case "opened":
        this.open(change.block);
        return;
      case "grew": {
        const voice = this.voices.get(change.id);
        voice?.prose.append(change.delta);
        if (voice !== undefined) this.say(change.id, voice);
        return;
      }
      case "replaced":
        this.replace(change.block);
        return;
      case "closed":
        this.close(change.block);
    }
  }

  /** What has to be said, each line once. */
  take(): string[] {
    return this.lines.splice(0);
  }

  private open(block: Block): void {
    if (block.kind !== "prose" && block.kind !== "thinking") return;
    const voice: Voice = { kind: block.kind, prose: new SpokenProse(), hasSpoken: false, label: LABELS[block.kind] };
    this.voices.set(block.id, voice);
    voice.prose.append(block.text);
    this.say(block.id, voice);
  }

  // What was said cannot be taken back, so that the new text is said as what it is.
  private replace(block: Block): void {
    const voice = this.voices.get(block.id);
    if (voice === undefined || !("text" in block)) return;
    if (voice.hasSpoken) {
      voice.label = `${LABELS[voice.kind]}, corrected`;
      this.lastSpeaker = null;
    }
    voice.prose = new SpokenProse();
    voice.prose.append(block.text);
    this.say(block.id, voice);
  }

  private close(block: Block): void {
    const voice = this.voices.get(block.id);
    if (voice !== undefined) {
      voice.prose.finish();
      this.say(block.id, voice);
      this.voices.delete(block.id);
      if (this.isCollapsed(voice)) this.collapse(block);
    } else if (block.kind !== "prose" && block.kind !== "thinking") {
      const { lines, isCut } = spokenBlock(block, this.options.outputLinesMax());
      if (isCut) this.cut = block;
      for (const line of lines) this.lines.push(line);
      this.lastSpeaker = null;
    }
  }

  private isCollapsed({ kind }: Voice): boolean {
    return kind === "thinking" && this.options.thinking() === "collapsed";
  }

  private collapse(block: Block): void {
    const count = wholeSpeech(block).length;
    if (count === 0) return;
    this.lines.push(
      `Thinking, ${count} ${count === 1 ? "line" : "lines"}; /open reads ${count === 1 ? "it" : "them"}.`,
    );
    this.cut = block;
    this.lastSpeaker = null;
  }

  private say(id: string, voice: Voice): void {
    const lines = voice.prose.take();
    if (lines.length === 0 || (voice.kind === "thinking" && this.options.thinking() !== "shown")) return;
    lines.forEach((line, index) => {
      this.lines.push(index === 0 && this.lastSpeaker !== id ? `${voice.label}: ${line}` : line);
    });
    voice.hasSpoken = true;
    this.lastSpeaker = id;
  }
}
