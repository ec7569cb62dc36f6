// The list that is before the person, if any: it is said, the next line chooses from it, narrows it, or chooses nothing.
import type { Option } from "../inline/slash-runner.js";
import { NumberedList } from "./numbered-list.js";

export interface OpenListPorts {
  say(lines: readonly string[]): void;
  /** It is gone, and no other came in its place. */
  onClosed(): void;
}

export class OpenList {
  private readonly ports: OpenListPorts;
  private open: { readonly now: NumberedList; readonly onChosen: (value: string) => void } | null = null;

  constructor(ports: OpenListPorts) {
    this.ports = ports;
  }

  get isOpen(): boolean {
    return this.open !== null;
  }

  choose(title: string, options: readonly Option[], onChosen: (value: string) => void): void {
    this.open = { now: new NumberedList(title, options), onChosen };
    this.ports.say(this.open.now.lines);
  }

  pick(line: string): void {
    if (this.open === null) return;
    const { now, onChosen } = this.open;
    const read = now.read(line);
    if (read.type === "again") {
      this.open = { now: read.list, onChosen };
      this.ports.say(read.list === now ? ["Nothing in the list is called that.", ...now.lines] : read.list.lines);
      return;
    }
    this.open = null;
    if (read.type === "chosen") onChosen(read.value);
    else this.ports.say(["Notice: nothing was chosen."]);
    // A choice may have opened the next list.
    if (!this.isOpen) this.ports.onClosed();
  }
}
