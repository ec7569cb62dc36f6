// A virtualised transcript of any length: only the blocks near the viewport are in the document. At the end, the view follows
// new text; elsewhere the block at the top keeps its place while others are measured, loaded or streamed.
import { Component } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Heights, type Window } from "../state/heights.js";
import type { BlockCell, SessionFollower } from "../state/session-follower.js";
import { Block } from "./block.jsx";

const SPARE_PX = 500;
const AT_END_PX = 40;
const EARLIER_FROM_PX = 1_200;
/** About what a block takes: its lines, the gaps between its paragraphs, and those around it. */
const LINE_PX = 24;
const GAP_PX = 12;
const AROUND_PX = 14;
const LETTERS_PER_LINE = 70;
const OTHER_PX = 84;

interface TranscriptProps {
  readonly session: SessionFollower;
  readonly folder: string;
  /** What a search has found. */
  readonly found: Found | null;
}

/** A block with words in it. */
export interface Found {
  readonly id: string;
  readonly words: string;
}

export function Transcript({ session, folder, found }: TranscriptProps) {
  const cells = session.cells.value;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = useState(() => new Place())[0];
  const [, draw] = useState(0);
  const redraw = () => draw((count) => count + 1);
  place.heights.setItems(cells);
  const window = place.window(box.current);
  useLayoutEffect(() => {
    if (place.settle(box.current, list.current, cells)) redraw();
  });
  useEffect(() => watch(place, box, list, session, redraw), [session]);
  useLayoutEffect(() => {
    if (found !== null) place.show(found.id, cells, box.current);
    redraw();
  }, [found?.id]);
  // Who reads at the end does not need all that was said before; a search does.
  useEffect(() => {
    if (place.isAtEnd && found === null) session.letGo();
  }, [cells]);
  // What is found is drawn by now; long text is laid out when it comes into sight.
  useEffect(() => mark(found, box.current, (px) => place.scrollTo(px, box.current, session.cells.peek())), [found]);
  const toEnd = () => {
    place.toEnd();
    redraw();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with the keyboard, too */}
      <div ref={box} class="transcript" aria-label="Transcript" role="log" aria-live="off" tabIndex={0}>
        {session.hasEarlier.value && <p class="dim pad">earlier parts load as you scroll up</p>}
        <div style={{ height: `${window.beforePx}px` }} />
        <div ref={list} class="block-list">
          {cells.slice(window.from, window.to).map((cell) => (
            <Item key={cell.id} cell={cell} folder={folder} isFound={cell.id === found?.id} />
          ))}
        </div>
        <div style={{ height: `${window.afterPx}px` }} />
      </div>
      {!place.isAtEnd && (
        <button type="button" class="to-end" onClick={toEnd}>
          ↓ newest
        </button>
      )}
    </>
  );
}

interface ItemProps {
  readonly cell: BlockCell;
  readonly folder: string;
  readonly isFound: boolean;
}

// A scroll draws what comes into sight, and leaves the rest alone; a block that changes draws itself.
class Item extends Component<ItemProps> {
  override shouldComponentUpdate({ cell, folder, isFound }: ItemProps): boolean {
    return cell !== this.props.cell || folder !== this.props.folder || isFound !== this.props.isFound;
  }

  override render({ cell, folder, isFound }: ItemProps) {
    return (
      <div data-id={cell.id} class={`item ${isFound ? "found" : ""}`}>
        <Block cell={cell} folder={folder} isFound={isFound} />
      </div>
    );
  }
}

// The words are marked without a change of the document, and the first of them comes into sight.
function mark(found: Found | null, box: HTMLElement | null, scrollTo: (px: number) => void): () => void {
  const marks = CSS.highlights;
  if (found === null || box === null || marks === undefined) return () => undefined;
  const frame = requestAnimationFrame(() => {
    const item = box.querySelector(`[data-id="${CSS.escape(found.id)}"]`);
    const ranges = item === null ? [] : rangesOf(found.words.toLowerCase(), item);
    marks.set("found", new Highlight(...ranges));
    const [first] = ranges;
    if (first === undefined) return;
    const [at, around] = [first.getBoundingClientRect(), box.getBoundingClientRect()];
    const isInSight = at.top >= around.top && at.bottom <= around.bottom;
    if (!isInSight) scrollTo(box.scrollTop + at.top - around.top - around.height / 3);
  });
  return () => {
    cancelAnimationFrame(frame);
    marks.delete("found");
  };
}

function rangesOf(words: string, item: Element): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.nodeValue ?? "").toLowerCase();
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      ranges.push(range);
    }
  }
  return ranges;
}

