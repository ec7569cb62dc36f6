// What the agent writes, made into utterances while it comes: a paragraph, a list item or a heading is one line and is said
// when it is complete, never in the middle of a sentence. Code is announced, said line by line, and its end is told.
//
//   The separator lost its space:
//   Code, ts.
//   return out.join(", ");
//   End of code.
import { plainText } from "../../../text/row.js";
import { createMarkdownStream, type MarkdownStream } from "../markdown/markdown-stream.js";
import type { Style } from "../style/style.js";

/** What is listened to has no looks. */
const UNPAINTED: Style = { depth: "none", changes: "coloured", paint: (_, text) => text };
/** Nobody wraps here: a listener has no width, and the terminal breaks the line by itself. */
const ANY_WIDTH_CELLS = 1_000;

const FENCE = /^\s*(?:[-*+>]\s+)*(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;

export class SpokenProse {
  private readonly stream: MarkdownStream = createMarkdownStream({ style: UNPAINTED, wrap: "terminal" });
  private unfinished = "";
  /** The marks that opened the code, which its end has to repeat. */
  private fence: string | null = null;
  /** The gap before a block of code is no line of it. */
  private isCodeBegun = false;
  private readonly lines: string[] = [];

  append(delta: string): void {
    const text = this.unfinished + delta;
    const end = text.lastIndexOf("\n") + 1;
    this.unfinished = text.slice(end);
    if (end === 0) return;
    for (const line of text.slice(0, end - 1).split("\n")) this.takeLine(`${line}\n`);
  }

  finish(): void {
    if (this.unfinished !== "") this.takeLine(this.unfinished);
    this.unfinished = "";
    this.stream.finish();
    this.collect();
    if (this.fence !== null) this.endCode();
  }

  /** What is complete, each line once. */
  take(): string[] {
    return this.lines.splice(0);
  }

  private takeLine(line: string): void {
    this.stream.append(line);
    this.collect();
    const mark = FENCE.exec(line.trimEnd());
    if (mark === null) return;
    const [, marks = "", language = ""] = mark;
    if (this.fence === null) {
      this.fence = marks;
      this.isCodeBegun = false;
      this.lines.push(language === "" ? "Code." : `Code, ${language}.`);
    } else if (language === "" && marks.startsWith(this.fence)) {
      this.endCode();
    }
  }

  private endCode(): void {
    this.fence = null;
    this.isCodeBegun = false;
    this.lines.push("End of code.");
  }

  // Empty rows part paragraphs for the eye. In code they are part of it.
  private collect(): void {
    for (const row of this.stream.takeSettled(ANY_WIDTH_CELLS)) {
      const words = plainText(row).trimEnd();
      if (words === "" && !this.isCodeBegun) continue;
      this.isCodeBegun = this.fence !== null;
      this.lines.push(words);
    }
  }
}
