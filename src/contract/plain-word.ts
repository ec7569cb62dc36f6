// Any value of a frame as a word. `String(value)` is not safe for that: an object may bring a `toString` that is no function,
// and then a single frame would end the program that reads it.

export function plainWord(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  return JSON.stringify(value) ?? "";
}

/** What a catch caught, as words. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
