// A list to choose from, by ear: the choices have numbers, one types a number or a part of the words, an empty line is no
// choice. A long list is said in part and can be narrowed.
import { humanCount } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import type { Option } from "../inline/slash-runner.js";

const SAID_MAX = 20;

export type ListRead =
  | { readonly type: "chosen"; readonly value: string }
  | { readonly type: "cancelled" }
  | { readonly type: "again"; readonly list: NumberedList };

export class NumberedList {
  private readonly title: string;
  private readonly options: readonly Option[];
  /** Those that are left after narrowing, as indexes. */
  private readonly left: readonly number[];

  constructor(title: string, options: readonly Option[], left: readonly number[] = options.map((_, index) => index)) {
    this.title = title;
    this.options = options;
    this.left = left;
  }

  get lines(): string[] {
    const said = this.left.slice(0, SAID_MAX).map((index, at) => `${at + 1} ${wordsOf(this.options[index])}`);
    const hidden = this.left.length - said.length;
    const more = hidden <= 0 ? [] : [`${humanCount(hidden)} more; type a part of the words to narrow the list.`];
    return [
      `List: ${safeLine(this.title)}`,
      ...said,
      ...more,
      "Type a number and press Enter; an empty line chooses nothing.",
    ];
  }

  read(line: string): ListRead {
    const typed = line.trim().toLowerCase();
    if (typed === "") return { type: "cancelled" };
    const byNumber = /^\d+$/.test(typed) ? this.left.slice(0, SAID_MAX)[Number(typed) - 1] : undefined;
    const found = this.left.filter((index) => wordsOf(this.options[index]).toLowerCase().includes(typed));
    const only = byNumber ?? (found.length === 1 ? found[0] : undefined);
    const value = only === undefined ? undefined : this.options[only]?.value;
    if (value !== undefined) return { type: "chosen", value };
    return { type: "again", list: found.length === 0 ? this : new NumberedList(this.title, this.options, found) };
  }
}

function wordsOf(option: Option | undefined): string {
  if (option === undefined) return "";
  return [option.label, option.detail].map(safeLine).filter(Boolean).join(", ");
}
