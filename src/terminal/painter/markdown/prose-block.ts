// A paragraph or heading. Full rows are final once the kind is certain, so even an endless paragraph leaves the live
// area. Wrapped by the terminal, it is one line, final at its end.
import type { Attribute, Role } from "../style/look.js";
import { type Block, fitPrefix, type Prefix, prefixed } from "./block.js";
import type { InlineRows } from "./inline-row.js";
import { MarkupScanner, type Piece } from "./markup-scanner.js";
import { RowFlow } from "./row-flow.js";

export interface ProseOptions {
  readonly inline: InlineRows;
  readonly wrap: "words" | "terminal";
  readonly prefix: Prefix;
  readonly looks: readonly (Role | Attribute)[];
  readonly kind: "paragraph" | "heading";
}

const ENDS_IN_MARK = /[*_~`\\]$/;
const CLOSING_HASHES = /(?:^|[ \t])#+[ \t]*$/;

export class ProseBlock implements Block {
  private readonly options: ProseOptions;
  private readonly scanner = new MarkupScanner();
  private readonly flow: RowFlow;
  private phase: "doubtful" | "certain" | "finished" = "doubtful";
  private hasBegun = false;

  constructor(options: ProseOptions) {
    this.options = options;
    this.flow = new RowFlow(options.wrap === "words" ? "words" : "cells");
    if (options.kind === "heading") this.phase = "certain";
  }

  append(text: string): void {
    this.scanner.append(text);
    for (const piece of this.scanner.take()) this.flow.push(this.styled(piece));
  }

  beCertain(): void {
    if (this.phase === "doubtful") this.phase = "certain";
  }

  finish(): void {
    const { source, gap } = this.scanner.rest();
    const rest = this.options.kind === "heading" ? source.replace(CLOSING_HASHES, "") : source;
    const trimmed = rest.trim();
    if (trimmed !== "") this.flow.push(this.styled({ source: trimmed, gap }));
    this.phase = "finished";
  }

  take(widthCells: number): string[] {
    if (this.phase === "doubtful") return [];
    const prefix = fitPrefix(this.options.prefix, widthCells);
    const cells = Math.max(1, widthCells - prefix.later.length);
    if (this.phase === "certain") {
      return this.options.wrap === "terminal" ? [] : this.withPrefix(this.flow.releaseFull(cells), prefix, "settle");
    }
    const rows = this.options.wrap === "terminal" ? this.flow.releaseLogical() : this.flow.releaseAll(cells);
    return this.withPrefix(rows, prefix, "settle");
  }

  live(widthCells: number): string[] {
    const prefix = fitPrefix(this.options.prefix, widthCells);
    const rows = this.flow.rows(Math.max(1, widthCells - prefix.later.length), this.tail());
    return this.withPrefix(rows.length === 0 && !this.hasBegun ? [""] : rows, prefix, "show");
  }

  private tail(): string {
    if (this.phase === "finished") return "";
    const { source, gap } = this.scanner.rest();
    const trimmed = source.trimEnd();
    if (trimmed === "") return "";
    const closers = ENDS_IN_MARK.test(trimmed) ? "" : this.scanner.closers();
    return this.styled({ source: trimmed + closers, gap });
  }

  // The gap is painted, too, which saves style changes between words.
  private styled({ source, gap }: Piece): string {
    const { inline, looks } = this.options;
    const row = inline.row(source, looks);
    return gap === " " ? inline.row(" ", looks) + row : gap + row;
  }

  private withPrefix(rows: string[], prefix: Prefix, purpose: "settle" | "show"): string[] {
    const which = this.hasBegun ? "further" : "first";
    if (purpose === "settle" && rows.length > 0) this.hasBegun = true;
    return prefixed(rows, prefix, which);
  }
}
