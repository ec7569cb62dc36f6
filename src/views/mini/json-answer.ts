// The agent's final answer as a JSON value: alone, or in the fence that models like to put around it; and whether it is
// what the caller's schema wants.
import { type JsonSchema, schemaProblem } from "../../session/json-schema-check.js";

export type JsonAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

const FENCED = /^```[\w-]*\n([\s\S]*?)\n?```$/;
const LAST_FENCE = /```(?:json)?\n([\s\S]*?)\n?```\s*$/;

export function jsonAnswer(text: string, schema: JsonSchema): JsonAnswer {
  const trimmed = text.trim();
  const source = FENCED.exec(trimmed)?.[1] ?? LAST_FENCE.exec(trimmed)?.[1] ?? trimmed;
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return { ok: false, problem: "the answer is not JSON" };
  }
  const problem = schemaProblem(value, schema);
  return problem === null
    ? { ok: true, value }
    : { ok: false, problem: `the answer does not match the schema: ${problem}` };
}

/** What the agent is told, so that it can answer so. */
export function schemaRequest(schema: JsonSchema): string {
  return `Answer with one JSON value and nothing else. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
}
