// A frame that does not fit its schema, as a fault: which frame, which field, what was expected.
import type { Fault } from "../contract/errors.js";
import { problemOf, type SchemaError } from "../contract/schema-problem.js";
import { faultOf, writeLine } from "./json-frame.js";

export function whatIsWrong(frame: string, error: SchemaError, source: object): Fault {
  const { where, what } = problemOf(error);
  return faultOf("invalidField", `${[frame, where].filter(Boolean).join(": ")}: ${what}`, writeLine(source));
}
