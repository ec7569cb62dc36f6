// An answer typed on a command line, as the value its question takes: yes and no for a confirmation, JSON for forms, JSON or
// several words for several choices, otherwise the text itself.
import type { Ask } from "../../contract/asks.js";
import { parsedJson } from "../../contract/json-value.js";
import { isPermissionWord } from "../../session/answer-fit.js";

const YES = /^(?:y|yes|true|1|allow)$/i;
const NO = /^(?:n|no|false|0|deny|reject)$/i;

/** Several words are an answer only where several may be chosen; undefined elsewhere. */
export function spokenAnswer({ question }: Pick<Ask, "question">, words: readonly string[]): unknown {
  const [text = ""] = words;
  const takesSeveral = question.kind !== "permission" && question.params.opts?.multiple === true;
  if (words.length > 1) return takesSeveral ? words : undefined;
  switch (question.kind) {
    case "permission":
    case "confirm": {
      if (isPermissionWord(text)) return text;
      if (!YES.test(text) && !NO.test(text)) return text;
      if (question.kind === "confirm") return YES.test(text);
      return YES.test(text) ? "allow_once" : "reject_once";
    }
    case "form":
      return parsedJson(text) ?? text;
    default:
      return takesSeveral ? (parsedJson(text) ?? [text]) : text;
  }
}
