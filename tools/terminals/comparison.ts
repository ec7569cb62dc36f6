// Whether the product did worse than plain printing in the same terminal with the same scripts, and the table that shows
// both. Where plain printing comes through unharmed, so must the product.

import { FAULTS, type FaultName, type Faults } from "./verdict.js";

export interface Row {
  readonly terminal: string;
  readonly variant: string;
  readonly seed: number;
  readonly mode: "inline" | "plain";
  readonly faults: Faults;
  /** How many changes of size the program heard of. */
  readonly resizes: number;
}

/** One session, played twice in the same terminal. */
export interface Pair {
  readonly name: string;
  readonly inline: Faults;
  readonly plain: Faults;
}

// A ghost can only come from a live area, so plain printing sets no excuse for it. An empty row is one damage more where the
// terminal damages plain text, and a fault like any other where it does not.
const OURS_ALONE: readonly FaultName[] = ["ghost"];
const DAMAGE: readonly FaultName[] = ["lost", "doubled", "mangled", "shellLost", "order", "blank"];
// What the shell had printed is not ours, and is never the price for fewer damages of our own.
const SOMEBODY_ELSES: readonly FaultName[] = ["shellLost"];

/**
 * What the product did worse than plain printing in the sessions of one terminal, a sentence each. A terminal that damages
 * plain text damages other lines the next time: where the stream is when the window changes is a matter of milliseconds.
 * So there the sessions count together, and everywhere else each for itself.
 */
export function worseThanPlain(pairs: readonly Pair[]): string[] {
  const own = pairs.filter(({ inline, plain }) => damageOf(inline, OURS_ALONE) > damageOf(plain, OURS_ALONE));
  const findings = own.map(({ name }) => `${name}: leaves rows of its live area behind`);
  const plainTotal = sum(pairs.map(({ plain }) => damageOf(plain, DAMAGE)));
  if (plainTotal === 0) {
    const harmed = pairs.filter(({ inline }) => damageOf(inline, DAMAGE) > 0);
    return [...findings, ...harmed.map(({ name }) => `${name}: worse than plain printing`)];
  }
  return [
    ...findings,
    ...more(pairs, DAMAGE, "damages"),
    ...more(pairs, SOMEBODY_ELSES, "of the shell's lines damaged"),
  ];
}

function more(pairs: readonly Pair[], kind: readonly FaultName[], words: string): string[] {
  const ours = sum(pairs.map(({ inline }) => damageOf(inline, kind)));
  const plain = sum(pairs.map((pair) => damageOf(pair.plain, kind)));
  const names = pairs.map(({ name }) => name).join(", ");
  return ours > plain ? [`${names}: ${ours} ${words} in all, ${plain} with plain printing`] : [];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function damageOf(faults: Faults, names: readonly FaultName[]): number {
  return sum(names.map((name) => faults[name]));
}

interface Column {
  readonly title: string;
  readonly align: "left" | "right";
  readonly widthCells: number;
  readonly cell: (row: Row) => string | number;
}

const COLUMNS: readonly Column[] = [
  { title: "terminal", align: "left", widthCells: 9, cell: ({ terminal }) => terminal },
  { title: "variant", align: "left", widthCells: 10, cell: ({ variant }) => variant },
  { title: "seed", align: "right", widthCells: 4, cell: ({ seed }) => seed },
  { title: "mode", align: "left", widthCells: 6, cell: ({ mode }) => mode },
  { title: "resizes", align: "right", widthCells: 7, cell: ({ resizes }) => resizes },
  ...FAULTS.map((name): Column => {
    return { title: name, align: "right", widthCells: name.length, cell: ({ faults }) => faults[name] };
  }),
];

export function tableHead(): string {
  return laidOut(COLUMNS.map(({ title }) => title));
}

export function tableLine(row: Row): string {
  return laidOut(COLUMNS.map(({ cell }) => cell(row)));
}

function laidOut(cells: readonly (string | number)[]): string {
  const padded = COLUMNS.map(({ align, widthCells }, index) => {
    const text = String(cells[index] ?? "");
    return align === "left" ? text.padEnd(widthCells) : text.padStart(widthCells);
  });
  return padded.join("  ").trimEnd();
}
