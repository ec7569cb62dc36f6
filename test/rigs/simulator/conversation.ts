// The agent's half of the simulated program: an answer that streams, a tool that runs, lines that are complete. It hands
// out what can no longer change and shows the rest as live rows, with the product's own streams.

import {
  createMarkdownStream,
  type MarkdownStream,
  markdownRows,
} from "../../../src/terminal/painter/markdown/markdown-stream.js";
import type { MarkdownOptions } from "../../../src/terminal/painter/markdown/row-blocks.js";
import { StreamTail } from "../../../src/terminal/painter/stream-tail.js";
import { createStyle } from "../../../src/terminal/painter/style/style.js";
import { safeSgrLines } from "../../../src/text/safe.js";
import { Fault } from "./fault.js";

const RUNNING_ROWS_MAX = 4;
const MARKDOWN: MarkdownOptions = { style: createStyle({ theme: "harbour", depth: "256" }), wrap: "words" };

type Answer =
  | { readonly as: "text"; readonly tail: StreamTail }
  | {
      readonly as: "markdown";
      readonly stream: MarkdownStream;
      source: string;
      settled: string[];
      widths: Set<number>;
    };

export class Conversation {
  private readonly settle: (lines: readonly string[]) => void;
  private answer: Answer | undefined;
  private running: string[] | undefined;

  constructor(settle: (lines: readonly string[]) => void) {
    this.settle = settle;
  }

  say(as: Answer["as"], text: string, widthCells: number): void {
    if (this.running !== undefined) this.stop();
    if (this.answer !== undefined && this.answer.as !== as) this.finish(widthCells);
    this.answer ??= openAnswer(as);
    if (this.answer.as === "text") this.settle(this.answer.tail.append(text));
    else {
      this.answer.stream.append(text);
      this.answer.source += text;
      this.takeSettled(this.answer, widthCells);
    }
  }

  finish(widthCells: number): void {
    const answer = this.answer;
    if (answer === undefined) return;
    this.answer = undefined;
    if (answer.as === "text") {
      this.settle(answer.tail.finish());
      return;
    }
    answer.stream.finish();
    this.takeSettled(answer, widthCells);
    checkAgainstWhole(answer);
  }

  burst(text: string, widthCells: number): void {
    this.finish(widthCells);
    this.stop();
    this.settle(safeSgrLines(text));
  }

  run(text: string, widthCells: number): void {
    this.finish(widthCells);
    this.running = [...(this.running ?? []), ...safeSgrLines(text)];
  }

  stop(): void {
    if (this.running !== undefined) this.settle(this.running);
    this.running = undefined;
  }

  rows(widthCells: number): string[] {
    const running = this.running?.slice(-RUNNING_ROWS_MAX) ?? [];
    if (this.answer === undefined) return running;
    return this.answer.as === "text" ? this.answer.tail.rows(widthCells) : this.answer.stream.liveRows(widthCells);
  }

  private takeSettled(answer: Answer & { as: "markdown" }, widthCells: number): void {
    const lines = answer.stream.takeSettled(widthCells);
    answer.widths.add(widthCells);
    answer.settled.push(...lines);
    this.settle(lines);
  }
}

function openAnswer(as: Answer["as"]): Answer {
  if (as === "text") return { as, tail: new StreamTail() };
  return { as, stream: createMarkdownStream(MARKDOWN), source: "", settled: [], widths: new Set() };
}

// A line was settled too early if the whole text, read at once, gives another one there.
function checkAgainstWhole({ source, settled, widths }: Answer & { as: "markdown" }): void {
  const [widthCells] = widths;
  if (widths.size !== 1 || widthCells === undefined) return;
  const whole = markdownRows(source, widthCells, MARKDOWN);
  const at = whole.findIndex((line, index) => line !== settled[index]);
  if (at < 0 && whole.length === settled.length) return;
  const first = at < 0 ? whole.length : at;
  throw new Fault("settled too early", "Markdown settled in pieces is not the Markdown read at once", {
    expected: whole.slice(first, first + 3),
    seen: settled.slice(first, first + 3),
  });
}
