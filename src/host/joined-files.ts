// Several files read as one: the older ones first, each byte under its place in the whole. They are opened together, so that a
// rotation in the meantime changes nothing for the reader; a missing file counts as empty.
import { type FileHandle, open } from "node:fs/promises";

interface Part {
  readonly handle: FileHandle;
  /** Where it begins in the whole. */
  readonly at: number;
  readonly sizeBytes: number;
}

export class JoinedFiles {
  readonly sizeBytes: number;
  private readonly parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  }

  static async open(paths: readonly string[]): Promise<JoinedFiles> {
    const parts: Part[] = [];
    let at = 0;
    for (const path of paths) {
      const handle = await open(path, "r").catch(() => null);
      if (handle === null) continue;
      const { size } = await handle.stat();
      parts.push({ handle, at, sizeBytes: size });
      at += size;
    }
    return new JoinedFiles(parts);
  }

  /** The bytes of a range, as far as there are any. */
  async read(from: number, to: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (const { handle, at, sizeBytes } of this.parts) {
      const [start, end] = [Math.max(from, at), Math.min(to, at + sizeBytes)];
      if (end <= start) continue;
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(end - start), 0, end - start, start - at);
      pieces.push(buffer.subarray(0, bytesRead));
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await Promise.all(this.parts.map(({ handle }) => handle.close().catch(() => undefined)));
  }
}
