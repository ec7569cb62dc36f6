// Which key does what: every action has a name, default keys and a description. Invalid bindings are reported. Ctrl+C always
// cancels.
import { nearestName } from "../contract/nearest-name.js";

export const keyActions = {
  submit: { keys: ["enter"], words: "send" },
  newline: { keys: ["shift+enter", "alt+enter", "ctrl+j"], words: "new line" },
  cancel: { keys: ["ctrl+c"], words: "close, clear or stop; twice to quit" },
  abort: { keys: ["escape"], words: "stop the running turn" },
  leave: { keys: ["ctrl+d"], words: "quit when the composer is empty" },
  "open-viewer": { keys: ["ctrl+o"], words: "read the whole transcript" },
  "open-whole": { keys: ["alt+o"], words: "open the last folded output" },
  "external-editor": { keys: ["ctrl+g"], words: "write in your editor" },
  "paste-image": { keys: ["ctrl+v"], words: "paste an image from the clipboard" },
  "history-search": { keys: ["ctrl+r"], words: "search history" },
  "previous-line": { keys: ["ctrl+p"], words: "previous line or message" },
  "next-line": { keys: ["ctrl+n"], words: "next line or message" },
  "queue-edit": { keys: ["ctrl+up"], words: "move the last queued message back to the composer" },
  "toggle-thinking": { keys: ["ctrl+t"], words: "show or hide thinking" },
  "next-mode": { keys: ["shift+tab"], words: "the agent's next mode" },
  "new-session": { keys: ["alt+n"], words: "start a new session" },
  "next-session": { keys: ["alt+down", "ctrl+tab"], words: "next session" },
  "previous-session": { keys: ["alt+up", "shift+ctrl+tab"], words: "previous session" },
  "page-up": { keys: ["pageup", "shift+pageup"], words: "full screen: a page up" },
  "page-down": { keys: ["pagedown", "shift+pagedown"], words: "full screen: a page down" },
  "go-start": { keys: ["ctrl+home"], words: "full screen: to the beginning" },
  "go-end": { keys: ["ctrl+end"], words: "full screen: to the end, and follow it" },
  find: { keys: ["ctrl+f"], words: "full screen: search the transcript" },
  redraw: { keys: ["ctrl+l"], words: "redraw the screen" },
  suspend: { keys: ["ctrl+z"], words: "back to the shell; fg returns" },
} as const satisfies Readonly<Record<string, { keys: readonly string[]; words: string }>>;

export type KeyAction = keyof typeof keyActions;

export const keyActionNames = Object.keys(keyActions) as readonly KeyAction[];

export interface Keymap {
  /** `key` is a name such as "ctrl+o"; null when it does nothing here and goes to the focused part. */
  actionFor(key: string): KeyAction | null;
  /** In the order of preference; the first one is for hints. */
  keysFor(action: KeyAction): readonly string[];
}

export interface KeyProblem {
  readonly action: string;
  readonly words: string;
}

/** Without it nothing could be stopped or sent any more. */
const fixed: ReadonlySet<string> = new Set(["cancel"]);
const needed: ReadonlySet<string> = new Set(["cancel", "submit"]);

// Terminals without a newer protocol send the same byte for these and for the key behind them.
const sameByte: Readonly<Record<string, string>> = {
  "ctrl+i": "tab",
  "ctrl+m": "enter",
  "ctrl+[": "escape",
  "ctrl+h": "backspace",
};

const MODIFIERS = ["shift", "ctrl", "alt", "super"] as const;
const spelledOtherwise: Readonly<Record<string, string>> = {
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
  control: "ctrl",
  option: "alt",
  meta: "alt",
  cmd: "super",
};
const NAMED =
  /^(?:escape|enter|tab|space|backspace|delete|insert|clear|home|end|pageup|pagedown|up|down|left|right|f(?:[1-9]|1[0-2]))$/;

