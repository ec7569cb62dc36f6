// A transcript of any length: only the blocks around what is in sight are in the document. While the end is in sight the view stays
// there; elsewhere the block at its top keeps its place, whatever is measured, loaded or streamed around it.
import { Component } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Heights, type Window } from "../state/heights.js";
import type { BlockCell, SessionFollower } from "../state/session-follower.js";
import { Block } from "./block.jsx";

const SPARE_PX = 500;
const AT_END_PX = 40;
const EARLIER_FROM_PX = 1_200;
/** About what a block takes: its lines, and the gap around it. */
const LINE_PX = 21;
const LETTERS_PER_LINE = 70;

interface TranscriptProps {
  readonly session: SessionFollower;
  readonly folder: string;
  /** The block that a search has found. */
  readonly found: string | null;
}

export function Transcript({ session, folder, found }: TranscriptProps) {
  const cells = session.cells.value;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = useRef(new Place()).current;
  const [, draw] = useState(0);
  const redraw = () => draw((count) => count + 1);
  place.heights.setItems(
    cells.map(({ id }) => id),
    (index) => estimate(cells[index]),
  );
  const window = place.window(box.current);
  useLayoutEffect(() => {
    if (place.settle(box.current, list.current, cells)) redraw();
  });
  useEffect(() => watch(place, box, list, session, redraw), [session]);
  useLayoutEffect(() => {
    if (found !== null) place.show(found, cells, box.current);
    redraw();
  }, [found]);
  const toEnd = () => {
    place.toEnd();
    redraw();
  };
  return (
    <>
      <div ref={box} class="transcript" aria-label="Transcript" role="log" aria-live="off">
        {session.hasEarlier.value && <p class="dim pad">earlier parts load as you scroll up</p>}
        <div style={{ height: `${window.beforePx}px` }} />
        <div ref={list} class="block-list">
          {cells.slice(window.from, window.to).map((cell) => (
            <Item key={cell.id} cell={cell} folder={folder} isFound={cell.id === found} />
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
        <Block cell={cell} folder={folder} />
      </div>
    );
  }
}

function estimate(cell: BlockCell | undefined): number {
  const block = cell?.block.peek();
  if (block === undefined) return 0;
  const text = "text" in block ? block.text : "";
  const lines = block.kind === "prose" || block.kind === "prompt" ? Math.ceil(text.length / LETTERS_PER_LINE) : 3;
  return (lines + 1) * LINE_PX;
}

/** Where the view stands. */
class Place {
  readonly heights = new Heights();
  isAtEnd = true;
  /** Where the view stood last; only a user moves it up from there. */
  private topPx = 0;
  /** The block at the top, and how far above the top it begins. */
  private anchor: { id: string; index: number; offsetPx: number } | null = null;

  window(box: HTMLElement | null): Window {
    const heightPx = box?.clientHeight ?? 800;
    const topPx = this.isAtEnd ? this.heights.totalPx - heightPx : (box?.scrollTop ?? 0);
    return this.heights.window(Math.max(0, topPx), heightPx, SPARE_PX);
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

  toEnd(): void {
    this.isAtEnd = true;
  }

  /** Measures what was drawn and puts the view back; whether other blocks have to be drawn now. */
  settle(box: HTMLElement | null, list: HTMLElement | null, cells: readonly BlockCell[]): boolean {
    // Behind another screen nothing has a height.
    if (box === null || list === null || box.clientHeight === 0) return false;
    let isNews = false;
    for (const item of list.children) {
      const { id } = (item as HTMLElement).dataset;
      if (id !== undefined && this.heights.measure(id, (item as HTMLElement).offsetHeight)) isNews = true;
    }
    if (this.isAtEnd) this.moveTo(box, box.scrollHeight);
    else if (this.anchor !== null && isNews) {
      const { id, index, offsetPx } = this.anchor;
      const at = cells[index]?.id === id ? index : cells.findIndex((cell) => cell.id === id);
      if (at >= 0) this.moveTo(box, this.heights.topOf(at) + offsetPx);
    }
    return isNews;
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
