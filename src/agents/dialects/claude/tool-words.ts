// One line that says what a tool call is about: its name, and the one thing in its input that a person would look for.
import type { JsonObject } from "../frames/json-frame.js";

const SUBJECT_CHARS_MAX = 200;
const subjects = ["file_path", "notebook_path", "path", "command", "pattern", "url", "query", "description"] as const;

/** The input that the words name; null when there is none to name. */
export function subjectOf(input: JsonObject): string | null {
  return subjects.find((key) => typeof input[key] === "string" && input[key] !== "") ?? null;
}

export function toolWords(name: string, input: JsonObject): string {
  const key = subjectOf(input);
  const subject = key === null ? undefined : input[key];
  if (typeof subject !== "string") return name;
  const [line = "", ...more] = subject.split("\n");
  const cut = more.length > 0 || line.length > SUBJECT_CHARS_MAX ? "…" : "";
  return `${name} ${line.slice(0, SUBJECT_CHARS_MAX)}${cut}`;
}
