// Streaming Markdown as elements. What is final stays in the document untouched; only the open block is drawn again, so that a token
// costs the same in a long answer.
import { effect } from "@preact/signals";
import type { Run } from "../../text/code/grammar-run.js";
import type { LineHighlighter } from "../../text/code/highlight.js";
import type { Language } from "../../text/code/languages.js";
import { type BlockMaker, BlockReader, type LineKind, type Placed } from "../../text/markdown/block-reader.js";
import { type Align, cellsOf } from "../../text/markdown/block-starts.js";
import type { Container, Place } from "../../text/markdown/container.js";
import { InlineReader, type Spans } from "../../text/markdown/inline-reader.js";
import type { Piece } from "../../text/markdown/markup-scanner.js";
import { ProsePieces } from "../../text/markdown/prose-pieces.js";
import { safeLine } from "../../text/safe.js";
import { classOf, element, linkOrText } from "./element.js";
import { highlight, loadHighlighter } from "./highlighter.js";

interface NodeBlock {
  readonly element: HTMLElement;
  /** Shows what is not final as it looks now. */
  draw(): void;
}

class MarkdownNodes {
  readonly element = element("div", "md");
  private readonly reader = new BlockReader<NodeBlock>(new NodeBlocks());
  private readonly undecided = element("p", "undecided");
  private containers: readonly OpenContainer[] = [];
  private shown: NodeBlock | null = null;

  append(delta: string): void {
    this.reader.append(delta);
    this.draw();
  }

  finish(): void {
    this.reader.finish();
    this.draw();
  }

  private draw(): void {
    const closed = this.reader.takeClosed();
    const open = this.reader.openBlock();
    const { shown } = this;
    const isKept = shown === null || open?.block === shown || closed.some(({ block }) => block === shown);
    if (!isKept) shown?.element.remove();
    for (const placed of closed) this.place(placed);
    if (open !== undefined) this.place(open);
    this.shown = open?.block ?? null;
    open?.block.draw();
    this.drawUndecided();
  }

  private drawUndecided(): void {
    const text = this.reader.undecided();
    if (text === "") this.undecided.remove();
    else {
      this.undecided.textContent = text;
      this.element.append(this.undecided);
    }
  }

  private place({ block, gap, path }: Placed<NodeBlock>): void {
    if (block.element.isConnected || block.element.parentNode !== null) return;
    const wanted = path.flatMap(containersOf);
    let common = 0;
    while (common < wanted.length && this.containers[common]?.of === wanted[common]?.of) common++;
    const kept = this.containers.slice(0, common);
    const opened = wanted.slice(common).map(({ of, make }) => ({ of, element: make() }));
    let parent = kept.at(-1)?.element ?? this.element;
    for (const container of opened) {
      parent.append(container.element);
      parent = container.element;
    }
    this.containers = [...kept, ...opened];
    if (gap === "none") block.element.classList.add("tight");
    parent.append(block.element);
  }
}

interface OpenContainer {
  /** The list, item or quote. */
  readonly of: unknown;
  readonly element: HTMLElement;
}

function containersOf(container: Container): { of: unknown; make: () => HTMLElement }[] {
  if (container.kind === "quote") return [{ of: container, make: () => element("blockquote", "") }];
  return [
    { of: container.of, make: () => listOf(container) },
    { of: container, make: () => element("li", "") },
  ];
}

function listOf({ of, marker }: Extract<Container, { kind: "item" }>): HTMLElement {
  if (of.kind !== "ordered") return element("ul", "");
  const list = element("ol", "");
  list.start = Number.parseInt(marker, 10);
  return list;
}

class NodeBlocks implements BlockMaker<NodeBlock> {
  readonly inline = new InlineReader(nodeSpans);

  // The page has its own first heading.
  heading(level: number): ProseNodes {
    return new ProseNodes(this.inline, "heading", element(HEADINGS[level - 1] ?? "h6", ""));
  }

  paragraph({ task }: Place): ProseNodes {
    const box = task === undefined ? [] : [task === "done" ? "☑ " : "☐ "];
    return new ProseNodes(this.inline, "paragraph", element("p", "", ...box));
  }

  code(language: Language | undefined, info = ""): CodeNodes {
    return new CodeNodes(language, info);
  }

  table(header: string, aligns: readonly Align[]): TableNodes {
    return new TableNodes(this.inline, header, aligns);
  }

  line(kind: LineKind, _: Place, text = "", href = ""): NodeBlock {
    const words = document.createTextNode(safeLine(text));
    const made =
      kind === "rule" ? element("hr", "") : element("p", "dim", href === "" ? words : linkOrText(href, words));
    return { element: made, draw: () => undefined };
  }
}

