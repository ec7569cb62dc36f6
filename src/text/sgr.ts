// The style that SGR parameters add up to, as a canonical parameter string ("" is plain, "1;31" bold red): equal styles
// have equal strings, and one sequence restores any of them.

/** A canonical parameter string; only `applySgr` makes one. */
export type Style = string;

export const PLAIN: Style = "";

const SLOTS = ["weight", "faint", "italic", "underline", "blink", "inverse", "conceal", "strike", "fg", "bg"] as const;
const EXTRA_SLOTS = ["overline", "underlineColour"] as const;
type Slot = (typeof SLOTS)[number] | (typeof EXTRA_SLOTS)[number];
type Slots = Map<Slot, string>;

const SLOT_ORDER: readonly Slot[] = [...SLOTS, ...EXTRA_SLOTS];
const REMEMBERED_MAX = 2048;

const ON: Readonly<Record<number, Slot>> = {
  1: "weight",
  2: "faint",
  3: "italic",
  4: "underline",
  5: "blink",
  6: "blink",
  7: "inverse",
  8: "conceal",
  9: "strike",
  21: "underline",
  53: "overline",
};

const OFF: Readonly<Record<number, readonly Slot[]>> = {
  22: ["weight", "faint"],
  23: ["italic"],
  24: ["underline"],
  25: ["blink"],
  27: ["inverse"],
  28: ["conceal"],
  29: ["strike"],
  39: ["fg"],
  49: ["bg"],
  55: ["overline"],
  59: ["underlineColour"],
};

const appliedBefore = new Map<string, Style>();

/** The style after an SGR sequence with these parameters. Parameters that mean nothing are ignored. */
export function applySgr(style: Style, params: string): Style {
  if (params === "" || params === "0") return PLAIN;
  const question = `${style}m${params}`;
  const known = appliedBefore.get(question);
  if (known !== undefined) return known;
  const slots: Slots = new Map();
  readInto(slots, style);
  readInto(slots, params);
  const answer = write(slots);
  if (appliedBefore.size >= REMEMBERED_MAX) appliedBefore.clear();
  appliedBefore.set(question, answer);
  return answer;
}

/** Tool output may set colours and weight, but not blink or hide text. */
export function tameStyle(style: Style): Style {
  if (style === PLAIN) return PLAIN;
  const slots: Slots = new Map();
  readInto(slots, style);
  for (const slot of ["blink", "conceal", ...EXTRA_SLOTS] as const) slots.delete(slot);
  return write(slots);
}

/** The bytes that turn one style into another. */
export function styleChange(from: Style, to: Style): string {
  if (from === to) return "";
  if (to === PLAIN) return "\x1b[0m";
  if (from === PLAIN) return `\x1b[${to}m`;
  return `\x1b[${styleDifference(from, to)}m`;
}

function styleDifference(from: Style, to: Style): string {
  const before: Slots = new Map();
  const after: Slots = new Map();
  readInto(before, from);
  readInto(after, to);
  for (const [slot, value] of before) {
    if (!after.has(slot)) return `0;${to}`;
    if (after.get(slot) === value) after.delete(slot);
  }
  return write(after);
}

function write(slots: Slots): Style {
  const parts: string[] = [];
  for (const slot of SLOT_ORDER) {
    const value = slots.get(slot);
    if (value !== undefined) parts.push(value);
  }
  return parts.join(";");
}

function readInto(slots: Slots, params: string): void {
  if (params === "") return;
  const parts = params.split(";");
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? "";
    if (part.includes(":")) readColonForm(slots, part);
    else if (part === "38" || part === "48" || part === "58") i += readColour(slots, parts, i);
    else readPlain(slots, Number(part || "0"));
  }
}

function readPlain(slots: Slots, code: number): void {
  if (code === 0) slots.clear();
  const on = ON[code];
  if (on !== undefined) slots.set(on, String(code));
  for (const slot of OFF[code] ?? []) slots.delete(slot);
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) slots.set("fg", String(code));
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) slots.set("bg", String(code));
}

// 38;5;n or 38;2;r;g;b. Returns how many further parts were used; a broken colour uses all of them.
function readColour(slots: Slots, parts: readonly string[], at: number): number {
  const length = parts[at + 1] === "5" ? 3 : parts[at + 1] === "2" ? 5 : 0;
  const colour = parts.slice(at, at + length);
  if (length === 0 || colour.length < length || !colour.slice(2).every(isByte)) return parts.length;
  slots.set(colourSlot(parts[at]), colour.map((part) => part || "0").join(";"));
  return length - 1;
}

// 4:3 (a curly underline), 38:5:n and 38:2:[space]:r:g:b.
function readColonForm(slots: Slots, part: string): void {
  if (/^4:[1-5]$/.test(part)) slots.set("underline", part);
  else if (part === "4:0") slots.delete("underline");
  else if (/^[345]8:(?:5:\d{1,3}|2:(?:\d?:)?\d{1,3}:\d{1,3}:\d{1,3})$/.test(part)) {
    if (part.split(":").every(isByte)) slots.set(colourSlot(part.slice(0, 2)), part);
  }
}

function colourSlot(code: string | undefined): Slot {
  return code === "38" ? "fg" : code === "48" ? "bg" : "underlineColour";
}

function isByte(part: string): boolean {
  return /^\d{0,3}$/.test(part) && Number(part) <= 255;
}