/** One spelling for each key: modifiers in the order in which the keyboard decoder names them. Null for what is no key. */
export function canonicalKey(key: string): string | null {
  const spelled = key.trim().toLowerCase();
  const last = spelled === "+" || spelled.endsWith("++") ? "+" : (spelled.split("+").at(-1) ?? "");
  const base = spelledOtherwise[last] ?? last;
  const before = spelled.slice(0, spelled.length - last.length).replace(/\+$/, "");
  const modifiers = before === "" ? [] : before.split("+").map((name) => spelledOtherwise[name] ?? name);
  if (base === "" || modifiers.some((name) => !MODIFIERS.some((known) => known === name))) return null;
  if (!NAMED.test(base) && (Array.from(base).length !== 1 || /\s/.test(base))) return null;
  return [...MODIFIERS.filter((name) => modifiers.includes(name)), base].join("+");
}

/** Bindings are the user's own: an action's keys replace its default ones, and no keys unbind it. */
export function createKeymap(bindings: Readonly<Record<string, readonly string[]>>): {
  readonly keymap: Keymap;
  readonly problems: readonly KeyProblem[];
} {
  const problems: KeyProblem[] = [];
  const report = (action: string, words: string) => problems.push({ action, words });
  const byKey = new Map<string, KeyAction>([["ctrl+c", "cancel"]]);
  const own = ownBindings(bindings, report);
  for (const [action, keys] of own) {
    for (const key of keys) take(byKey, key, action, report);
  }
  for (const action of keyActionNames) {
    if (own.has(action)) continue;
    for (const key of keyActions[action].keys) if (!byKey.has(key)) byKey.set(key, action);
  }
  const keysFor = (action: KeyAction) => [...byKey].flatMap(([key, bound]) => (bound === action ? [key] : []));
  for (const action of keyActionNames) {
    const wanted = own.get(action) ?? keyActions[action].keys;
    if (wanted.length > 0 && keysFor(action).length === 0)
      report(action, "has no key left: other actions use them all");
  }
  const keymap: Keymap = { actionFor: (key) => byKey.get(canonicalKey(key) ?? "") ?? null, keysFor };
  return { keymap, problems };
}

type Report = (action: string, words: string) => void;

function ownBindings(bindings: Readonly<Record<string, readonly string[]>>, report: Report) {
  const own = new Map<KeyAction, readonly string[]>();
  for (const [action, keys] of Object.entries(bindings)) {
    const known = keyActionNames.find((name) => name === action);
    if (known === undefined) {
      const near = nearestName(action, keyActionNames);
      report(action, `is not an action; ${near === null ? "/keys lists them" : `did you mean ${near}?`}`);
      continue;
    }
    const usable = keys.flatMap((key) => usableKey(known, key, report));
    if (needed.has(known) && usable.length === 0) {
      report(known, `needs a key, and keeps ${keyActions[known].keys.join(", ")}`);
    } else if (usable.length > 0 || keys.length === 0) own.set(known, usable);
  }
  return own;
}

function usableKey(action: KeyAction, key: string, report: Report): string[] {
  const name = canonicalKey(key);
  const problem =
    name === null ? `"${key}" is not a key; keys are written as ctrl+x, alt+up, shift+enter, f5` : unusable(name);
  if (problem !== null) report(action, problem);
  return name === null || problem !== null ? [] : [name];
}

function unusable(name: string): string | null {
  const same = sameByte[name];
  if (same !== undefined) return `most terminals cannot tell ${name} from ${same}`;
  return /^(?:shift\+)?(?:.|space)$/u.test(name) ? `${name} types text; add ctrl or alt` : null;
}

function take(byKey: Map<string, KeyAction>, key: string, action: KeyAction, report: Report): void {
  const holder = byKey.get(key);
  if (holder === undefined) byKey.set(key, action);
  else if (holder !== action)
    report(action, fixed.has(holder) ? `${key} always means ${holder}` : `${key} is already bound to ${holder}`);
}

/** For /keys: the keys of each action and what it does, those without a key last. */
export function keyRows(
  keymap: Keymap,
  actions: readonly KeyAction[] = keyActionNames,
): readonly { readonly action: KeyAction; readonly keys: string; readonly words: string }[] {
  const rows = actions.map((action) => ({
    action,
    keys: keymap.keysFor(action).join(", "),
    words: keyActions[action].words,
  }));
  return [...rows.filter(({ keys }) => keys !== ""), ...rows.filter(({ keys }) => keys === "")];
}
