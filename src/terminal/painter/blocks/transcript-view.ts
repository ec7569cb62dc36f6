// Turns the changes of a transcript into lines for the scrollback and rows for the live area. Lines leave strictly in
// order: a block settles after all before it; prose settles from its beginning while it is written.
//
//   settled →   › fix the failing test
//
//               I'll look at the test first.
//
//   live    →   The separator lost its space; I am add
//                 ⠹ bash npm test  12 s · 1,204 lines
import type { Block, BlockChange, ToolBlock } from "../../../session/transcript/block.js";
import { isUsers, withInnerPaths } from "../../../session/transcript/tool-words.js";
import { humanCount } from "../../../text/humanize.js";
import { PacedProse } from "../markdown/markdown-stream.js";
import { RowBlocks } from "../markdown/row-blocks.js";
import { type BlockAbove, type BlockRowsOptions, blockRows, standsClose, type WholeBlock } from "./block-rows.js";
import { lowered, thinkingVoice } from "./thinking-voice.js";
import { runningRows } from "./tool-rows.js";

export interface TranscriptViewOptions extends BlockRowsOptions {
  readonly wrap: "words" | "terminal";
  /** "collapsed" leaves one line with a word count. */
  readonly thinking: "shown" | "hidden" | "collapsed";
  /** The workspace: paths in it are shown without it. */
  readonly folder?: string;
  /** A message with its pastes folded, as it stood in the composer. */
  readonly foldedPrompt?: (text: string) => string;
  /** The rows of the window: the output of the user's own commands may fill it. */
  readonly windowRows?: () => number;
  /** The lines of a picture below its description, where pictures are shown. */
  readonly pictureLines?: (base64: string, widthCells: number) => readonly string[];
}

export interface LiveMoment {
  readonly nowMs: number;
  /** The frame of the spinner. */
  readonly tick: number;
}

export interface LiveOptions {
  /** Rows of output of a running tool. */
  readonly outputRows?: number;
  /** Shown behind the last running tool, such as how to stop it. */
  readonly hint?: string;
  /** The tool call that a dialog is about: the dialog shows it. */
  readonly asked?: string | null;
}

interface Item {
  block: Block;
  isClosed: boolean;
  stream: PacedProse | null;
  /** Whether a part is in the scrollback, where it cannot change. */
  hasSettled: boolean;
  /** Counted as they come: the output may be megabytes. */
  lineFeeds: number;
}

const SIGN_CELLS = 2;
/** The head of an output, and the live area below it. */
const ROWS_BESIDE_OUTPUT = 6;

export class TranscriptView {
  private options: TranscriptViewOptions;
  private readonly items: Item[] = [];
  private last: BlockAbove | null = null;

  constructor(options: TranscriptViewOptions) {
    this.options = options;
  }

  /** Applies to everything that is not settled yet. */
  setOptions(options: TranscriptViewOptions): void {
    this.options = options;
  }

  /** Other content stands above, so the first block gets a gap, too. */
  begunBelow(): void {
    this.last ??= { kind: "notice", rows: 1 };
  }

  get isWorking(): boolean {
    return this.items.some(({ block }) => block.kind === "tool" && block.phase === "running");
  }

  /** The running tool, if it is the last item. */
  get workLast(): ToolBlock | null {
    const last = this.items.at(-1)?.block;
    return last?.kind === "tool" && last.phase === "running" ? last : null;
  }

  /** Whether any of the block is still to be shown. */
  holds(id: string): boolean {
    return this.find(id) !== undefined;
  }

  /** Whether unread prose is left: it was too much for one frame. */
  get isBehind(): boolean {
    return this.items.some(({ stream }) => stream?.isBehind === true);
  }

  follow(change: BlockChange): void {
    switch (change.type) {
      case "opened":
        this.items.push({
          block: this.inFolder(change.block),
          isClosed: false,
          stream: this.streamFor(change.block),
          hasSettled: false,
          lineFeeds: 0,
        });
        return;
      case "grew":
        this.grow(change.id, change.delta);
        return;
      case "replaced":
        this.replace(change.block);
        return;
      case "closed": {
        const item = this.find(change.block.id);
        if (item === undefined) return;
        item.block = this.inFolder(change.block);
        item.isClosed = true;
        item.stream?.finish();
      }
    }
  }

  /** Lines that can no longer change, each once. */
  takeSettled(widthCells: number): string[] {
    const lines: string[] = [];
    for (let item = this.head; item !== undefined; item = this.head) {
      const rows = this.settledRows(item, widthCells);
      if (rows.length > 0) for (const line of this.spaced(item, rows)) lines.push(line);
      if (!item.isClosed || item.stream?.isBehind === true) break;
      this.items.splice(this.items.indexOf(item), 1);
    }
    return lines;
  }

  // A tool waiting for approval has no place yet: what is said while it waits goes before it.
  private get head(): Item | undefined {
    return this.items.find(({ block }) => block.kind !== "tool" || block.phase !== "waiting");
  }

  liveRows(widthCells: number, moment: LiveMoment, shown: LiveOptions = {}): string[] {
    const rows: string[] = [];
    let above: Block["kind"] | null = null;
    for (const item of this.items) {
      if (item.block.kind === "tool" && item.block.toolCallId === shown.asked) continue;
      const own = this.itemRows(item, widthCells, moment, item === this.items.at(-1) ? shown : { ...shown, hint: "" });
      if (own.length === 0) continue;
      // A block that has begun to settle has its own blank lines.
      const isClose = above !== null && standsClose(item.block.kind, { kind: above, rows: 1 });
      if (!item.hasSettled && !isClose && (rows.length > 0 || this.last !== null)) rows.push("");
      for (const row of own) rows.push(row);
      above = item.block.kind;
    }
    return rows;
  }

