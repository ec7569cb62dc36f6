// Requests that are about talking itself: greetings, what it is, how to get a model, questions of every kind, long answers.
import { calling, type OfflineRequest, type Script, type Step, saying, type ToolOutcome } from "./offline-request.js";

const COUNT_MAX = 100_000;
/** Slow enough to stop it in the middle of 1000. */
const COUNT_WORD_MS = 5;

/** The way to a model, in three lines. */
export const MODEL_LINES =
  "- **a model**: set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`, or choose one with `/model` (Ollama works offline)\n" +
  "- **another agent**: `palaver agents` lists those installed; `palaver run claude` starts one\n" +
  "- **without one**: type `help` for what I can do, or `/demo` for a tour\n";

export const talkRequests: readonly OfflineRequest[] = [
  {
    name: "hello",
    words: "",
    examples: ["hello", "say hello"],
    patterns: [
      /^(?:hello|hi|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))\b(?:\s+(?:there|again|palaver|all|everyone|you|world))*[\s!.,?]*$/i,
      /^say (?:hello|hi)\b.*$/i,
      /^how are you\b.*$/i,
    ],
    script: () => saying("Hello! Type `help` for what I can do without a model, or `/demo` for a tour.\n"),
  },
  {
    name: "thanks",
    words: "",
    examples: ["thanks"],
    patterns: [/^(?:many )?(?:thanks|thank you|thx|cheers|great|perfect|cool|nice|well done|awesome)\b[^,;]*$/i],
    script: () => saying("You are welcome.\n"),
  },
  {
    name: "bye",
    words: "",
    examples: ["bye"],
    patterns: [/^(?:bye|goodbye|exit|quit|see you|:q!?|:wq)\b.*$/i],
    script: () => saying("Type `/quit`, or press ctrl+c twice.\n"),
  },
  {
    name: "go on",
    words: "",
    examples: ["go on"],
    patterns: [/^(?:go on|continue)[.!]?$/i],
    script: () => saying("There is nothing to continue.\n"),
  },
  {
    name: "who",
    words: "say how to get a model",
    examples: ["how do I get a model?", "who are you?", "which model is this?"],
    patterns: [
      /^(?:who|what) are you\b.*$/i,
      /^(?:which|what) model\b.*$/i,
      /^(?:how|where)\b.*\b(?:model|llm|api key|provider|set ?up|started)\b.*$/i,
    ],
    script: () => saying(`I am Palaver's built-in agent; there is no model behind me yet.\n\n${MODEL_LINES}`),
  },
  {
    name: "ask",
    words: "ask one question of every kind",
    examples: ["ask me something", "ask me one question of every kind"],
    patterns: [/^ask (?:me|us)\b.*$/i, /^.*\bquestions? of every kind\b.*$/i],
    script: () => askEverything(),
  },
  {
    name: "count",
    words: "give a long answer, to watch it stream and stop it",
    examples: ["count to 1000"],
    patterns: [/^count (?:up )?to (?<last>\d+)$/i],
    script: ({ last = "10" }) => count(Math.min(Number(last), COUNT_MAX)),
  },
  {
    name: "think",
    words: "show sample thinking",
    examples: ["think about it"],
    patterns: [/^think\b.*$/i],
    script: function* () {
      yield { think: "Sample thinking: this is how the reasoning of a model looks." };
      yield { say: "That was sample thinking; `/thinking` shows or hides it.\n" };
    },
  },
];

function* askEverything(): Script {
  yield { say: "One question of every kind. Esc cancels a question; the next one follows.\n\n" };
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
  const secret = yield* calling("ask", { kind: "secret", title: "Enter a secret (it is not kept)" });
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
      `${!secret.isError && !("answer" in secret.details) ? "And a secret I have forgotten" : "No secret"}.\n`,
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
  for (let number = 1; number <= last; number += 1) {
    yield { stream: `${number}${number % 20 === 0 || number === last ? "\n" : " "}`, wordMs: COUNT_WORD_MS };
  }
}
