// Keeps the last bytes of a command's output, and never cuts inside a character.

export class OutputTail {
  private readonly bytesMax: number;
  private chunks: { text: string; bytes: number }[] = [];
  private bytes = 0;
  private dropped = false;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  push(text: string): void {
    const bytes = bytesOf(text);
    this.chunks.push({ text, bytes });
    this.bytes += bytes;
    let first = this.chunks[0];
    while (first !== undefined && this.bytes - first.bytes >= this.bytesMax) {
      this.bytes -= first.bytes;
      this.chunks.shift();
      this.dropped = true;
      first = this.chunks[0];
    }
  }

  read(): { text: string; truncated: boolean } {
    const text = this.chunks.map((chunk) => chunk.text).join("");
    this.chunks = [{ text, bytes: this.bytes }];
    if (this.bytes <= this.bytesMax) return { text, truncated: this.dropped };
    return { text: lastBytes(text, this.bytesMax), truncated: true };
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8");

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

// 0x80 to 0xBF are the bytes inside a character: a cut goes forward to where one begins.
function lastBytes(text: string, count: number): string {
  const bytes = encoder.encode(text);
  let from = Math.max(0, bytes.length - count);
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return decoder.decode(bytes.subarray(from));
}
