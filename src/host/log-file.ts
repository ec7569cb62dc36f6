// The log on disk: one JSON object a line, readable by its owner alone, rotated by size. Lines are collected and appended in
// one go; when the disk cannot keep up, lines are dropped and the file says how many.
import { appendFile, chmod, rename, stat } from "node:fs/promises";

export interface LogFileOptions {
  readonly path: string;
  readonly bytesMax?: number;
  /** How many old files are kept beside the newest: `PATH.1`, `PATH.2`, … */
  readonly oldFilesMax?: number;
}

const FILE_BYTES_MAX = 5 * 1024 * 1024;
const OLD_FILES_MAX = 3;
const WAITING_CHARS_MAX = 8 * 1024 * 1024;

export class LogFile {
  private readonly path: string;
  private readonly bytesMax: number;
  private readonly oldFilesMax: number;
  private waiting: string[] = [];
  private waitingChars = 0;
  private droppedCount = 0;
  private writing: Promise<void> | null = null;
  private queuedCount = 0;
  private writtenCount = 0;
  private readonly flushing: (() => void)[] = [];
  private sizeBytes: number | null = null;

  constructor({ path, bytesMax = FILE_BYTES_MAX, oldFilesMax = OLD_FILES_MAX }: LogFileOptions) {
    this.path = path;
    this.bytesMax = bytesMax;
    this.oldFilesMax = oldFilesMax;
  }

  write(line: string): void {
    if (this.waitingChars > WAITING_CHARS_MAX) {
      this.droppedCount += 1;
      return;
    }
    this.waiting.push(line);
    this.queuedCount += 1;
    this.waitingChars += line.length;
    this.writing ??= this.drain();
  }

  /** All that was written so far is on disk, or could not be. */
  async flush(): Promise<void> {
    const wanted = this.queuedCount;
    while (this.writtenCount < wanted) await new Promise<void>((resolve) => this.flushing.push(resolve));
  }

  // Lines that come while one write is under way wait for the next.
  private async drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) {
      const takenCount = this.queuedCount;
      const text = this.takeWaiting();
      try {
        await this.append(text);
      } catch {
        // A full or vanished disk must not end the daemon; the lines are still in its history.
        this.sizeBytes = null;
      }
      this.writtenCount = takenCount;
      for (const resolve of this.flushing.splice(0)) resolve();
    }
    this.writing = null;
  }

  private takeWaiting(): string {
    const lines = this.waiting;
    if (this.droppedCount > 0) lines.push(JSON.stringify({ dropped_lines: this.droppedCount }));
    this.waiting = [];
    this.waitingChars = 0;
    this.droppedCount = 0;
    return `${lines.join("\n")}\n`;
  }

  private async append(text: string): Promise<void> {
    this.sizeBytes ??= await sizeOf(this.path);
    if (this.sizeBytes > 0 && this.sizeBytes + text.length > this.bytesMax) await this.rotate();
    const isNew = this.sizeBytes === 0;
    await appendFile(this.path, text, { mode: 0o600 });
    if (isNew) await chmod(this.path, 0o600);
    this.sizeBytes += Buffer.byteLength(text);
  }

  private async rotate(): Promise<void> {
    for (let number = this.oldFilesMax; number > 0; number -= 1) {
      const from = number === 1 ? this.path : `${this.path}.${number - 1}`;
      await rename(from, `${this.path}.${number}`).catch(() => undefined);
    }
    this.sizeBytes = 0;
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
