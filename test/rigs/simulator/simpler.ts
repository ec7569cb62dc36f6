// Simpler versions of one action or of the start of a session, best first: shorter texts, fewer keys, sizes that are
// easier to think about. Every version is smaller than what it came from, so that shrinking comes to an end.

import type { Action, SessionHead } from "./action.js";
import { whole } from "./texts.js";

const EASY_SIZES = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
  { columns: 20, rows: 6 },
];

export function simplerActions(action: Action): Action[] {
  switch (action.do) {
    case "say":
    case "burst":
    case "run":
    case "notice":
    case "status":
    case "paste":
      return shorterTexts(action.text).map((text) => ({ ...action, text }));
    case "widget":
      return [...shorterLists(action.rows), ...shorterEntries(action.rows)].map((rows) => ({ ...action, rows }));
    case "keys":
      return shorterLists(action.keys).map((keys) => ({ ...action, keys }));
    case "ask":
      return [...shorterLists(action.options), ...shorterEntries(action.options)]
        .filter((options) => options.length > 0)
        .map((options) => ({ ...action, options }));
    case "suspend":
      return [
        ...shorterTexts(action.prompt).map((prompt) => ({ ...action, prompt })),
        ...shorterLists(action.shell).map((shell) => ({ ...action, shell })),
      ];
    case "resize":
      return [
        ...(action.news === "later" ? [{ ...action, news: "at once" as const }] : []),
        ...easierSizes(action).map((size) => ({ ...action, ...size })),
      ];
    case "wait":
      return action.ms > 20 ? [{ ...action, ms: 20 }] : [];
    default:
      return [];
  }
}

export function simplerSessions(session: SessionHead): SessionHead[] {
  return [
    ...(session.profile === "xterm.js" ? [] : [{ ...session, profile: "xterm.js" as const }]),
    ...(session.end === "orderly" ? [] : [{ ...session, end: "orderly" as const }]),
    ...shorterTexts(session.prompt).map((prompt) => ({ ...session, prompt })),
    ...shorterLists(session.shell).map((shell) => ({ ...session, shell })),
    ...shorterEntries(session.shell).map((shell) => ({ ...session, shell })),
    ...easierSizes(session).map((size) => ({ ...session, ...size })),
  ];
}

// Whole lines go first, then halves, then letters that are not plain; a text that cannot get shorter stays.
function shorterTexts(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const half = Math.ceil(text.length / 2);
  const plain = text.replace(/[^\n\x20-\x7e]+/g, "");
  const candidates = [
    "",
    ...(lines.length > 1
      ? [lines.slice(lines.length / 2).join("\n"), lines.slice(0, lines.length / 2).join("\n")]
      : []),
    text.slice(0, half),
    text.slice(half),
    text.slice(1),
    text.slice(0, -1),
    plain,
  ];
  return [...new Set(candidates.map((candidate) => whole(candidate)))].filter(({ length }) => length < text.length);
}

function shorterLists<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [];
  const half = Math.ceil(list.length / 2);
  const candidates = [[], list.slice(0, half), list.slice(half), list.slice(1), list.slice(0, -1)];
  return candidates.filter((candidate) => candidate.length < list.length);
}

function shorterEntries(list: readonly string[]): string[][] {
  return list.flatMap((entry, index) =>
    entry.length > 1
      ? [list.map((other, at) => (at === index ? entry.slice(0, Math.floor(entry.length / 2)) : other))]
      : [],
  );
}

function easierSizes({ columns, rows }: { columns: number; rows: number }): { columns: number; rows: number }[] {
  const rank = EASY_SIZES.findIndex((size) => size.columns === columns && size.rows === rows);
  return EASY_SIZES.slice(0, rank < 0 ? EASY_SIZES.length : rank);
}
