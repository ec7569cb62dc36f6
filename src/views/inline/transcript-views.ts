// The transcripts of all sessions as lines and rows, one view each, in the current appearance. Settled lines of the active
// session are passed on to the scrollback here, in slices if there are many.

import type { SessionState } from "../../session/engine/engine-state.js";
import type { Block } from "../../session/transcript/block.js";
import { TranscriptView, type TranscriptViewOptions } from "../../terminal/painter/blocks/transcript-view.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import type { ImageQueue } from "../../terminal/pictures/image-queue.js";
import { rowWidth } from "../../text/row.js";
import type { AppLook } from "./app-look.js";

export interface TranscriptViewsParts {
  readonly folder: string;
  readonly look: AppLook;
  readonly clock: ScreenClock;
  /** null where pictures are only words. */
  readonly pictures: Pick<ImageQueue, "linesFor"> | null;
  /** A message as it stood in the composer. */
  foldedPrompt(text: string): string;
  windowRows(): number;
  /** Whether the terminal rewraps settled lines. */
  reflows(): boolean;
  settle(lines: readonly string[]): void;
  /** There is more to settle after a short rest. */
  onMore(): void;
}

/** Where words are wrapped that are not on the screen. */
const USUAL_COLUMNS = 80;
/** Of a long message its end is laid out again. */
const RECALLED_UNITS_MAX = 20_000;
/** Between two slices of something huge: time for keys. */
const REST_MS = 5;

export class TranscriptViews {
  private readonly parts: TranscriptViewsParts;
  private readonly views = new Map<number, TranscriptView>();
  private cancelRest: (() => void) | null = null;

  constructor(parts: TranscriptViewsParts) {
    this.parts = parts;
  }

  /** `session` is the key of one. */
  of(session: number): TranscriptView {
    const known = this.views.get(session);
    if (known !== undefined) return known;
    const view = new TranscriptView(this.options());
    this.views.set(session, view);
    return view;
  }

  /** Everything that is still to be drawn has the look of now. */
  restyle(): void {
    for (const view of this.views.values()) view.setOptions(this.options());
  }

  /** The session is over. */
  drop(session: number): void {
    this.views.delete(session);
  }

  settle(session: number, columns: number): void {
    const view = this.of(session);
    const lines = view.takeSettled(columns);
    if (lines.length > 0) this.parts.settle(lines);
    if (!view.isBehind || this.cancelRest !== null) return;
    this.cancelRest = this.parts.clock.after(REST_MS, () => {
      this.cancelRest = null;
      this.parts.onMore();
    });
  }

  /** The last chance: all of it, however much it is. */
  settleAll(session: number, columns: number): void {
    do this.settle(session, columns);
    while (this.of(session).isBehind);
    this.cancelRest?.();
  }

  /** What was not shown of a session that is over, under its name; nothing when there is none. */
  settleUnseen(session: number, head: () => readonly string[]): void {
    const view = this.of(session);
    view.begunBelow();
    const lines = view.takeSettled(USUAL_COLUMNS);
    if (lines.length > 0) this.parts.settle([...head(), ...lines]);
  }

  /** The last rows of a session that were shown before; what is unread follows them. Pictures are words here. */
  lastShown({ key, journal }: SessionState, columns: number, rowsMax: number): string[] {
    const { pictureLines: _, ...options } = this.options();
    const [unread, again] = [this.of(key), new TranscriptView(options)];
    const shown = journal.blocks.filter(({ id }) => !unread.holds(id)).slice(-Math.max(1, rowsMax));
    for (const block of shown.map(shortened)) {
      again.follow({ type: "opened", block });
      again.follow({ type: "closed", block });
    }
    const lines: string[] = [];
    do lines.push(...again.takeSettled(columns));
    while (again.isBehind);
    const last = lastRows(lines, columns, rowsMax);
    const { style, glyphs } = options;
    return last.length === lines.length ? lines : [style.paint("dim", `${glyphs.more} ctrl+o`), ...last];
  }

  private options(): TranscriptViewOptions {
    const { pictures, look, foldedPrompt, windowRows, folder } = this.parts;
    const { style, glyphs, thinking, outputLinesMax } = look;
    const wrap = look.wrap === "auto" ? (this.parts.reflows() ? "terminal" : "words") : look.wrap;
    const options = { style, glyphs, wrap, thinking, outputLinesMax, foldedPrompt, windowRows, folder };
    if (pictures === null || look.images === "off") return options;
    return { ...options, pictureLines: (base64, widthCells) => pictures.linesFor(base64, widthCells) };
  }
}

/** The last lines that fit into so many rows. */
function lastRows(lines: readonly string[], columns: number, rowsMax: number): readonly string[] {
  let rows = 0;
  const from = lines.findLastIndex((line) => {
    rows += Math.max(1, Math.ceil(rowWidth(line) / columns));
    return rows > rowsMax;
  });
  return lines.slice(from + 1);
}

function shortened(block: Block): Block {
  if (!("text" in block) || block.text.length <= RECALLED_UNITS_MAX) return block;
  const end = block.text.slice(-RECALLED_UNITS_MAX);
  return { ...block, text: end.slice(end.indexOf("\n") + 1) };
}
