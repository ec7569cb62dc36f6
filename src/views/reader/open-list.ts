// The list that is before the user, if any: its choices are said with numbers, and the next line chooses one by its number or a part
// of its words, narrows the list, or, when it is empty, chooses nothing. A long list is said in part.
import { humanCount } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import type { Option } from "../inline/slash-runner.js";

const SAID_MAX = 20;

export interface OpenListPorts {
  say(lines: readonly string[]): void;
  /** It is gone, and no other came in its place. */
  onClosed(): void;
}

interface List {
  readonly title: string;
  /** Those that are left after narrowing. */
  readonly options: readonly Option[];
  readonly onChosen: (value: string) => void;
}

export class OpenList {
  private readonly ports: OpenListPorts;
  private open: List | null = null;

  constructor(ports: OpenListPorts) {
    this.ports = ports;
  }

  get isOpen(): boolean {
    return this.open !== null;
  }

  choose(title: string, options: readonly Option[], onChosen: (value: string) => void): void {
    this.open = { title, options, onChosen };
    this.ports.say(linesOf(this.open));
  }

  pick(line: string): void {
    if (this.open === null) return;
    const list = this.open;
    const typed = line.trim().toLowerCase();
    const found = list.options.filter((option) => wordsOf(option).toLowerCase().includes(typed));
    const byNumber = /^\d+$/.test(typed) ? list.options.slice(0, SAID_MAX)[Number(typed) - 1] : undefined;
    const chosen = byNumber ?? (found.length === 1 ? found[0] : undefined);
    if (typed === "") this.close(() => this.ports.say(["Notice: nothing was chosen."]));
    else if (chosen !== undefined) this.close(() => list.onChosen(chosen.value));
    else if (found.length === 0) this.ports.say(["No entry in the list matches.", ...linesOf(list)]);
    else this.choose(list.title, found, list.onChosen);
  }

  // A choice may open the next list.
  private close(run: () => void): void {
    this.open = null;
    run();
    if (!this.isOpen) this.ports.onClosed();
  }
}

function linesOf({ title, options }: List): string[] {
  const said = options.slice(0, SAID_MAX).map((option, at) => `${at + 1} ${wordsOf(option)}`);
  const hidden = options.length - said.length;
  const more = hidden <= 0 ? [] : [`${humanCount(hidden)} more; type a part of the words to narrow the list.`];
  return [
    `List: ${safeLine(title)}`,
    ...said,
    ...more,
    "Type a number and press Enter; an empty line chooses nothing.",
  ];
}

function wordsOf({ label, detail }: Option): string {
  return [label, detail].map(safeLine).filter(Boolean).join(", ");
}