const HEADINGS = ["h2", "h3", "h4", "h5", "h6", "h6"] as const;

class ProseNodes implements NodeBlock {
  readonly element: HTMLElement;
  private readonly inline: InlineReader<Nodes>;
  private readonly pieces: ProsePieces;
  private tail: Nodes = [];
  private isFinished = false;

  constructor(inline: InlineReader<Nodes>, kind: "paragraph" | "heading", made: HTMLElement) {
    this.inline = inline;
    this.pieces = new ProsePieces(kind);
    this.element = made;
  }

  append(text: string): void {
    const pieces = this.pieces.append(text);
    if (pieces.length === 0) return;
    this.dropTail();
    for (const piece of pieces) this.element.append(...this.nodesOf(piece));
  }

  beCertain(): void {}

  finish(): void {
    this.dropTail();
    const end = this.pieces.end();
    if (end !== null) this.element.append(...this.nodesOf(end));
    this.isFinished = true;
  }

  draw(): void {
    this.dropTail();
    const tail = this.isFinished ? null : this.pieces.tail();
    if (tail === null) return;
    this.tail = this.nodesOf(tail);
    this.element.append(...this.tail);
  }

  private dropTail(): void {
    for (const node of this.tail) (node as ChildNode).remove();
    this.tail = [];
  }

  private nodesOf({ source, gap }: Piece): Nodes {
    const before = gap === "\n" ? document.createElement("br") : document.createTextNode(gap);
    return [before, ...this.inline.read(source, [])];
  }
}

const ALIGN_CLASS = { left: "", right: "right", centre: "centre" } as const;

class TableNodes implements NodeBlock {
  readonly element: HTMLElement;
  private readonly inline: InlineReader<Nodes>;
  private readonly aligns: readonly Align[];
  private readonly columns: number;
  private readonly body = element("tbody", "");
  private growing: HTMLElement | null = null;

  constructor(inline: InlineReader<Nodes>, header: string, aligns: readonly Align[]) {
    this.inline = inline;
    this.aligns = aligns;
    const names = cellsOf(header);
    this.columns = names.length;
    const head = element("thead", "", this.row(names, "th"));
    this.element = element("div", "table", element("table", "", head, this.body));
  }

  addRow(line: string): void {
    this.setGrowing("");
    this.body.append(this.row(this.cells(line), "td"));
  }

  setGrowing(line: string): void {
    this.growing?.remove();
    this.growing = line.trim() === "" ? null : this.row(this.cells(line), "td");
    if (this.growing !== null) this.body.append(this.growing);
  }

  finish(): void {
    this.setGrowing("");
  }

  draw(): void {}

  // Surplus cells are shown in the last one.
  private cells(line: string): string[] {
    const cells = cellsOf(line);
    return [...cells.slice(0, this.columns - 1), cells.slice(this.columns - 1).join(" | ")];
  }

  private row(cells: readonly string[], tag: "th" | "td"): HTMLElement {
    const made = cells.map((cell, column) =>
      element(tag, ALIGN_CLASS[this.aligns[column] ?? "left"], ...this.inline.read(cell, [])),
    );
    return element("tr", "", ...made);
  }
}

// Inline Markdown as nodes: the same reader as in the terminal, and only the elements that are named here.

type Nodes = readonly Node[];

const TAGS = { bold: "strong", italic: "em", strike: "del" } as const;

const nodeSpans: Spans<Nodes> = {
  text: (text) => [document.createTextNode(text)],
  marked: (mark, inner) => [element(TAGS[mark], "", ...inner)],
  code: (text) => [element("code", "", text)],
  link: ({ href, target, inner }) => {
    const link = linkOrText(href, ...inner);
    return target === "" ? [link] : [link, element("span", "target dim", ` (${target})`)];
  },
  // Nothing is loaded from elsewhere: a picture is a link to it.
  image: (href, name) => [linkOrText(href, document.createTextNode(`[image: ${name}]`))],
  get lineBreak() {
    return [document.createElement("br")];
  },
  joined: (parts) => parts.flat(),
};

// A block of code as an element that grows line by line. Lines that came before the colours are coloured when those are loaded.

class CodeNodes {
  readonly element: HTMLElement;
  private readonly code = element("code", "");
  private readonly tail = element("span", "");
  private readonly lines: string[] = [];
  private lineHighlighter: LineHighlighter | null = null;
  private long: string[] | null = null;

