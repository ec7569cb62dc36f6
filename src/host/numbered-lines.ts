// Finds lines by their number in a file whose lines begin with numbers that grow, without reading what is not wanted: the file
// is halved until a small range is left. Lines without a number are passed over.
//
//   {"seq":40,…}⏎{"seq":41,…}⏎{"seq":45,…}⏎ … ⏎{"seq":90,…}⏎
//               └ from ─────── around 44 ── to ┘
import type { JoinedFiles } from "./joined-files.js";

export interface ByteRange {
  /** The beginning of a line. */
  readonly from: number;
  /** The end of a line. */
  readonly to: number;
}

const WINDOW_BYTES = 64 * 1024;
const HEAD_BYTES = 64;
const NUMBER = /^\{"seq":(\d{1,16}),/;
const LINE_FEED = 0x0a;

/** A range that holds the place between the last line with at most this number and the first with a greater one. */
export async function rangeAround(files: JoinedFiles, seq: number): Promise<ByteRange> {
  let [low, high] = [0, files.sizeBytes];
  while (high - low > WINDOW_BYTES) {
    const middle = Math.floor((low + high) / 2);
    const line = await numberedLineAfter(files, middle, high);
    if (line === null || line.seq > seq) high = middle;
    else low = line.at;
  }
  return { from: low, to: (await lineFeedFrom(files, high)) ?? files.sizeBytes };
}

async function numberedLineAfter(files: JoinedFiles, place: number, end: number): Promise<NumberedLine | null> {
  for (let at = await lineFeedFrom(files, place); at !== null && at < end; at = await lineFeedFrom(files, at)) {
    const head = Buffer.from(await files.read(at, at + HEAD_BYTES)).toString("latin1");
    const [, seq] = NUMBER.exec(head) ?? [];
    if (seq !== undefined) return { at, seq: Number(seq) };
  }
  return null;
}

interface NumberedLine {
  readonly at: number;
  readonly seq: number;
}

/** The place behind the first line feed from here on; null when there is none. */
async function lineFeedFrom(files: JoinedFiles, place: number): Promise<number | null> {
  for (let from = place; from < files.sizeBytes; from += WINDOW_BYTES) {
    const at = (await files.read(from, from + WINDOW_BYTES)).indexOf(LINE_FEED);
    if (at >= 0) return from + at + 1;
  }
  return null;
}
