// One registered handler: what is known of it for good (tab, name, colour, kind, key) and the object itself, which is asked
// anew each time somebody looks. Whatever the object throws stays here.

import type { HandlerKind, StateEntry } from "../../contract/daemon.js";
import { errorMessage } from "../../contract/plain-word.js";
import { type HandlerLog, type OptionalMethods, type Shortcut, typeNumberOf } from "./handler.js";

export interface RegisteredHandler {
  readonly tabTitle: string;
  readonly name: string;
  readonly color: string;
  readonly kind: HandlerKind;
  /** What an action names to reach it: unique on its surface. */
  readonly key: string;
  readonly log: HandlerLog;
  readonly handler: LooseHandler;
}

/** Every method any kind may have; which are there is what the kind says. */
export interface LooseHandler extends OptionalMethods {
  name(): string;
  label?(): string;
  value?(): string;
  content?(): string;
  change?(value: string): void | Promise<void>;
  execute?(): void | Promise<void>;
  waitingForUser?(): boolean;
}

/** The entry as it is published: these fields, in this order. */
export function stateEntryOf({ tabTitle, name, color, kind, key, handler }: RegisteredHandler): StateEntry {
  const shortcuts = shortcutsOf(handler);
  return {
    tab_title: tabTitle,
    handler_name: name,
    handler_color: color,
    handler_type: typeNumberOf(kind),
    label: readText(() => handler.label?.()),
    value: readText(() => (kind === "display" ? handler.content?.() : handler.value?.())),
    shortcut: key,
    shortcuts: shortcuts.length === 0 ? null : shortcuts.map((shortcut) => ({ ...shortcut })),
  };
}

export function shortcutsOf(handler: LooseHandler): readonly Shortcut[] {
  try {
    return handler.shortcuts?.() ?? [];
  } catch {
    return [];
  }
}

// A handler that cannot say what its value is says so in the place of the value; the entries of the others stay as they are.
function readText(read: () => unknown): string {
  try {
    return textOf(read());
  } catch (error) {
    return `error: ${errorMessage(error)}`;
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (typeof value === "object" || typeof value === "function") throw new TypeError("it has to be text, at once");
  return String(value);
}
