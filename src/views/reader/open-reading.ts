// Something long that is read out page by page: each wish for more goes on where the last one ended.
import { humanCount } from "../../text/humanize.js";

const PAGE_LINES = 40;

export class OpenReading {
  private readonly lines: readonly string[];
  private at = 0;

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  get isAtEnd(): boolean {
    return this.at >= this.lines.length;
  }

  page(): string[] {
    const page = this.lines.slice(this.at, this.at + PAGE_LINES);
    this.at += page.length;
    const left = this.lines.length - this.at;
    return [...page, left === 0 ? "End." : `${humanCount(left)} more lines; /open goes on.`];
  }
}
