// The options of a dialog that have a meaning; any other one is an agent's own. `dialog-options.ts` has what they are.
const NAMES = [
  "required",
  "min_length",
  "max_length",
  "pattern",
  "format",
  "validate",
  "default",
  "multiple",
  "min",
  "max",
  "secret",
  "confirm_label",
  "cancel_label",
  "danger_level",
  "danger",
  "command",
  "diff",
  "path",
  "tool",
  "tool_call_id",
  "rule",
  "scope",
  "allow_remember",
  "allow_reason",
  "details",
  "performed_by",
] as const;

export type DialogOptionName = (typeof NAMES)[number];

export const dialogOptionNames: ReadonlySet<string> = new Set(NAMES);
