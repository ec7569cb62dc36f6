// What the offline model understands: a request in plain English, as a pattern with examples, and a script that answers
// it. A script is a generator: it says things and calls tools, and gets their answers back. It may not do anything else,
// so that it can be played again from the conversation alone.

export type ToolOutcome = {
  readonly text: string;
  readonly isError: boolean;
  readonly details: Readonly<Record<string, unknown>>;
};

export type Step =
  | { readonly say: string }
  | { readonly think: string }
  | { readonly calls: readonly (readonly [tool: string, input: Record<string, unknown>])[] };

/** Gets one outcome for each call of the step before. */
export type Script = Generator<Step, void, readonly ToolOutcome[]>;

export type OfflineRequest = {
  readonly name: string;
  /** What it does, for the help. */
  readonly words: string;
  /** How it may be said; the first one is shown. */
  readonly examples: readonly [string, ...string[]];
  readonly patterns: readonly RegExp[];
  script(match: Readonly<Record<string, string>>): Script;
};

const nothingFailed: ToolOutcome = { text: "", isError: false, details: {} };

/** One call, and its outcome. */
export function* calling(
  tool: string,
  input: Record<string, unknown>,
): Generator<Step, ToolOutcome, readonly ToolOutcome[]> {
  const [outcome = nothingFailed] = yield { calls: [[tool, input]] };
  return outcome;
}

// Requests that are about talking itself: what it is, what it can do, questions of every kind, plans, long answers.
const COUNT_MAX = 100_000;

export const talkRequests: readonly OfflineRequest[] = [
  {
    name: "hello",
    words: "say hello",
    examples: ["hello", "say hello"],
    patterns: [/^(?:hello|hi|hey|good (?:morning|evening|day))\b.*$/i, /^say (?:hello|hi)\b.*$/i],
    script: () => saying('Hello! Say "help" to see what I understand.\n'),
  },
  {
    name: "go on",
    words: "do what was asked last once more",
    examples: ["go on"],
    patterns: [/^(?:please )?(?:go on|continue)[.!]?$/i],
    script: () => saying("There is nothing to go on with.\n"),
  },
  {
    name: "who",
    words: "say what it is",
    examples: ["who are you?", "which model is this?"],
    patterns: [/^(?:who|what) are you\b.*$/i, /^(?:which|what) model\b.*$/i],
    script: () =>
      saying(
        "I match what you write against a list of sentences and call tools; nothing here thinks. For a model, set a key " +
          "such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or OLLAMA_HOST, or name one: `--model provider:name`.\n",
      ),
  },
  {
    name: "ask",
    words: "ask you something, one question of every kind",
    examples: ["ask me something", "ask me one question of every kind"],
    patterns: [/^ask (?:me|us)\b.*$/i, /^.*\bquestions? of every kind\b.*$/i],
    script: () => askEverything(),
  },
  {
    name: "count",
    words: "a long answer, to watch it stream and stop it",
    examples: ["count to 1000"],
    patterns: [/^count (?:up )?to (?<last>\d+)$/i],
    script: ({ last = "10" }) => count(Math.min(Number(last), COUNT_MAX)),
  },
  {
    name: "think",
    words: "show what thinking looks like",
    examples: ["think about it"],
    patterns: [/^think\b.*$/i],
    script: function* () {
      yield { think: "There is nothing here that thinks.\nBut this is what it would look like." };
      yield { say: "I have thought about it.\n" };
    },
  },
];

export function* saying(text: string): Script {
  yield { say: text };
}

function* askEverything(): Script {
  yield { say: "One question of every kind. Esc cancels one, and I go on with the next.\n\n" };
  const colour = yield* answerTo({
    kind: "select",
    title: "Which colour?",
    options: [
      { label: "Red", value: "red", description: "warm" },
      { label: "Green", value: "green", description: "calm" },
    ],
  });
  const fruit = yield* answerTo({
    kind: "multi_select",
    title: "Which fruit? Several are fine.",
    options: ["apple", "banana", "cherry"].map((label) => ({ label })),
  });
  const sure = yield* answerTo({ kind: "confirm", title: "Are you sure?" });
  const name = yield* answerTo({ kind: "input", title: "Your name?", placeholder: "Ada" });
  const secret = yield* calling("ask", { kind: "secret", title: "A secret? It goes nowhere." });
  const story = yield* answerTo({ kind: "editor", title: "Your story?", prefill: "Once upon a time\n" });
  const form = yield* answerTo({
    kind: "form",
    title: "A new project",
    fields: [
      { name: "name", label: "Name", kind: "text", required: true },
      { name: "port", label: "Port", kind: "number" },
      { name: "private", label: "Private?", kind: "confirm" },
    ],
  });
  yield {
    say:
      `Colour: ${told(colour)}. Fruit: ${told(fruit)}. ${sure === true ? "Sure" : "Not sure"}. Name: ${told(name)}. ` +
      `Story: ${typeof story === "string" ? `${story.length} characters` : "none"}. Project: ${told(form)}. ` +
      `${secret.text.startsWith("The person gave") ? "And a secret I have forgotten" : "No secret"}.\n`,
  };
}

function* answerTo(input: Record<string, unknown>): Generator<Step, unknown, readonly ToolOutcome[]> {
  const outcome = yield* calling("ask", input);
  return outcome.details.answer ?? null;
}

function told(answer: unknown): string {
  if (answer === null || answer === undefined) return "none";
  if (Array.isArray(answer)) return answer.length === 0 ? "none" : answer.join(", ");
  if (typeof answer !== "object") return String(answer);
  return Object.entries(answer)
    .map(([name, value]) => `${name} ${value === true ? "yes" : value === false ? "no" : String(value)}`)
    .join(", ");
}

function* count(last: number): Script {
  for (let number = 1; number <= last; number += 1) yield { say: `${number}${number % 20 === 0 ? "\n" : " "}` };
  if (last % 20 !== 0) yield { say: "\n" };
}
