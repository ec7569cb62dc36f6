// Tells from the words of a plain message how it is meant, so that programs may just print. The order decides: a message
// that speaks of success and of an error is an error.
import type { MessageKind } from "../../contract/daemon.js";

const WORDS: readonly (readonly [MessageKind, readonly string[]])[] = [
  ["error", ["error", "failed", "exit status 1", "undeclared", "undefined", "fatal"]],
  ["warning", ["warning", "warn"]],
  ["success", ["success", "completed", "successful", "done"]],
  ["info", ["info", "starting", "initializing"]],
  ["debug", ["debug"]],
];

/** "0 failed" is good news, whatever words it is made of. */
const NONE_OF_THEM = /\b(?:no|0|without)\s+(?:errors?|failed|failures|warnings?)\b/g;

export function messageKindOf(content: string): MessageKind {
  const words = content.toLowerCase().replace(NONE_OF_THEM, "");
  return WORDS.find(([, signs]) => signs.some((sign) => words.includes(sign)))?.[0] ?? "normal";
}
