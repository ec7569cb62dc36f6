// The inputs of a tool call in an approval: every input that is not shown elsewhere is shown by name and in full, unknown ones
// too, because an unknown flag may change what runs.
import type { PermissionParams } from "../../contract/asks.js";
import type { JsonObject } from "./frames/json-frame.js";

export type InputDetail = NonNullable<PermissionParams["details"]>[number];

export function inputDetails(input: JsonObject, shown: readonly string[] = []): InputDetail[] {
  return Object.entries(input).flatMap(([name, value]) =>
    shown.includes(name) || value === undefined ? [] : [{ name, value: inputWords(value) }],
  );
}

/** Unknown fields as lines of text. */
export function unknownFieldLines(fields: JsonObject, known: readonly string[]): string[] {
  return inputDetails(fields, known).map(({ name, value }) => `${name}: ${value}`);
}

function inputWords(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
