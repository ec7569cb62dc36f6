// The inputs of a tool call as an approval shows them: whatever is not on the screen already is named and shown whole, also
// what no version of a tool is known to take. An unknown flag may still change what runs.
import type { PermissionParams } from "../../contract/asks.js";
import type { JsonObject } from "./frames/json-frame.js";

export type InputDetail = NonNullable<PermissionParams["details"]>[number];

/** Every input but the ones that are shown elsewhere. */
export function inputDetails(input: JsonObject, shown: readonly string[] = []): InputDetail[] {
  return Object.entries(input).flatMap(([name, value]) =>
    shown.includes(name) || value === undefined ? [] : [{ name, value: inputWords(value) }],
  );
}

/** The fields that nothing here knows, a line each; for what has only a text to say them in. */
export function unknownFieldLines(fields: JsonObject, known: readonly string[]): string[] {
  return inputDetails(fields, known).map(({ name, value }) => `${name}: ${value}`);
}

function inputWords(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
