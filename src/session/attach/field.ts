// What a tab lets people see and do, read from the daemon's state. Entries that only log are no fields; a kind that is not
// known here can at least be looked at.
import { type HandlerKind, handlerTypes, type StateEntry } from "../../contract/daemon.js";

export type FieldKind = Exclude<HandlerKind, "loggable">;

export interface Field {
  /** What an action names to reach it. */
  readonly key: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly kind: FieldKind;
  readonly shortcuts: readonly FieldShortcut[];
}

export interface FieldShortcut {
  readonly key: string;
  readonly meaning: string;
}

export interface TabFields {
  readonly title: string;
  readonly fields: readonly Field[];
}

const kindsByNumber: ReadonlyMap<number, HandlerKind> = new Map(
  (Object.keys(handlerTypes) as HandlerKind[]).map((kind) => [handlerTypes[kind], kind]),
);

/** Tabs in the order in which they are first mentioned, each with its fields in the order of registration. */
export function fieldsByTab(entries: readonly StateEntry[]): TabFields[] {
  const tabs = new Map<string, Field[]>();
  for (const entry of entries) {
    const fields = tabs.get(entry.tab_title) ?? [];
    tabs.set(entry.tab_title, fields);
    const kind = kindsByNumber.get(entry.handler_type) ?? "display";
    if (kind !== "loggable") fields.push(fieldOf(entry, kind));
  }
  return [...tabs].map(([title, fields]) => ({ title, fields }));
}

function fieldOf(entry: StateEntry, kind: FieldKind): Field {
  const { tab_title: tab, handler_name: name, label, value, shortcut, shortcuts } = entry;
  return {
    key: shortcut || `${tab}/${name}`,
    name,
    label: label.trim() === "" ? name : label,
    value,
    kind,
    shortcuts: (shortcuts ?? []).flatMap((one) => Object.entries(one).map(([key, meaning]) => ({ key, meaning }))),
  };
}
