// From what the user wrote to the script that answers it. Politeness around a request is left out, and a slip in its first
// word is forgiven. Requests can be joined ("list src, then run npm test") and planned ("plan: …"). What is not understood
// gets the way to a model in four lines.
import { nearestName } from "../../contract/nearest-name.js";
import { fileRequests } from "./file-requests.js";
import { calling, type OfflineRequest, type Results, type Script, saying } from "./offline-request.js";
import { MODEL_LINES, talkRequests } from "./talk-requests.js";

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

export function scriptFor(text: string, results: Results = "shown"): Script {
  const written = text.trim();
  // The patterns are for sentences; a long text would take them too much time.
  if (written.length > SENTENCE_CHARS_MAX) return saying(unknownText(""));
  const steps = stepsIn(written);
  // "plan: a, then b" is one plan of two steps, and not a step that is a plan.
  const areSteps =
    steps.length > 1 &&
    matchOf(planRequest, wordingOf(written)) === null &&
    steps.every((step) => scriptOf(wordingOf(step), results) !== null);
  if (areSteps) return planned(steps, results);
  const wording = wordingOf(written);
  return scriptOf(wording, results) ?? scriptOf(corrected(wording), results) ?? saying(unknownText(wording));
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
  /^(?:(?:please|pls|ok(?:ay)?|now|and|so|well|just|kindly|hey|hi|hello)[,!]?\s+(?=\S+\s)|(?:can|could|would|will)\s+(?:you|i|we)\s+(?:please\s+)?(?:also\s+|just\s+)?|i(?:'d| would)?\s+(?:want|like|need)\s+(?:you\s+)?to\s+|let(?:'s| us| me)\s+|go ahead and\s+|tell me\s+(?=wh))/i;
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

function unknownText(wording: string): string {
  const near = nearest(wording);
  const hint = near === null ? "" : ` Did you mean \`${near.examples[0].replace(/\?$/, "")}\`?`;
  return `I can't do that offline: it needs a model.${hint}\n\n${MODEL_LINES}`;
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
