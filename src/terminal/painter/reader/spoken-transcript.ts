// Turns the changes of a transcript into utterances, in order of completion. Nothing is repeated; a block that
// continues after another names its speaker again. Prose is spoken by whole paragraphs, items and headings; code is
// announced and read line by line.
import type { Block, BlockChange } from "../../../session/transcript/block.js";
import { plainText } from "../../../text/row.js";
import { createMarkdownStream, type MarkdownStream } from "../markdown/markdown-stream.js";
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

const FENCE = /^\s*(?:[-*+>]\s+)*(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;

export class SpokenProse {
  private readonly stream: MarkdownStream = createMarkdownStream({ style: UNPAINTED, wrap: "terminal" });
  private unfinished = "";
  private fence: string | null = null;
  private isCodeBegun = false;
  private readonly lines: string[] = [];

  append(delta: string): void {
    const text = this.unfinished + delta;
    const end = text.lastIndexOf("\n") + 1;
    this.unfinished = text.slice(end);
    if (end === 0) return;
    for (const line of text.slice(0, end - 1).split("\n")) this.takeLine(`${line}\n`);
  }

  finish(): void {
    if (this.unfinished !== "") this.takeLine(this.unfinished);
    this.unfinished = "";
    this.stream.finish();
    this.collect();
    if (this.fence !== null) this.endCode();
  }

  take(): string[] {
    return this.lines.splice(0);
  }

  private takeLine(line: string): void {
    this.stream.append(line);
    this.collect();
    const mark = FENCE.exec(line.trimEnd());
    if (mark === null) return;
    const [, marks = "", language = ""] = mark;
    if (this.fence === null) {
      this.fence = marks;
      this.isCodeBegun = false;
      this.lines.push(language === "" ? "Code." : `Code, ${language}.`);
    } else if (language === "" && marks.startsWith(this.fence)) {
      this.endCode();
    }
  }

  private endCode(): void {
    this.fence = null;
    this.isCodeBegun = false;
    this.lines.push("End of code.");
  }

  // Empty rows are spoken only in code.
  private collect(): void {
    for (const row of this.stream.takeSettled(ANY_WIDTH_CELLS)) {
      const words = plainText(row).trimEnd();
      if (words === "" && !this.isCodeBegun) continue;
      this.isCodeBegun = this.fence !== null;
      this.lines.push(words);
    }
  }
}
