// What a check throws: which rule was broken, and what was expected and seen. The rule is what a shrunk script has to break
// again, so its name says the kind of damage and nothing about the moment.

export type Rule =
  | "transcript"
  | "live area"
  | "cursor"
  | "modes"
  | "forbidden bytes"
  | "idle"
  | "state"
  | "settled too early"
  | "asks"
  | "crash";

export class Fault extends Error {
  readonly rule: Rule;
  readonly expected: readonly string[];
  readonly seen: readonly string[];

  constructor(rule: Rule, message: string, rows: { expected?: readonly string[]; seen?: readonly string[] } = {}) {
    super(message);
    this.name = "Fault";
    this.rule = rule;
    this.expected = rows.expected ?? [];
    this.seen = rows.seen ?? [];
  }
}
