// A fault for a frame that does not fit its schema: frame, field, and what was expected.
import type { Fault } from "../../../contract/errors.js";
import { problemOf, type SchemaError } from "../../../contract/schema-problem.js";
import { faultOf, writeLine } from "./json-frame.js";

/** Names come from the agent and may be of any length. */
const WORDS_CHARS_MAX = 300;

export function whatIsWrong(frame: string, error: SchemaError, source: object): Fault {
  const { where, what } = problemOf(error);
  const place = [frame, where].map((words) => words.slice(0, WORDS_CHARS_MAX)).filter(Boolean);
  return faultOf("invalidField", [...place, what.slice(0, WORDS_CHARS_MAX)].join(": "), writeLine(source));
}
