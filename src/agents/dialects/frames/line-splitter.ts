// Splits bytes into lines at 0x0A, and only then decodes them: characters cut by a chunk, U+2028 and carriage returns inside a
// line are safe. A line over the limit is counted and dropped, and costs no memory.
import { FAULT_EXCERPT_CHARS_MAX, FRAME_BYTES_MAX } from "../../../contract/limits.js";

export type RawLine = { kind: "line"; text: string } | { kind: "overlong"; lengthBytes: number; excerpt: string };

export type UnfinishedLine = {
  /** 0 when the last line has ended. */
  readonly lengthBytes: number;
  /** The first part of it, as text. */
  excerpt(): string;
};

export type LineSplitter = {
  /** The lines that this chunk completed. The caller may reuse the chunk. */
  push(chunk: Uint8Array): RawLine[];
  /** The stream ended; text after the last newline is a line too. */
  end(): RawLine[];
  /** The line that is not complete; it changes with every chunk. */
  readonly unfinished: UnfinishedLine;
};

const NEWLINE = 0x0a;

export function createLineSplitter(options: { lineBytesMax?: number } = {}): LineSplitter {
  const lineBytesMax = options.lineBytesMax ?? FRAME_BYTES_MAX;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const held = new HeldLine(lineBytesMax);

  function take(last: Uint8Array): RawLine {
    if (held.lengthBytes === 0 && last.length <= lineBytesMax) return lineOf(decoder.decode(last));
    held.add(last);
    return held.take();
  }

  // All whole lines of a chunk at once. 0x0A is never part of a longer UTF-8 sequence, and the decoder ends a broken one
  // before it, so decoding first gives the same lines.
  function takeTogether(chunk: Uint8Array): RawLine[] {
    return decoder.decode(chunk).split("\n").map(lineOf);
  }

  function takeEach(chunk: Uint8Array): RawLine[] {
    const lines: RawLine[] = [];
    for (let from = 0, at = 0; at >= 0; from = at + 1) {
      at = chunk.indexOf(NEWLINE, from);
      lines.push(take(chunk.subarray(from, at < 0 ? chunk.length : at)));
    }
    return lines;
  }

  return {
    push(chunk) {
      const first = chunk.indexOf(NEWLINE);
      if (first < 0) {
        held.add(chunk);
        return [];
      }
      const firstLine = take(chunk.subarray(0, first));
      const last = chunk.lastIndexOf(NEWLINE);
      const between = chunk.subarray(first + 1, last);
      const others = last === first ? [] : between.length <= lineBytesMax ? takeTogether(between) : takeEach(between);
      held.add(chunk.subarray(last + 1));
      return [firstLine, ...others];
    },
    end() {
      return held.lengthBytes === 0 ? [] : [take(new Uint8Array(0))];
    },
    unfinished: held,
  };
}

/** Decoded in pieces of this size: a line may arrive byte by byte. */
const PIECE_BYTES = 64 * 1024;

// The line that is not complete. It is decoded while it arrives, so that the end of a long line costs no pause.
class HeldLine implements UnfinishedLine {
  lengthBytes = 0;
  private readonly lineBytesMax: number;
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  private pieces: string[] = [];
  private bytes: Uint8Array = new Uint8Array(0);
  private usedBytes = 0;

  constructor(lineBytesMax: number) {
    this.lineBytesMax = lineBytesMax;
  }

  // Beyond the limit, only the beginning is kept for the fault.
  add(part: Uint8Array): void {
    const kept = part.subarray(0, Math.max(0, this.lineBytesMax + 1 - this.lengthBytes));
    this.lengthBytes += part.length;
    for (let from = 0; from < kept.length; ) {
      const piece = kept.subarray(from, from + PIECE_BYTES - this.usedBytes);
      this.bytes = withRoom(this.bytes, this.usedBytes, piece.length);
      this.bytes.set(piece, this.usedBytes);
      this.usedBytes += piece.length;
      from += piece.length;
      if (this.usedBytes === PIECE_BYTES) this.decode("more follows");
    }
  }

  take(): RawLine {
    const { lengthBytes } = this;
    this.decode("the end");
    const text = this.pieces.join("");
    this.pieces = [];
    this.bytes = new Uint8Array(0);
    this.lengthBytes = 0;
    if (lengthBytes <= this.lineBytesMax) return lineOf(text);
    return { kind: "overlong", lengthBytes, excerpt: text.slice(0, FAULT_EXCERPT_CHARS_MAX) };
  }

  excerpt(): string {
    const [first] = this.pieces;
    const text = first ?? new TextDecoder().decode(this.bytes.subarray(0, this.usedBytes));
    return text.slice(0, FAULT_EXCERPT_CHARS_MAX);
  }

  private decode(what: "more follows" | "the end"): void {
    const piece = this.bytes.subarray(0, this.usedBytes);
    this.pieces.push(this.decoder.decode(piece, { stream: what === "more follows" }));
    this.usedBytes = 0;
  }
}

function lineOf(text: string): RawLine {
  return { kind: "line", text: text.endsWith("\r") ? text.slice(0, -1) : text };
}

function withRoom(buffer: Uint8Array, usedBytes: number, moreBytes: number): Uint8Array {
  if (buffer.length >= usedBytes + moreBytes) return buffer;
  const larger = new Uint8Array(Math.max(usedBytes + moreBytes, 2 * buffer.length));
  larger.set(buffer.subarray(0, usedBytes));
  return larger;
}
