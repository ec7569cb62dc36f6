// Whether the product did worse than plain printing in the same terminal with the same script, and the table that shows
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

// A ghost can only come from a live area, so plain printing sets no excuse for it. An empty row is one damage more where the
// terminal damages plain text, and a fault like any other where it does not.
const OURS_ALONE: readonly FaultName[] = ["ghost"];
const DAMAGE: readonly FaultName[] = ["lost", "doubled", "mangled", "shellLost", "order", "blank"];

/** Against the worst of the runs of plain printing: that is what people get there. */
export function isWorse(inline: Faults, plain: readonly Faults[]): boolean {
  return hasOwnFault(inline, plain) || totalOf(inline, DAMAGE) > worstOf(plain);
}

/**
 * Whether another run may come out otherwise. A terminal that damages plain text damages other lines the next time: where
 * the stream is when the window changes is a matter of milliseconds. A fault that only we can make needs no second look.
 */
export function mayBeChance(inline: Faults, plain: readonly Faults[]): boolean {
  return !hasOwnFault(inline, plain) && worstOf(plain) > 0;
}

function hasOwnFault(inline: Faults, plain: readonly Faults[]): boolean {
  return OURS_ALONE.some((name) => inline[name] > Math.max(...plain.map((run) => run[name])));
}

function worstOf(plain: readonly Faults[]): number {
  return Math.max(...plain.map((run) => totalOf(run, DAMAGE)));
}

function totalOf(faults: Faults, names: readonly FaultName[]): number {
  return names.reduce((total, name) => total + faults[name], 0);
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
