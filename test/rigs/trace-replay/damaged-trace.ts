// A recorded conversation with something wrong in it: frames lost, doubled, swapped, cut off or damaged, as a bad pipe, a
// crash or an agent of another version would have it. The same seed damages it in the same way.
import type { TraceEntry } from "./trace.js";

/** A number from 0 up to, but not including, the limit. */
export type Dice = (limit: number) => number;

export function diceOf(seed: number): Dice {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}

const DAMAGES_MAX = 4;

export function damagedTrace(entries: readonly TraceEntry[], dice: Dice): TraceEntry[] {
  let damaged = [...entries];
  const count = 1 + dice(DAMAGES_MAX);
  for (let index = 0; index < count && damaged.length > 1; index += 1) {
    const damage = damages[dice(damages.length)] ?? lose;
    damaged = damage(damaged, dice(damaged.length), dice);
  }
  return damaged;
}

type Damage = (entries: TraceEntry[], at: number, dice: Dice) => TraceEntry[];

const lose: Damage = (entries, at) => entries.toSpliced(at, 1);
const double: Damage = (entries, at) => entries.toSpliced(at, 0, ...entries.slice(at, at + 1));
const swap: Damage = (entries, at, dice) => {
  const [taken] = entries.slice(at, at + 1);
  const others = entries.toSpliced(at, 1);
  return taken === undefined ? others : others.toSpliced(dice(others.length + 1), 0, taken);
};
const cutOff: Damage = (entries, at) => entries.slice(0, Math.max(1, at));
const garble: Damage = (entries, at) => replaced(entries, at, (entry) => ({ ...entry, frame: null, raw: '{"half' }));
const spoil: Damage = (entries, at, dice) =>
  replaced(entries, at, (entry) => ({
    ...entry,
    frame: entry.frame === null ? null : spoiltFields(entry.frame, dice),
  }));

const damages: readonly Damage[] = [lose, double, swap, cutOff, garble, spoil, spoil];

function replaced(entries: TraceEntry[], at: number, change: (entry: TraceEntry) => TraceEntry): TraceEntry[] {
  return entries.map((entry, index) => (index === at ? change(entry) : entry));
}

const nonsense: readonly unknown[] = [null, undefined, "", "nonsense", -1, 1e308, true, [], [[null]], {}, { type: 7 }];

// One field, anywhere in the frame, becomes something else.
function spoiltFields(fields: Readonly<Record<string, unknown>>, dice: Dice): Record<string, unknown> {
  const names = Object.keys(fields);
  const name = names[dice(Math.max(1, names.length))];
  if (name === undefined) return { ...fields };
  return { ...fields, [name]: spoilt(fields[name], dice) };
}

function spoilt(value: unknown, dice: Dice): unknown {
  const goesDeeper = dice(3) > 0;
  if (goesDeeper && Array.isArray(value) && value.length > 0) {
    const at = dice(value.length);
    return value.map((item, index) => (index === at ? spoilt(item, dice) : item));
  }
  if (goesDeeper && typeof value === "object" && value !== null && !Array.isArray(value)) {
    return spoiltFields(value as Record<string, unknown>, dice);
  }
  return nonsense[dice(nonsense.length)];
}
