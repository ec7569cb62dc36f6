// Turns lines into blocks. It keeps the open lists, quotes and leaf block, asks the line reader what each line means,
// and applies it. A line of prose is taken as soon as it can be nothing else, every other line at its end; so the
// result does not depend on how the text was cut into tokens.

import type { Language } from "../code/languages.js";
import { safeLine } from "../safe.js";
import { type Align, CLOSING_FENCE_UNITS_MAX, type Fence, isBlank } from "./block-starts.js";
import { type Place, type Prefix, Surroundings } from "./container.js";
import { isCertain, type Opened, type Reading, readLine, type Start } from "./line-reader.js";

/** A line of its own: "title" are words behind a fence, "marker" is that of an item without text. */
export type LineKind = "rule" | "definition" | "title" | "marker";

/** What a paragraph or heading is told, piece by piece. */
interface ProseText {
  append(text: string): void;
  /** It can become no heading and no table any more. */
  beCertain(): void;
  finish(): void;
}

/** What a block of code is told, line by line. */
interface CodeText {
  addLine(line: string): void;
  setGrowing(line: string): void;
  beginLongLine(start: string): void;
  addToLongLine(text: string): void;
  endLongLine(): void;
  finish(): void;
}

interface TableText {
  addRow(line: string): void;
  setGrowing(line: string): void;
  finish(): void;
}

/** Makes the blocks that the reader finds: rows for the screen, HTML, or nodes of a page. */
export interface BlockMaker<B> {
  /** Knows the definitions that reference links name. */
  readonly inline: { define(label: string, href: string, title: string): void };
  heading(level: number, place: Place): B & ProseText;
  paragraph(place: Place): B & ProseText;
  /** `info` is what stands behind a fence; other code has none. */
  code(language: Language | undefined, info?: string): B & CodeText;
  table(header: string, aligns: readonly Align[], place: Place): B & TableText;
  line(kind: LineKind, place: Place, text?: string, href?: string): B;
}

export interface Placed<B> {
  readonly block: B;
  readonly gap: Place["gap"];
  readonly path: Place["path"];
}

