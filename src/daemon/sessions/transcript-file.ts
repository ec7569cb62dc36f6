// The transcript of a hosted session on disk: one JSON object a line, private to its owner, old parts given up by size. It is
// written as things settle and read when somebody needs what memory has given up.
//
//   {"session":"20260101-120000-1f2e3d4c"}
//   {"seq":1700000000000042,"event":{"type":"message.finished",…}}
import { createReadStream } from "node:fs";
import { createLineSplitter } from "../../wire/line-splitter.js";
import { LogFile } from "../logs/log-file.js";
import { lineOf, type SessionItem } from "./kept-item.js";

export interface WrittenItem {
  readonly seq: number;
  /** The event of the stream without its id. */
  readonly frame: string;
}

/** "beginning" comes first when all that was ever written is still there. */
export type ReadItem = WrittenItem | "beginning";

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const OLD_FILES_MAX = 1;

export class TranscriptFile {
  private readonly path: string;
  private readonly file: LogFile;

  constructor(path: string) {
    this.path = path;
    this.file = new LogFile({ path, bytesMax: FILE_BYTES_MAX, oldFilesMax: OLD_FILES_MAX });
  }

  begin(sessionId: string): void {
    this.file.write(JSON.stringify({ session: sessionId }));
  }

  /** Goes on in a file whose last line a crash may have torn. */
  goOn(): void {
    this.file.write("");
  }

  write(item: SessionItem, seq: number): void {
    this.file.write(lineOf(item, seq));
  }

  flush(): Promise<void> {
    return this.file.flush();
  }

  /** Everything between two numbers, the second one included. A torn line is left out. */
  async *read(afterSeq: number, upToSeq: number): AsyncGenerator<ReadItem, void, void> {
    await this.file.flush();
    const streams = [`${this.path}.${OLD_FILES_MAX}`, this.path].map((path) => createReadStream(path));
    try {
      for (const stream of streams) {
        for await (const item of itemsIn(stream)) {
          if (item === "beginning") yield item;
          else if (item.seq > afterSeq && item.seq <= upToSeq) yield item;
        }
      }
    } finally {
      for (const stream of streams) stream.destroy();
    }
  }
}

async function* itemsIn(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ReadItem, void, void> {
  const splitter = createLineSplitter();
  try {
    for await (const chunk of stream) {
      for (const line of splitter.push(chunk)) {
        const item = line.kind === "line" ? itemOf(line.text) : null;
        if (item !== null) yield item;
      }
    }
  } catch {
    // No such file, or one that cannot be read: there is nothing in it for us.
  }
}

const HEAD = /^\{"seq":(\d{1,16}),"(event|settled)":/;

// What is sent is what is written: the text is cut out of the line, after a look whether the line is whole.
function itemOf(line: string): ReadItem | null {
  if (line.startsWith('{"session":')) return "beginning";
  const [head, seq, kind] = HEAD.exec(line) ?? [];
  if (head === undefined || !isJson(line)) return null;
  const data = `data: ${line.slice(head.length, -1)}\n\n`;
  return { seq: Number(seq), frame: kind === "settled" ? `event: settled\n${data}` : data };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
