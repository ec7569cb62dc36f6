// A block of code as an element that grows line by line. Lines that came before the colours are coloured when those are loaded.
import { effect } from "@preact/signals";
import type { Run } from "../../text/code/grammar-run.js";
import type { LineHighlighter } from "../../text/code/highlight.js";
import type { Language } from "../../text/code/languages.js";
import { safeLine } from "../../text/safe.js";
import { classOf, element } from "./element.js";
import { highlight, loadHighlighter } from "./highlighter.js";

export class CodeNodes {
  readonly element: HTMLElement;
  private readonly code = element("code", "");
  private readonly tail = element("span", "");
  private readonly lines: string[] = [];
  private lineHighlighter: LineHighlighter | null = null;
  private long: string[] | null = null;

  constructor(language: Language | undefined, info: string) {
    const copy = element("button", "quiet copy", "copy");
    copy.type = "button";
    copy.onclick = () => void copyText(this.lines.join("\n"), copy);
    const bar = element(
      "figcaption",
      "code-bar",
      element("span", "dim", safeLine(language ?? info.slice(0, 32))),
      copy,
    );
    const pre = element("pre", "", this.code);
    pre.tabIndex = 0;
    this.element = element("figure", "code", bar, pre);
    this.code.append(this.tail);
    if (language !== undefined) this.colour(language);
  }

  addLine(line: string): void {
    this.lines.push(line);
    this.tail.replaceChildren();
    this.tail.before(...this.nodesOf(this.lineHighlighter?.take(line) ?? plain(line), this.lines.length > 1));
  }

  setGrowing(line: string): void {
    if (line === "") this.tail.replaceChildren();
    else
      this.tail.replaceChildren(
        ...this.nodesOf(this.lineHighlighter?.peek(line) ?? plain(line), this.lines.length > 0),
      );
  }

  beginLongLine(start: string): void {
    this.long = [];
    this.setGrowing("");
    this.addToLongLine(start);
  }

  addToLongLine(text: string): void {
    this.tail.append(...(this.long?.length === 0 && this.lines.length > 0 ? ["\n"] : []), safeLine(text));
    this.long?.push(text);
  }

  endLongLine(): void {
    const line = this.long?.join("") ?? "";
    this.long = null;
    this.addLine(line);
  }

  finish(): void {
    this.tail.replaceChildren();
  }

  draw(): void {}

  private colour(language: Language): void {
    loadHighlighter();
    const stop = effect(() => {
      const module = highlight.value;
      if (module === null) return;
      this.lineHighlighter = new module.LineHighlighter(language);
      const lines = this.lines.splice(0);
      if (lines.length > 0) this.code.replaceChildren(this.tail);
      for (const line of lines) this.addLine(line);
      queueMicrotask(() => stop());
    });
  }

  private nodesOf(runs: readonly Run[], hasLineBefore: boolean): (Node | string)[] {
    return [...(hasLineBefore ? ["\n"] : []), ...runNodes(runs)];
  }
}

function plain(line: string): readonly Run[] {
  return [{ text: safeLine(line), look: undefined }];
}

function runNodes(runs: readonly Run[]): (Node | string)[] {
  return runs.map(({ text, look }) => (look === undefined ? text : element("span", classOf(look), text)));
}

/** Without a clipboard, which plain HTTP has not, it says so. */
async function copyText(text: string, button: HTMLElement): Promise<void> {
  const words = button.textContent ?? "";
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    button.textContent = "no clipboard here";
  }
  setTimeout(() => {
    button.textContent = words;
  }, 1_500);
}
