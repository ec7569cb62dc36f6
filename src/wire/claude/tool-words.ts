// One line that says what a tool call is about: its name, and the one thing in its input that a person would look for.
import type { JsonObject } from "../json-frame.js";

const SUBJECT_CHARS_MAX = 200;
const subjects = ["file_path", "notebook_path", "path", "command", "pattern", "url", "query", "description"] as const;

export function toolWords(name: string, input: JsonObject): string {
  const subject = subjects.map((key) => input[key]).find((value) => typeof value === "string" && value !== "");
  if (typeof subject !== "string") return name;
  const [line = "", ...more] = subject.split("\n");
  const cut = more.length > 0 || line.length > SUBJECT_CHARS_MAX ? "…" : "";
  return `${name} ${line.slice(0, SUBJECT_CHARS_MAX)}${cut}`;
}
