// Splits a stream of bytes into lines, on the byte 0x0A alone, and decodes each line after it is whole. Doing it in
// this order is what keeps a character that was cut in two chunks, a U+2028 inside a string, and a carriage return
// inside a line from being taken for something else. A line over the limit costs no memory: its bytes are counted and
// dropped, and the next line is read as if nothing had happened.
import { FAULT_EXCERPT_CHARS_MAX, FRAME_BYTES_MAX } from "../contract/limits.js";

export type RawLine = { kind: "line"; text: string } | { kind: "overlong"; lengthBytes: number; excerpt: string };

export type LineSplitter = {
  /** The lines that this chunk completed. The chunk may be reused by the caller afterwards. */
  push(chunk: Uint8Array): RawLine[];
  /** The stream is over: what stands after the last newline, if anything, is a line too. */
  end(): RawLine[];
};

const NEWLINE = 0x0a;
const nothing = new Uint8Array(0);

export function createLineSplitter(options: { lineBytesMax?: number } = {}): LineSplitter {
  const lineBytesMax = options.lineBytesMax ?? FRAME_BYTES_MAX;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // The beginning of a line, in one buffer that doubles: a line may arrive byte by byte, and a piece for every byte would
  // cost a hundred times as much memory as the line.
  let held: Uint8Array = nothing;
  let heldBytes = 0;

  // Beyond the limit only the beginning is kept, for the report.
  function hold(part: Uint8Array): void {
    const kept = part.subarray(0, Math.max(0, lineBytesMax + 1 - heldBytes));
    if (kept.length > 0) {
      held = withRoom(held, heldBytes, kept.length);
      held.set(kept, heldBytes);
    }
    heldBytes += part.length;
  }

  function take(last: Uint8Array): RawLine {
    if (heldBytes === 0 && last.length <= lineBytesMax) return lineOf(decoder.decode(last));
    hold(last);
    const lengthBytes = heldBytes;
    const line = held.subarray(0, lengthBytes);
    held = nothing;
    heldBytes = 0;
    if (lengthBytes <= lineBytesMax) return lineOf(decoder.decode(line));
    return { kind: "overlong", lengthBytes, excerpt: decoder.decode(line.subarray(0, FAULT_EXCERPT_CHARS_MAX)) };
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
        hold(chunk);
        return [];
      }
      const firstLine = take(chunk.subarray(0, first));
      const last = chunk.lastIndexOf(NEWLINE);
      const between = chunk.subarray(first + 1, last);
      const others = last === first ? [] : between.length <= lineBytesMax ? takeTogether(between) : takeEach(between);
      hold(chunk.subarray(last + 1));
      return [firstLine, ...others];
    },
    end() {
      return heldBytes === 0 ? [] : [take(new Uint8Array(0))];
    },
  };
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
