// Lines no agent should receive, and every agent will: each must be answered by exactly one error frame.
import type { RuleId } from "./rules.js";

export type BadLine = { rule: RuleId; line: string };

export const badLines: readonly BadLine[] = [
  { rule: "unknown-command", line: '{"type":"no_such_command"}' },
  { rule: "missing-field", line: '{"type":"prompt"}' },
  { rule: "wrong-type", line: '{"type":"prompt","text":5}' },
  { rule: "malformed-line", line: '{"type":"prompt","text":"half of a li' },
  { rule: "deep-nesting", line: `{"type":"no_such_command","deep":${"[".repeat(10_000)}${"]".repeat(10_000)}}` },
  { rule: "binary-noise", line: '{"\u0001\u0002\uFFFD\u0007":\u001b[2J\u0003\u0090' },
  { rule: "long-line", line: `{"type":"no_such_command","pad":"${"x".repeat(256 * 1024)}` },
];
