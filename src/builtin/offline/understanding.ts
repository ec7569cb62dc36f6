// From what the person wrote to the script that answers it. Requests can be joined ("list src, then run npm test") and
// planned ("plan: …"); what is not understood gets the nearest example and the list of all.
import { fileRequests } from "./file-requests.js";
import { calling, type OfflineRequest, type Script, saying, talkRequests } from "./offline-request.js";

const helpRequest: OfflineRequest = {
  name: "help",
  words: "this list",
  examples: ["help", "what can you do?"],
  patterns: [/^\??help\b.*$/i, /^what can you do\b.*$/i, /^\?$/],
  script: () => saying(helpText()),
};

const planRequest: OfflineRequest = {
  name: "plan",
  words: "do several things, with a plan beside it",
  examples: ["plan this", "plan: list src, then run npm test"],
  patterns: [/^(?:make a |show (?:me )?a )?plan(?:\s+(?:this|it|for this|to|for))?(?:\s*:?\s+(?<steps>.+))?$/i],
  script: ({ steps = "" }) => planned(stepsIn(steps)),
};

const tasteRequest: OfflineRequest = {
  name: "taste",
  words: "a short tour",
  examples: ["show me a taste"],
  patterns: [/^(?:(?:show|give) me )?(?:a |the )?(?:short )?(?:taste|tour|demo)\b.*$/i],
  script: () => scriptFor("what is in this folder?"),
};

export const offlineRequests: readonly OfflineRequest[] = [
  helpRequest,
  planRequest,
  ...talkRequests,
  tasteRequest,
  ...fileRequests,
];

export function scriptFor(text: string): Script {
  const written = text.trim();
  const steps = stepsIn(written);
  // "plan: a, then b" is one plan of two steps, and not a step that is a plan.
  const areSteps =
    steps.length > 1 &&
    matchOf(planRequest, written) === null &&
    steps.every((step) => offlineRequests.some((each) => matchOf(each, step)));
  if (areSteps) return planned(steps);
  for (const request of offlineRequests) {
    const match = matchOf(request, written);
    if (match !== null) return request.script(match);
  }
  return saying(unknownText(written));
}

function matchOf(request: OfflineRequest, text: string): Readonly<Record<string, string>> | null {
  const polite = text.replace(/^(?:please|could you|can you|would you|now|and)\s+/i, "").trim();
  // A question mark belongs to a question; elsewhere it may be part of a pattern or a command.
  const plain = /^(?:what|which|where|who|how)\b/i.test(polite) ? polite.replace(/\s*\?+$/, "") : polite;
  for (const pattern of request.patterns) {
    const match = pattern.exec(plain);
    if (match !== null) return definedGroups(match.groups ?? {});
  }
  return null;
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

function* planned(steps: readonly string[]): Script {
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
    yield* scriptFor(step);
  }
  yield* calling("plan", show(all.length));
  yield { say: "The plan is done.\n" };
}

function helpText(): string {
  const rows = offlineRequests.map(({ examples, words }) => `- \`${examples[0]}\` — ${words}\n`);
  return `I understand sentences like these, and nothing else:\n\n${rows.join("")}`;
}

function unknownText(text: string): string {
  const count = text.split(/\s+/).filter(Boolean).length;
  const near = nearest(text);
  const hint = near === null ? "" : ` Did you mean something like \`${near.examples[0]}\`?`;
  return `You wrote ${count} ${count === 1 ? "word" : "words"}. I have no model to think about them with.${hint}\n\n${helpText()}`;
}

/** The example that shares the most words with the text; null when none shares any. */
function nearest(text: string): OfflineRequest | null {
  const spoken = wordsOf(text);
  const scored = offlineRequests.map((request) => ({
    request,
    score: Math.max(...request.examples.map((each) => shared(spoken, each))),
  }));
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best !== undefined && best.score > 0 ? best.request : null;
}

function shared(spoken: ReadonlySet<string>, example: string): number {
  const words = wordsOf(example);
  const common = [...words].filter((word) => spoken.has(word)).length;
  return common / Math.sqrt(words.size || 1);
}

const fillers: ReadonlySet<string> = new Set(
  "a an the is in me my this to of with it something could please".split(" "),
);

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return new Set(words.filter((word) => !fillers.has(word)));
}
