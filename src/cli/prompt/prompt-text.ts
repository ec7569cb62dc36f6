// The prompt as the agent gets it: what the user said, the files that were named, what came on standard input, and how the
// answer has to look. Each part says where it is from, so that an agent can tell the user's words from a file's.
import type { Ask } from "../../contract/asks.js";
import type { JsonSchema } from "../../session/json-schema-check.js";
import { isSecret } from "../../views/mini/ask-record.js";
import { schemaRequest } from "../../views/mini/json-answer.js";

export interface PromptParts {
  readonly message: string;
  readonly context: readonly { readonly path: string; readonly text: string }[];
  /** What was piped in besides; null when nothing was. */
  readonly input: string | null;
  readonly schema: JsonSchema | null;
}

export function promptText({ message, context, input, schema }: PromptParts): string {
  return [
    message,
    ...context.map(({ path, text }) => `File ${path}:\n${fenced(text)}`),
    ...(input === null ? [] : [message === "" ? input : `Input:\n${fenced(input)}`]),
    ...(schema === null ? [] : [schemaRequest(schema)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What goes on with a session that ended at a question. A secret is only said when it is asked for again. */
export function goingOnText(ask: Ask, answer: string): string {
  const { title } = ask.question.params;
  const said = isSecret(ask) ? "It can be answered now: ask again." : `The answer is: ${answer}.`;
  return `We stopped at your question "${title}". ${said} Go on from there.`;
}

// A fence that the text itself does not have.
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
