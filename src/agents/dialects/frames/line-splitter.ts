// Splits a stream of bytes into lines, on the byte 0x0A alone, and only then makes text of them. Doing it in this order is
// what keeps a character that was cut in two chunks, a U+2028 inside a string, and a carriage return inside a line from
// being taken for something else. A line over the limit costs no memory: its bytes are counted and dropped, and the next
// line is read as if nothing had happened.
import { FAULT_EXCERPT_CHARS_MAX, FRAME_BYTES_MAX } from "../../../contract/limits.js";

export type RawLine = { kind: "line"; text: string } | { kind: "overlong"; lengthBytes: number; excerpt: string };

export type UnfinishedLine = {
  /** 0 when the last line has ended. */
  readonly lengthBytes: number;
  /** The first part of it, as text. */
  excerpt(): string;
};

export type LineSplitter = {
  /** The lines that this chunk completed. The chunk may be reused by the caller afterwards. */
  push(chunk: Uint8Array): RawLine[];
  /** The stream is over: what stands after the last newline, if anything, is a line too. */
  end(): RawLine[];
  /** The beginning of a line whose end has not come yet; it changes with every chunk. */
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

  // All whole lines of a chunk in one go. Decoding first and splitting then is the same here as the other way round:
  // 0x0A is never part of a longer UTF-8 sequence, and the decoder gives up a broken one before it.
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

/** A piece is so long before it becomes text: a line may arrive byte by byte, and a string for every byte would cost much. */
const PIECE_BYTES = 64 * 1024;

// The beginning of a line whose end has not come yet. It becomes text while it arrives, so that nobody waits for all of
// thirty megabytes at their end.
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

  // Beyond the limit only the beginning is kept, for the report.
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