/** A longer paragraph cannot become a heading; one that begins with a pipe waits longer for a table. */
const HEADING_UNITS_MAX = 256;
const TABLE_HEADER_UNITS_MAX = 1000;
/** A longer line of code is streamed; it cannot close a fence any more. */
const LONG_LINE_UNITS = 2 * CLOSING_FENCE_UNITS_MAX;
const LOOK_AGAIN_FACTOR = 1.25;
/** Anything else behind a fence is not a language, and is shown. */
const FENCE_WORD = /^[\w+#.-]{0,32}$/;
const TASK = /^\[([ xX])\][ \t]+/;
/** Marks that are not shown before the rest of the line decides: they would only flicker. */
const ONLY_MARKS = /^[\s#>*+\-_=`~|:.)\d[\]!<]*$/;

type Leaf =
  | { readonly kind: "none" }
  | { readonly kind: "heading"; readonly block: ProseText }
  | {
      readonly kind: "paragraph";
      readonly block: ProseText;
      header: string | undefined;
      lines: number;
      readonly place: Place;
    }
  | { readonly kind: "fence"; readonly block: CodeText; readonly fence: Fence }
  | { readonly kind: "html"; readonly block: CodeText; readonly end: RegExp | "blank" }
  | { readonly kind: "indented"; readonly block: CodeText; blankLines: string[] }
  | { readonly kind: "table"; readonly block: TableText };

const NONE: readonly never[] = [];
const NO_LEAF: Leaf = { kind: "none" };

export class BlockReader<B> {
  private readonly make: BlockMaker<B>;
  private readonly around = new Surroundings();
  private leaf: Leaf = NO_LEAF;
  private growing = "";
  /** The current line goes straight to the open block. */
  private isLineTaken = false;
  /** An undecided long line is read again only after it has grown to this length. */
  private nextLookUnits = 0;
  /** After "\r" a "\n" is part of the same line break. */
  private isAfterReturn = false;
  private readonly closed: Placed<B>[] = [];
  private open: Placed<B> | undefined;

  constructor(make: BlockMaker<B>) {
    this.make = make;
  }

  /** The next part of a stream, cut anywhere. */
  append(delta: string): void {
    const text = this.isAfterReturn && delta.startsWith("\n") ? delta.slice(1) : delta;
    this.isAfterReturn = delta.endsWith("\r");
    if (!/[\r\n]/.test(text)) {
      if (text !== "") this.addText(text);
      return;
    }
    text.split(/\r\n|[\r\n]/).forEach((part, index) => {
      if (index > 0) this.endLine();
      if (part !== "") this.addText(part);
    });
  }

  private addText(text: string): void {
    if (this.isLineTaken) {
      this.addToTakenLine(text);
      return;
    }
    this.growing += text;
    if (this.growing.length < this.nextLookUnits) return;
    if (this.growing.length > LONG_LINE_UNITS) this.nextLookUnits = this.growing.length * LOOK_AGAIN_FACTOR;
    const reading = this.read();
    if (isCertain(reading, this.leaf)) {
      this.apply(reading);
      this.isLineTaken = true;
    } else if (this.leaf.kind === "fence" && reading.start.kind === "raw" && this.growing.length > LONG_LINE_UNITS) {
      this.leaf.block.beginLongLine(reading.start.text);
      this.isLineTaken = true;
    } else {
      this.showGrowing(reading);
    }
  }

  addLine(line: string): void {
    this.growing = line;
    this.endLine();
  }

  private endLine(): void {
    if (!this.isLineTaken) this.apply(this.read());
    else if (this.leaf.kind === "fence") this.leaf.block.endLongLine();
    if (this.leaf.kind === "heading") this.closeLeaf();
    this.growing = "";
    this.isLineTaken = false;
    this.nextLookUnits = 0;
  }

  private addToTakenLine(text: string): void {
    if (this.leaf.kind === "fence") this.leaf.block.addToLongLine(text);
    else this.addProse(text);
  }

  finish(): void {
    if (this.growing !== "" || this.isLineTaken) this.endLine();
    this.closeLeaf();
    this.closeContainers(0);
  }

  takeClosed(): readonly Placed<B>[] {
    return this.closed.length === 0 ? NONE : this.closed.splice(0);
  }

  openBlock(): Placed<B> | undefined {
    return this.open;
  }

  /** The text of a line that no block has taken yet. */
  undecided(): string {
    if (this.isLineTaken || this.growing === "" || ONLY_MARKS.test(this.growing)) return "";
    const kind = this.leaf.kind;
    if (kind === "fence" || kind === "html" || kind === "indented" || kind === "table") return "";
    return safeLine(this.growing.trim());
  }

  private read(): Reading {
    return readLine(this.growing, this.around.containers, this.leaf);
  }

  private showGrowing({ start, opened }: Reading): void {
    const { leaf } = this;
    if (leaf.kind === "table") leaf.block.setGrowing(start.kind === "table-row" ? start.text : "");
    if (leaf.kind !== "fence" && leaf.kind !== "html" && leaf.kind !== "indented") return;
    const text = start.kind === "raw" && opened.length === 0 ? start.text : "";
    const mayEnd = leaf.kind === "fence" && /^\s*(?:`+|~+)\s*$/.test(text);
    leaf.block.setGrowing(mayEnd ? "" : text);
  }

  private apply({ matched, opened, start }: Reading): void {
    if (start.kind === "blank" && opened.length === 0) {
      this.applyBlank(matched);
      return;
    }
    if (this.continueLeaf(start, opened)) return;
    this.closeLeaf();
    this.closeContainers(matched);
    for (const container of opened) this.around.open(container);
    this.startLeaf(start);
  }

  private applyBlank(matched: number): void {
    this.closeLeaf();
    this.closeContainers(matched);
    this.around.noteBlankLine();
  }

  /** Adds the line to the open block if it belongs there, and says whether. */
  private continueLeaf(start: Start, opened: readonly Opened[]): boolean {
    const { leaf } = this;
    if (opened.length > 0) return false;
    if (leaf.kind === "paragraph") return this.continueParagraph(leaf, start);
    if (leaf.kind === "table" && start.kind === "table-row") {
      leaf.block.addRow(start.text);
      return true;
    }
    if (start.kind === "fence-end") {
      this.closeLeaf();
      return true;
    }
    if (start.kind !== "raw") return false;
    if (leaf.kind === "indented") this.addIndented(leaf, start.text);
    else if (leaf.kind === "fence" || leaf.kind === "html") leaf.block.addLine(start.text);
    if (leaf.kind === "html" && leaf.end !== "blank" && leaf.end.test(start.text)) this.closeLeaf();
    return true;
  }

  private continueParagraph(leaf: Leaf & { kind: "paragraph" }, start: Start): boolean {
    if (start.kind === "setext") this.remakeAsHeading(leaf, start.level);
    else if (start.kind === "table") this.remakeAsTable(leaf, start.aligns);
    else if (start.kind === "text" && !beginsTable(start.text, leaf)) {
      leaf.lines++;
      this.addProse(`\n${start.text}`);
    } else return false;
    return true;
  }

  private addIndented(leaf: Leaf & { kind: "indented" }, text: string): void {
    if (isBlank(text)) {
      leaf.blankLines.push(text);
      this.around.noteBlankLine();
      return;
    }
    for (const blank of leaf.blankLines.splice(0)) leaf.block.addLine(blank);
    leaf.block.addLine(text);
    this.around.forgetBlankLine();
  }

  private addProse(text: string): void {
    const { leaf } = this;
    if (leaf.kind !== "paragraph" && leaf.kind !== "heading") return;
    leaf.block.append(text);
    if (leaf.kind === "heading" || leaf.header === undefined) return;
    leaf.header += text;
    const unitsMax = leaf.lines === 1 && leaf.header.startsWith("|") ? TABLE_HEADER_UNITS_MAX : HEADING_UNITS_MAX;
    if (leaf.header.length <= unitsMax) return;
    leaf.header = undefined;
    leaf.block.beCertain();
  }

  private remakeAsHeading(leaf: Leaf & { kind: "paragraph" }, level: number): void {
    this.leaf = NO_LEAF;
    this.startHeading(level, leaf.header ?? "", leaf.place);
    this.closeLeaf();
  }

  private remakeAsTable(leaf: Leaf & { kind: "paragraph" }, aligns: readonly Align[]): void {
    const block = this.make.table(leaf.header ?? "", aligns, leaf.place);
    this.leaf = { kind: "table", block };
    this.open = { block, ...leaf.place };
  }

  private closeContainers(keep: number): void {
    this.around.closeTo(keep, () => this.placeLine("marker"));
  }

  private startLeaf(start: Start): void {
    switch (start.kind) {
      case "blank":
        break;
      case "heading":
        this.startHeading(start.level, start.text, this.around.take("other"));
        break;
      case "fence":
        this.startFence(start.fence);
        break;
      case "html":
        this.startHtml(start.text, start.end);
        break;
      case "indented":
        this.startIndented(start.text);
        break;
      case "rule":
        this.placeLine("rule");
        break;
      case "definition":
        this.startDefinition(start);
        break;
      default:
        // Of the others only text begins a block.
        this.startParagraph("text" in start ? start.text : "");
    }
  }

  private startHeading(level: number, text: string, place: Place): void {
    const block = this.make.heading(level, place);
    block.append(text);
    this.leaf = { kind: "heading", block };
    this.open = { block, ...place };
  }

  private startParagraph(text: string): void {
    const item = this.around.containers.at(-1);
    const task = item?.kind === "item" && !item.isMarkerShown ? TASK.exec(text) : null;
    const taken = this.around.take("other");
    const place = task === null ? taken : withTask(taken, task[1] === " " ? "open" : "done");
    const block = this.make.paragraph(place);
    this.leaf = { kind: "paragraph", block, header: "", lines: 1, place };
    this.open = { block, ...place };
    this.addProse(task === null ? text : text.slice(task[0].length));
  }

  private startFence(fence: Fence): void {
    const block = this.make.code(fence.language, fence.info);
    this.startCode({ kind: "fence", block, fence }, block, FENCE_WORD.test(fence.info) ? "" : safeLine(fence.info));
  }

  private startHtml(text: string, end: RegExp | "blank"): void {
    const block = this.make.code(undefined);
    this.startCode({ kind: "html", block, end }, block);
    block.addLine(text);
    if (end !== "blank" && end.test(text)) this.closeLeaf();
  }

  private startIndented(text: string): void {
    const block = this.make.code(undefined);
    this.startCode({ kind: "indented", block, blankLines: [] }, block);
    block.addLine(text);
  }

  // Code has no prefix: an item's marker and words behind the fence get a line before it.
  private startCode(leaf: Leaf, block: B, title = ""): void {
    const hasLine = this.around.hasHiddenMarker() || title !== "";
    if (hasLine) this.placeLine(title === "" ? "marker" : "title", title);
    const { gap, path } = this.around.take("other");
    this.leaf = leaf;
    this.open = { block, path, gap: hasLine ? "none" : gap };
  }

  private startDefinition({ label, href, title, text }: Start & { kind: "definition" }): void {
    this.make.inline.define(label, href, title);
    this.placeLine("definition", text, href);
  }

  private placeLine(kind: LineKind, text?: string, href?: string): void {
    const place = this.around.take(kind === "definition" ? "definition" : "other");
    this.closed.push({ block: this.make.line(kind, place, text, href), ...place });
  }

  private closeLeaf(): void {
    const { leaf, open } = this;
    if (leaf.kind !== "none") leaf.block.finish();
    if (open !== undefined) this.closed.push(open);
    this.open = undefined;
    this.leaf = NO_LEAF;
  }
}

function withTask(place: Place, task: "open" | "done"): Place {
  const { first, later, above } = place.prefix;
  const prefix: Prefix = { first: `${first}[${task === "done" ? "x" : " "}] `, later: `${later}    `, above };
  return { ...place, prefix, task };
}

// A line that begins with a pipe ends a paragraph, unless that begins with a pipe itself.
function beginsTable(text: string, leaf: Leaf & { kind: "paragraph" }): boolean {
  return text.startsWith("|") && leaf.header?.startsWith("|") !== true;
}
