// Words that do not belong in a text for users: they make a sentence vague or turn a process into a person. "How Palaver speaks" in
// CONTRIBUTING.md says what to write instead; its table of examples may quote them. Generated parts of pages come from src/, where
// the same rule holds.
import { type Finding, findingsOf, type SourceFile } from "./source-file.js";

const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bnobody\b/i, '"no one", or better the one who acts: the user, the agent'],
  [/\bwhoever\b/i, 'the one who acts: "you", "the user", "the agent"'],
  [/\b(?:some|any|every)body\b/i, '"you", "the user" or "all users"'],
  [/\bwhat\s+becomes\s+of\b/i, "what happens, in one verb: ends, fails, is withdrawn"],
  [/\bg(?:o|oes|one|oing)\s+on\s+with\b/i, '"resume" or "continue"'],
  [/\banew\b/i, '"again", or a verb: restart, regenerate, reflow'],
  [/\b(?:the|a|no)\s+person\b/i, '"you", or "the user" in texts for models and authors'],
  [/\bwhat\s+answers\b/i, 'the thing that answers: "the server", "the agent"'],
  [/\b(?:is|are)\s+none\s+of\b/i, '"is not one of"'],
  [
    /\b(?:exists?|runs?|open|answered|bound)\s+already\b/i,
    '"already" before the verb: "already exists", "is already open"',
  ],
];

const PAGE = /^(?:[A-Z]+\.md|docs\/.*\.md|man\/.*)$/;
const QUOTED_OR_GENERATED = /<!-- (before and after|commands|begin \w+)\b[\s\S]*?<!-- end\b/g;

/** Between two lines of a sentence that is a sum of strings. */
const SEAM = /["'`] \+\n\s*["'`]/g;

/** The text that the rule is about: a page, or code with its comments. Null for any other file. */
function wordedPart({ path, text }: SourceFile): string | null {
  if (PAGE.test(path)) return text.replace(QUOTED_OR_GENERATED, blank);
  return /^src\/.*\.tsx?$/.test(path) ? text.replace(SEAM, blank) : null;
}

/** Keeps the lines, so that a finding names the right one. */
const blank = (part: string) => part.replace(/[^\n]/g, " ");

export function checkWording(file: SourceFile): Finding[] {
  const text = wordedPart(file);
  if (text === null) return [];
  const message = (instead: string) => (match: string) =>
    `"${match.replace(/\s+/g, " ")}" is not a word for users: say ${instead}`;
  return WORDS.flatMap(([word, instead]) => findingsOf({ ...file, text }, "text", word, message(instead)));
}