  constructor(language: Language | undefined, info: string) {
    const copy = element("button", "quiet copy", "copy");
    copy.type = "button";
    copy.onclick = () => void copyText(this.lines.join("\n"), copy);
    const bar = element(
      "figcaption",
      "code-bar",
      element("span", "dim", safeLine(language ?? info.slice(0, 32))),
      copy,
    );
    const pre = element("pre", "", this.code);
    pre.tabIndex = 0;
    this.element = element("figure", "code", bar, pre);
    this.code.append(this.tail);
    if (language !== undefined) this.colour(language);
  }

  addLine(line: string): void {
    this.lines.push(line);
    this.tail.replaceChildren();
    this.tail.before(...this.nodesOf(this.lineHighlighter?.take(line) ?? plain(line), this.lines.length > 1));
  }

  setGrowing(line: string): void {
    if (line === "") this.tail.replaceChildren();
    else
      this.tail.replaceChildren(
        ...this.nodesOf(this.lineHighlighter?.peek(line) ?? plain(line), this.lines.length > 0),
      );
  }

  beginLongLine(start: string): void {
    this.long = [];
    this.setGrowing("");
    this.addToLongLine(start);
  }

  addToLongLine(text: string): void {
    this.tail.append(...(this.long?.length === 0 && this.lines.length > 0 ? ["\n"] : []), safeLine(text));
    this.long?.push(text);
  }

  endLongLine(): void {
    const line = this.long?.join("") ?? "";
    this.long = null;
    this.addLine(line);
  }

  finish(): void {
    this.tail.replaceChildren();
  }

  draw(): void {}

  private colour(language: Language): void {
    loadHighlighter();
    const stop = effect(() => {
      const module = highlight.value;
      if (module === null) return;
      this.lineHighlighter = new module.LineHighlighter(language);
      const lines = this.lines.splice(0);
      if (lines.length > 0) this.code.replaceChildren(this.tail);
      for (const line of lines) this.addLine(line);
      queueMicrotask(() => stop());
    });
  }

  private nodesOf(runs: readonly Run[], hasLineBefore: boolean): (Node | string)[] {
    return [...(hasLineBefore ? ["\n"] : []), ...runNodes(runs)];
  }
}

function plain(line: string): readonly Run[] {
  return [{ text: safeLine(line), look: undefined }];
}

function runNodes(runs: readonly Run[]): (Node | string)[] {
  return runs.map(({ text, look }) => (look === undefined ? text : element("span", classOf(look), text)));
}

/** Without a clipboard, which plain HTTP has not, it says so. */
async function copyText(text: string, button: HTMLElement): Promise<void> {
  const words = button.textContent ?? "";
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    button.textContent = "no clipboard here";
  }
  setTimeout(() => {
    button.textContent = words;
  }, 1_500);
}

// The text of a block as elements. It only grows, unless the block was replaced: then it is drawn again. All texts together get a few
// milliseconds of each frame, the newest first, so that the page can be used while a flood of text is drawn.

const DRAW_MS_MAX = 6;
const SLICE_UNITS = 4_096;

const waiting = new Set<GrowingMarkdown>();
let frame = 0;
let endMs = 0;

function hasTime(): boolean {
  if (frame === 0) {
    frame = requestAnimationFrame(drawWaiting);
    endMs = performance.now() + DRAW_MS_MAX;
  }
  return performance.now() < endMs;
}

function drawWaiting(): void {
  frame = 0;
  for (const text of [...waiting].reverse()) text.draw();
}

export class GrowingMarkdown {
  private nodes: MarkdownNodes | null = null;
  private text = "";
  private isLive = true;
  private drawnUnits = 0;
  private isFinished = false;

  show(place: HTMLElement | null, text: string, isLive: boolean): void {
    const isContinued = this.isFinished ? text === this.text : text.startsWith(this.text);
    if (this.nodes === null || !isContinued) {
      this.nodes = new MarkdownNodes();
      this.drawnUnits = 0;
      this.isFinished = false;
      place?.replaceChildren(this.nodes.element);
    }
    this.text = text;
    this.isLive = isLive;
    this.draw();
  }

  draw(): void {
    const { nodes, text } = this;
    while (nodes !== null && this.drawnUnits < text.length && hasTime()) {
      nodes.append(text.slice(this.drawnUnits, this.drawnUnits + SLICE_UNITS));
      this.drawnUnits = Math.min(text.length, this.drawnUnits + SLICE_UNITS);
    }
    if (this.drawnUnits < text.length) {
      waiting.add(this);
      return;
    }
    waiting.delete(this);
    if (this.isLive || this.isFinished) return;
    nodes?.finish();
    this.isFinished = true;
  }

  stop(): void {
    waiting.delete(this);
  }
}
