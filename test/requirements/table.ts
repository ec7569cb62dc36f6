// The shape of a table of requirements: ids as keys, so that the compiler refuses a duplicate and knows every id,
// and one sentence each. A requirement decided against stays listed and says why.

export interface Requirement {
  readonly id: string;
  readonly sentence: string;
  readonly source: string;
  readonly declined?: string;
}

/** What a table says about one id: its sentence, or its sentence and why it was decided against. */
export type Entry = string | { readonly sentence: string; readonly declined: string };

export interface RequirementTable<Id extends string> {
  readonly source: string;
  readonly entries: Readonly<Record<Id, Entry>>;
}

/** Names a table's source once and keeps its ids as literal types. */
export function table<const Id extends string>(
  source: string,
  entries: Readonly<Record<Id, Entry>>,
): RequirementTable<Id> {
  return { source, entries };
}

export function requirementsOf({ source, entries }: RequirementTable<string>): Requirement[] {
  return Object.entries(entries).map(([id, entry]) =>
    typeof entry === "string" ? { id, sentence: entry, source } : { id, source, ...entry },
  );
}
