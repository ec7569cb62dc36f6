// Output of any length in a bounded place: its beginning, its end, and how much was left out between them. The beginning
// says what was going on, the end says how it went.
//
//   [ head ............ ][ … 1,204,551 characters left out … ][ ............ tail ]
import { counted } from "./attempt.js";

export type OutputLimits = { readonly headCharsMax: number; readonly tailCharsMax: number };

export class OutputWindow {
  private readonly limits: OutputLimits;
  private head = "";
  private tail = "";
  private total = 0;
  private newlines = 0;
  private endsWithNewline = true;

  constructor(limits: OutputLimits) {
    this.limits = limits;
  }

  add(text: string): void {
    if (text === "") return;
    this.total += text.length;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.newlines++;
    this.endsWithNewline = text.endsWith("\n");
    const room = this.limits.headCharsMax - this.head.length;
    this.head += text.slice(0, room);
    this.keepTail(text.slice(room));
  }

  // Cutting at every chunk would copy the tail again and again; it may grow to twice its size in between.
  private keepTail(text: string): void {
    this.tail += text.slice(-2 * this.limits.tailCharsMax);
    if (this.tail.length > 2 * this.limits.tailCharsMax) this.tail = this.tail.slice(-this.limits.tailCharsMax);
  }

  get totalChars(): number {
    return this.total;
  }

  get lines(): number {
    return this.newlines + (this.endsWithNewline ? 0 : 1);
  }

  get text(): string {
    const tail = this.tail.slice(-this.limits.tailCharsMax);
    const left = this.total - this.head.length - tail.length;
    return left <= 0 ? this.head + tail : `${this.head}\n[… ${counted(left, "character")} left out …]\n${tail}`;
  }
}
