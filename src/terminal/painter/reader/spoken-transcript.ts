// Turns the changes of a transcript into utterances, in order of completion. Nothing is repeated; a block that
// continues after another names its speaker again. Prose is spoken by whole paragraphs, items and headings; code is
// announced and read line by line.
import type { Block, BlockChange } from "../../../session/transcript/block.js";
import type { Language } from "../../../text/code/languages.js";
import { plainText } from "../../../text/row.js";
import { safeLine } from "../../../text/safe.js";
import { MarkdownStream } from "../markdown/markdown-stream.js";
import { CodeBlock, RowBlocks } from "../markdown/row-blocks.js";
import type { Style } from "../style/style.js";
import { spokenBlock, wholeSpeech } from "./block-speech.js";

interface SpokenOptions {
  /** Read for every block, because settings can change. */
  outputLinesMax(): number;
  /** "collapsed" announces thinking, and /open reads it. */
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

  /** The last block that was cut. */
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

  // Spoken text cannot be taken back: the new text is announced as such.
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

const UNPAINTED: Style = { depth: "none", changes: "coloured", paint: (_, text) => text };
const ANY_WIDTH_CELLS = 1_000;

export class SpokenProse {
  private readonly stream = new MarkdownStream(new SpokenBlocks({ style: UNPAINTED, wrap: "terminal" }));

  append(delta: string): void {
    this.stream.append(delta);
  }

  finish(): void {
    this.stream.finish();
  }

  /** Gaps are not spoken. */
  take(): string[] {
    const rows = this.stream.takeSettled(ANY_WIDTH_CELLS).filter((row) => row !== "");
    return rows.map((row) => plainText(row).trimEnd());
  }
}

class SpokenBlocks extends RowBlocks {
  override code(language: Language | undefined, info?: string): CodeBlock {
    return info === undefined ? super.code(language) : new SpokenCode(/^[\w+#.-]*/.exec(info)?.[0] ?? "");
  }
}

/** An empty line of code, which is not a gap. */
const EMPTY_LINE = " ";

/** Code behind a fence says where it begins and ends. */
class SpokenCode extends CodeBlock {
  private readonly rows: string[];
  private hasBegun = false;

  constructor(language: string) {
    super({ take: safeLine, peek: safeLine });
    this.rows = [language === "" ? "Code." : `Code, ${language}.`];
  }

  override finish(): void {
    this.rows.push(...this.lines(), "End of code.");
  }

  override take(): string[] {
    return [...this.rows.splice(0), ...this.lines()];
  }

  private lines(): string[] {
    return super.take().flatMap((line) => {
      this.hasBegun ||= line !== "";
      return line === "" ? (this.hasBegun ? [EMPTY_LINE] : []) : [line];
    });
  }
}
