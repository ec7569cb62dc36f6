// An answer typed on a command line, as the value its question takes: yes and no for a confirmation, JSON for forms and lists,
// otherwise the text itself.
import type { Ask } from "../../contract/asks.js";
import { parsedJson } from "../../contract/json-value.js";
import { isPermissionWord } from "../../session/answer-fit.js";

const YES = /^(?:y|yes|true|1|allow)$/i;
const NO = /^(?:n|no|false|0|deny|reject)$/i;

export function spokenAnswer(ask: Pick<Ask, "question">, text: string): unknown {
  const { question } = ask;
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
    case "select":
      return question.params.opts?.multi === true ? (parsedJson(text) ?? [text]) : text;
    case "input":
    case "editor":
      return text;
  }
}