function estimate(cell: BlockCell): number {
  const block = cell.block.peek();
  if (block.kind !== "prose" && block.kind !== "prompt") return OTHER_PX;
  let px = AROUND_PX;
  for (let at = 0; at < block.text.length; ) {
    const end = block.text.indexOf("\n", at);
    const letters = (end < 0 ? block.text.length : end) - at;
    px += letters === 0 ? GAP_PX : Math.ceil(letters / LETTERS_PER_LINE) * LINE_PX;
    at += letters + 1;
  }
  return px;
}

/** Where the view stands. */
class Place {
  readonly heights = new Heights(estimate);
  /** Which of the items are in the document. */
  private from = 0;
  private to = 0;
  isAtEnd = true;
  /** Where the view stood last; only a user moves it up from there. */
  private topPx = 0;
  /** Those that the view was put back for last. */
  private settled: readonly BlockCell[] = [];
  /** The block at the top, and how far above the top it begins. */
  private anchor: { id: string; index: number; offsetPx: number } | null = null;

  window(box: HTMLElement | null): Window {
    const heightPx = box?.clientHeight ?? 800;
    const topPx = this.isAtEnd ? this.heights.totalPx - heightPx : (box?.scrollTop ?? 0);
    const window = this.heights.window(Math.max(0, topPx), heightPx, SPARE_PX);
    this.from = window.from;
    this.to = window.to;
    return window;
  }

  scrolled(box: HTMLElement, cells: readonly BlockCell[]): void {
    // Text that came since the view was put at the end is no reason to stay behind.
    if (box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX) this.isAtEnd = true;
    else if (box.scrollTop < this.topPx) this.isAtEnd = false;
    this.topPx = box.scrollTop;
    const index = this.heights.indexAt(box.scrollTop);
    const cell = cells[index];
    this.anchor =
      cell === undefined ? null : { id: cell.id, index, offsetPx: box.scrollTop - this.heights.topOf(index) };
  }

  show(id: string, cells: readonly BlockCell[], box: HTMLElement | null): void {
    const index = cells.findIndex((cell) => cell.id === id);
    if (index < 0 || box === null) return;
    this.isAtEnd = false;
    this.anchor = { id, index, offsetPx: -80 };
    this.moveTo(box, this.heights.topOf(index) - 80);
  }

  /** The view stays there, whatever is measured meanwhile. */
  scrollTo(px: number, box: HTMLElement | null, cells: readonly BlockCell[]): void {
    if (box === null) return;
    box.scrollTop = px;
    this.scrolled(box, cells);
  }

  toEnd(): void {
    this.isAtEnd = true;
  }

  /**
   * Measures what was drawn and puts the view back; whether other blocks have to be drawn now. What was measured has its height in the
   * document already: the room for the blocks before and behind it stays the same.
   */
  settle(box: HTMLElement | null, list: HTMLElement | null, cells: readonly BlockCell[]): boolean {
    // Behind another screen nothing has a height.
    if (box === null || list === null || box.clientHeight === 0) return false;
    let isNews = cells !== this.settled;
    this.settled = cells;
    for (const [at, item] of [...list.children].entries())
      if (this.heights.measure(this.from + at, (item as HTMLElement).offsetHeight)) isNews = true;
    if (this.isAtEnd) this.moveTo(box, box.scrollHeight);
    else if (this.anchor !== null && isNews) {
      const { id, index, offsetPx } = this.anchor;
      const at = cells[index]?.id === id ? index : cells.findIndex((cell) => cell.id === id);
      if (at >= 0) this.moveTo(box, this.heights.topOf(at) + offsetPx);
    }
    const { from, to } = this.heights.window(Math.max(0, box.scrollTop), box.clientHeight, 0);
    return from < this.from || to > this.to;
  }

  private moveTo(box: HTMLElement, px: number): void {
    box.scrollTop = px;
    this.topPx = box.scrollTop;
  }
}

function watch(
  place: Place,
  box: { current: HTMLDivElement | null },
  list: { current: HTMLDivElement | null },
  session: SessionFollower,
  redraw: () => void,
): () => void {
  const element = box.current;
  if (element === null) return () => undefined;
  let frame = 0;
  const scrolled = () => {
    place.scrolled(element, session.cells.peek());
    if (element.scrollTop < EARLIER_FROM_PX && session.hasEarlier.peek()) void session.readEarlier();
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      redraw();
    });
  };
  const sizes = new ResizeObserver(() => {
    if (place.settle(element, list.current, session.cells.peek())) redraw();
  });
  sizes.observe(element);
  if (list.current !== null) sizes.observe(list.current);
  element.addEventListener("scroll", scrolled, { passive: true });
  return () => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    element.removeEventListener("scroll", scrolled);
  };
}