  private settledRows(item: Item, widthCells: number): string[] {
    if (this.isCollapsed(item.block)) return item.isClosed ? [this.thoughtRow(item.block, "thought")] : [];
    if (item.stream !== null) {
      // As wide as the live rows, which leave the last column free; there is room for the sign before the first row.
      const cells = Math.max(1, widthCells - 1 - (item.block.kind === "thinking" ? SIGN_CELLS : 0));
      return this.isHidden(item.block) ? [] : this.voiced(item, item.stream.takeSettled(cells));
    }
    if (!item.isClosed) return [];
    const rows = blockRows(this.folded(item.block as WholeBlock), {
      ...this.options,
      proseCells: widthCells,
      ...this.room(item.block),
    });
    if (item.block.kind !== "image") return rows;
    return [...rows, ...(this.options.pictureLines?.(item.block.base64, widthCells) ?? [])];
  }

  private folded(block: WholeBlock): WholeBlock {
    if (block.kind !== "prompt") return block;
    return { ...block, text: this.options.foldedPrompt?.(block.text) ?? block.text };
  }

  private room(block: Block): { outputLinesMax?: number } {
    const { windowRows, outputLinesMax } = this.options;
    if (windowRows === undefined || block.kind !== "tool" || !isUsers(block)) return {};
    return { outputLinesMax: Math.max(outputLinesMax, windowRows() - ROWS_BESIDE_OUTPUT) };
  }

  private spaced(item: Item, rows: string[]): string[] {
    const isFirst = !item.hasSettled;
    const isClose = this.last === null || standsClose(item.block.kind, this.last);
    const gap = isFirst && !isClose ? [""] : [];
    const sign =
      isFirst && item.block.kind === "thinking"
        ? `${this.options.style.paint("dim", this.options.glyphs.thinking)} `
        : "";
    item.hasSettled = true;
    this.last = { kind: item.block.kind, rows: rows.length };
    return [...gap, ...rows.map((row, index) => (index === 0 ? sign + row : row))];
  }

  private itemRows(item: Item, widthCells: number, moment: LiveMoment, shown: LiveOptions): string[] {
    const { style, glyphs } = this.options;
    if (item.isClosed && item.stream === null) return this.waitingRows(item.block as WholeBlock, widthCells);
    if (item.block.kind === "tool") {
      const { options } = this;
      return runningRows(item.block, { ...shown, ...moment, lineFeeds: item.lineFeeds, widthCells }, options);
    }
    if (this.isCollapsed(item.block)) return [`  ${this.thoughtRow(item.block, "thinking")}`];
    if (item.stream === null || this.isHidden(item.block)) return [];
    // Where it will stand when it is settled: nothing moves then.
    const isThinking = item.block.kind === "thinking";
    const rows = this.voiced(item, item.stream.liveRows(Math.max(1, widthCells - (isThinking ? SIGN_CELLS : 0))));
    const sign = isThinking && !item.hasSettled ? `${style.paint("dim", glyphs.thinking)} ` : "";
    return rows.map((row, at) => (at === 0 ? sign + row : row));
  }

  private voiced({ block }: Item, rows: string[]): string[] {
    return block.kind === "thinking" ? lowered(rows, this.options.style) : rows;
  }

  // Closed, but behind a block that is still open. A tool's output comes when it settles.
  private waitingRows(block: WholeBlock, widthCells: number): string[] {
    const rows = blockRows(block, { ...this.options, proseCells: widthCells });
    return block.kind === "tool" ? [`  ${rows[0] ?? ""}`] : rows;
  }

  private grow(id: string, delta: string): void {
    const item = this.find(id);
    if (item === undefined) return;
    if (item.block.kind === "tool") {
      item.block = { ...item.block, output: item.block.output + delta };
      item.lineFeeds += lineFeedsIn(delta);
    }
    if ("text" in item.block) item.block = { ...item.block, text: item.block.text + delta };
    item.stream?.append(delta);
  }

  // Text in the scrollback cannot be replaced: the new text follows it.
  private replace(block: Block): void {
    const item = this.find(block.id);
    if (item === undefined) return;
    item.block = this.inFolder(block);
    if (block.kind === "tool") item.lineFeeds = lineFeedsIn(block.output);
    if (item.stream !== null) item.stream = this.streamFor(block);
  }

  private streamFor(block: Block): PacedProse | null {
    if (block.kind !== "prose" && block.kind !== "thinking") return null;
    const { style, wrap } = this.options;
    const voice = block.kind === "thinking" ? thinkingVoice(style) : { style };
    const stream = new PacedProse(new RowBlocks({ wrap, ...voice }));
    stream.append(block.text);
    return stream;
  }

  private inFolder(block: Block): Block {
    const { folder = "" } = this.options;
    return block.kind === "tool" && folder.length > 1 ? withInnerPaths(block, folder) : block;
  }

  private isCollapsed(block: Block): boolean {
    return block.kind === "thinking" && this.options.thinking === "collapsed";
  }

  private thoughtRow(block: Block, word: "thinking" | "thought"): string {
    const words = "text" in block ? block.text.split(/\s+/).filter(Boolean).length : 0;
    const count = `${humanCount(words)} ${words === 1 ? "word" : "words"}`;
    const sign = word === "thinking" ? `${this.options.glyphs.thinking} ` : "";
    return this.options.style.paint("dim", `${sign}${word}, ${count}`);
  }

  private isHidden(block: Block): boolean {
    return block.kind === "thinking" && this.options.thinking === "hidden";
  }

  private find(id: string): Item | undefined {
    return this.items.find((item) => item.block.id === id);
  }
}

function lineFeedsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
