// From what the user wrote to the script that answers it. Politeness around a request is left out, and a slip in its first
// word is forgiven. Requests can be joined ("list src, then run npm test") and planned ("plan: …"). What is not understood
// gets the way to a model in four lines.
import { nearestName } from "../../contract/nearest-name.js";
import { fileRequests } from "./file-requests.js";
import {
  calling,
  type OfflineRequest,
  type Results,
  type Script,
  type Step,
  saying,
  type ToolOutcome,
} from "./offline-request.js";

// Requests that are about talking itself: greetings, what it is, how to get a model, questions of every kind, long answers.

const COUNT_MAX = 100_000;
/** Slow enough to stop it in the middle of 1000. */
const COUNT_WORD_MS = 5;

/** How an answer begins that tells the way to a model. */
export const NEEDS_MODEL = "I can't do that offline: it needs a model.";

/** The way to a model, in three lines. */
const MODEL_LINES =
  "- **a model**: set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`, or choose one with `/model` (Ollama works offline)\n" +
  "- **another agent**: `palaver agents` lists those installed; `palaver run claude` starts one\n" +
  "- **without one**: type `help` for what I can do, or `/demo` for a tour\n";

const talkRequests: readonly OfflineRequest[] = [
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
    patterns: [
      /^(?:many )?(?:thanks|thank you|thx|cheers|great|perfect|cool|nice|well done|awesome)\b[^,;]*$/i,
      /^(?:thanks|thank you|great|cool|nice)\b[^,;]*,\s+(?:that|it|this|you)(?:'s|'re)?\b[^,;]*$/i,
    ],
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
  const files = yield* answerTo({ kind: "files", title: "Which files?" });
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
      `Story: ${typeof story === "string" ? `${story.length} characters` : "none"}. ` +
      `Files: ${told(files)}. Project: ${told(form)}. ` +
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

const SENTENCE_CHARS_MAX = 4_000;

const helpRequest: OfflineRequest = {
  name: "help",
  words: "",
  examples: ["help", "what can you do?"],
  patterns: [/^\??help(?:\s+me)?[!.?]*$/i, /^what (?:can|do) (?:you|i) (?:do|understand|know|say|type)\b.*$/i, /^\?+$/],
  script: () => saying(helpText()),
};

const planRequest: OfflineRequest = {
  name: "plan",
  words: "run several steps with a plan",
  examples: ["plan: list src, then run npm test", "plan this"],
  patterns: [/^(?:make a |show (?:me )?a )?plan(?:\s+(?:this|it|for this|to|for))?(?:\s*:?\s+(?<steps>.+))?$/i],
  script: ({ steps = "" }, results) => planned(stepsIn(steps), results),
};

const demoRequest: OfflineRequest = {
  name: "demo",
  words: "",
  examples: ["show me a demo"],
  patterns: [/^(?:(?:show|give) me )?(?:a |the |your )?(?:short |guided )?(?:taste|tour|demo)\b.*$/i],
  script: () => saying("Type `/demo` for a two-minute tour.\n"),
};

export const offlineRequests: readonly OfflineRequest[] = [
  helpRequest,
  planRequest,
  ...talkRequests,
  demoRequest,
  ...fileRequests,
];

/** `known`: the user was told the way to a model before; once is enough. */
export function scriptFor(text: string, results: Results = "shown", known: "way" | "nothing" = "nothing"): Script {
  const written = text.trim();
  // The patterns are for sentences; a long text would take them too much time.
  if (written.length > SENTENCE_CHARS_MAX) return saying(unknownText("", known));
  const steps = stepsIn(written);
  // "plan: a, then b" is one plan of two steps, and not a step that is a plan.
  const areSteps =
    steps.length > 1 &&
    matchOf(planRequest, wordingOf(written)) === null &&
    steps.every((step) => scriptOf(wordingOf(step), results) !== null);
  if (areSteps) return planned(steps, results);
  const wording = wordingOf(written);
  return scriptOf(wording, results) ?? scriptOf(corrected(wording), results) ?? saying(unknownText(wording, known));
}

function scriptOf(wording: string, results: Results): Script | null {
  for (const request of offlineRequests) {
    const match = matchOf(request, wording);
    if (match !== null) return request.script(match, results);
  }
  return null;
}

function matchOf(request: OfflineRequest, wording: string): Readonly<Record<string, string>> | null {
  for (const pattern of request.patterns) {
    const match = pattern.exec(wording);
    if (match !== null) return definedGroups(match.groups ?? {});
  }
  return null;
}

const POLITE_BEFORE =
  /^(?:(?:please|pls|ok(?:ay)?|now|and|so|well|just|kindly|hey|hi|hello)(?:\s+(?:there|palaver|again))?[,!.]?\s+(?=\S+\s)|(?:can|could|would|will)\s+(?:you|i|we)\s+(?:please\s+)?(?:also\s+|just\s+)?|i(?:'d| would)?\s+(?:want|like|need)\s+(?:you\s+)?to\s+|let(?:'s| us| me)\s+|go ahead and\s+|(?:tell|show) me\s+(?=(?:wh|how))|do you know\s+(?=(?:wh|how)))/i;
const POLITE_AFTER = /[,\s]+(?:please|pls|for me|for us|now|thanks|thank you|if you can|quickly)\s*[.!?]*$/i;
const QUESTION = /^(?:what|which|where|who|how|why|are|is|do|does|can|could|would|will)\b/i;

/** The request without what is said out of politeness. */
function wordingOf(text: string): string {
  // What is meant for a shell is left as it is.
  if (/^[$!]/.test(text)) return text;
  let wording = text.trim();
  for (let before = ""; before !== wording; ) {
    before = wording;
    // A question mark belongs to a question; elsewhere it may be part of a pattern or a command.
    if (QUESTION.test(wording)) wording = wording.replace(/\s*[?!.]+$/, "");
    wording = wording.replace(POLITE_BEFORE, "").replace(POLITE_AFTER, "").trim();
  }
  return wording === "" ? text.trim() : wording;
}

const VERBS =
  "hello thanks help plan show read open print display list find search replace change rename create write delete run execute count where which what".split(
    " ",
  );
const SLIPS_MAX = 2;

/** The wording with its first word as it was probably meant. */
function corrected(wording: string): string {
  const [first = "", ...rest] = wording.split(" ");
  if (first.length < 4) return wording;
  const near = nearestName(first.replace(/[!.?]+$/, ""), VERBS, first.length < 6 ? 1 : SLIPS_MAX);
  return [near ?? first, ...rest].join(" ");
}

function definedGroups(groups: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

// What stands in quotes is not looked into: "then" is a word like any other there.
function stepsIn(text: string): string[] {
  const masked = text.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, (quoted) => "_".repeat(quoted.length));
  const steps: string[] = [];
  let from = 0;
  for (const match of masked.matchAll(/\s*[,;.]?\s*\b(?:and\s+)?then\b\s*,?\s*/gi)) {
    steps.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  steps.push(text.slice(from));
  return steps.map((step) => step.trim()).filter((step) => step !== "" && !/^(?:this|it)$/i.test(step));
}

const stepsDefault = ["list this folder", "show package.json"];

function* planned(steps: readonly string[], results: Results): Script {
  const all = steps.length === 0 ? stepsDefault : steps;
  const show = (at: number) => ({
    title: at < all.length ? `step ${at + 1} of ${all.length}: ${all[at]}` : "all steps are done",
    steps: all.map((text, index) => ({
      text,
      status: index < at ? "completed" : index === at ? "in_progress" : "pending",
    })),
  });
  for (const [at, step] of all.entries()) {
    yield* calling("plan", show(at));
    yield* scriptFor(step, results);
  }
  yield* calling("plan", show(all.length));
  yield { say: "The plan is done.\n" };
}

// Looking comes first, then changing, then talking.
function helpText(): string {
  const rows = [...fileRequests.toReversed(), planRequest, ...talkRequests].filter(({ words }) => words !== "");
  return `Without a model I can:\n\n${rows.map(({ examples, words }) => `- ${words}: \`${examples[0]}\`\n`).join("")}`;
}

function unknownText(wording: string, known: "way" | "nothing"): string {
  const near = nearest(wording);
  const hint = near === null ? "" : ` Did you mean \`${near.examples[0].replace(/\?$/, "")}\`?`;
  const way = known === "way" ? " `help` lists what I can do, `/model` chooses a model.\n" : `\n\n${MODEL_LINES}`;
  return `${NEEDS_MODEL}${hint}${way}`;
}

/** The request that begins with the same word as the text and shares another with it; null when none does. */
function nearest(text: string): OfflineRequest | null {
  const [first, ...rest] = wordsOf(text);
  const isNear = (example: string) => {
    const [verb, ...words] = wordsOf(example);
    return verb === first && words.some((word) => rest.includes(word));
  };
  return offlineRequests.find(({ examples }) => examples.some(isNear)) ?? null;
}

const fillers: ReadonlySet<string> = new Set(
  "a an the is are in me my this to of with it do does i you what something could please how".split(" "),
);

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => !fillers.has(word));
}
