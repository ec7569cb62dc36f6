// Writes the script of one session from a seed: how long, how wide, which terminal, and what happens tick by tick. It
// knows nothing of the screen; actions that make no sense at their moment do nothing.

import type { Action, ProfileName, Script } from "./action.js";
import { SeededRandom } from "./seeded-random.js";
import { type Alphabet, Texts } from "./texts.js";

const KEYS = [
  "\r",
  "\x7f",
  "\x1b[A",
  "\x1b[B",
  "\x1b[C",
  "\x1b[D",
  "\x17",
  "\x19",
  "\x15",
  "\x01",
  "\x05",
  "\x1b",
  "\x1b[13;2u",
];
const PROFILES: readonly ProfileName[] = ["xterm.js", "xterm.js", "xterm.js", "generic", "kitty", "tmux", "xterm"];

/** Sessions have characters: one talks, one is dragged around by its corner, one asks all the time. */
interface Mood {
  readonly weights: readonly (readonly [weight: number, kind: Kind])[];
  readonly sizes: "usual" | "tiny" | "any";
  readonly kind: "markdown" | "text";
  readonly alphabet: Alphabet;
}

type Kind = "say" | "tools" | "keys" | "asks" | "resizes" | "terminal" | "takeovers" | "rest";

export interface SessionRequest {
  readonly seed: number;
  readonly ticks: number;
  readonly profile?: ProfileName | undefined;
}

export function generateScript(wish: SessionRequest): Script {
  const random = new SeededRandom(wish.seed);
  const mood = moodOf(random);
  const texts = new Texts(random, mood.alphabet);
  const shell = Array.from({ length: random.integer(0, 50) }, () => `$ ${texts.line()}`);
  const profile = wish.profile ?? random.pick(PROFILES);
  const isLate = random.chance(0.15);
  const end = random.pick(["orderly", "abrupt"] as const);
  const session = {
    profile: isLate ? "generic" : profile,
    ...size(random, mood),
    shell,
    prompt: prompt(random, texts),
    end,
  } as const;
  const actions: Action[] = [];
  if (isLate) actions.push(...rests(random, texts), { do: "identify", profile });
  while (actions.length < wish.ticks) actions.push(...step(random, mood, texts));
  if (mood.alphabet === "clusters") keepWidth(actions, session.columns);
  return { session, actions: actions.slice(0, wish.ticks) };
}

// Where the emulator would damage plain text by itself, only the height changes.
function keepWidth(actions: Action[], columns: number): void {
  actions.forEach((action, index) => {
    if (action.do === "resize") actions[index] = { ...action, columns };
  });
}

function moodOf(random: SeededRandom): Mood {
  const weight = (usual: number): number => (random.chance(0.25) ? usual * 4 : random.chance(0.25) ? 0 : usual);
  return {
    weights: [
      [20, "say"],
      [weight(7), "tools"],
      [weight(12), "keys"],
      [weight(5), "asks"],
      [weight(6), "resizes"],
      [weight(4), "terminal"],
      [weight(2), "takeovers"],
      [8, "rest"],
    ],
    sizes: random.pick(["usual", "usual", "tiny", "any"]),
    kind: random.pick(["markdown", "markdown", "text"]),
    alphabet: random.pick(["latin", "latin", "mixed", "wide", "clusters"]),
  };
}

function size(random: SeededRandom, mood: Mood): { columns: number; rows: number } {
  switch (mood.sizes) {
    case "usual":
      return { columns: random.integer(60, 140), rows: random.integer(15, 50) };
    case "tiny":
      return { columns: random.integer(10, 50), rows: random.integer(3, 12) };
    case "any":
      return { columns: random.integer(10, 400), rows: random.integer(3, 120) };
  }
}

function step(random: SeededRandom, mood: Mood, texts: Texts): Action[] {
  switch (random.weighted(mood.weights)) {
    case "say":
      return [say(random, mood, texts)];
    case "tools":
      return [tool(random, texts)];
    case "keys":
      return [key(random, texts)];
    case "asks":
      return asking(random, texts);
    case "resizes":
      return resizing(random, mood);
    case "terminal":
      return pacing(random);
    case "takeovers":
      return takeover(random, mood, texts);
    case "rest":
      return [rest(random, texts)];
  }
}

function say(random: SeededRandom, mood: Mood, texts: Texts): Action {
  if (random.chance(0.1)) return { do: "finish" };
  const as = random.chance(0.9) ? mood.kind : random.pick(["markdown", "text"] as const);
  return { do: "say", as, text: as === "markdown" ? texts.markdown() : texts.plain() };
}

function tool(random: SeededRandom, texts: Texts): Action {
  return random.weighted<() => Action>([
    [4, () => ({ do: "burst", text: texts.lines(random.integer(1, 6)) })],
    [1, () => ({ do: "burst", text: texts.lines(random.integer(6, 60)) })],
    [0.15, () => ({ do: "burst", text: texts.lines(200) })],
    [4, () => ({ do: "run", text: texts.lines(random.integer(1, 4)) })],
    [3, () => ({ do: "stop" })],
    [2, () => ({ do: "notice", text: texts.line() })],
  ])();
}

function key(random: SeededRandom, texts: Texts): Action {
  if (random.chance(0.1))
    return { do: "paste", text: random.chance(0.3) ? texts.lines(random.integer(2, 30)) : texts.line() };
  if (random.chance(0.3)) return { do: "keys", keys: [random.pick(KEYS)] };
  return { do: "keys", keys: Array.from(texts.words(1)) };
}

function asking(random: SeededRandom, texts: Texts): Action[] {
  const ask: Action = {
    do: "ask",
    options: Array.from({ length: random.integer(1, 7) }, () => texts.words(random.integer(1, 6))),
  };
  return random.weighted<Action[]>([
    [3, [ask]],
    [1, [ask, ask]],
    [3, [ask, { do: "wait", ms: 450 }, { do: "keys", keys: [random.pick(["\r", "\x1b[B", "\x1b"])] }]],
    [
      3,
      [
        { do: "wait", ms: 450 },
        { do: "keys", keys: ["\r"] },
      ],
    ],
    [2, [{ do: "withdraw", which: random.pick(["oldest", "newest"]) }]],
  ]);
}

function resizing(random: SeededRandom, mood: Mood): Action[] {
  const one = (news: "at once" | "later"): Action => ({ do: "resize", ...size(random, mood), news });
  return random.weighted<() => Action[]>([
    [4, () => [one("at once")]],
    [2, () => [one("later")]],
    [1, () => Array.from({ length: random.integer(2, 10) }, () => one("later"))],
    [1, () => Array.from({ length: random.integer(2, 5) }, () => one("at once"))],
    [3, () => [{ do: "wait", ms: 350 }, one("later")]],
    [2, () => [one("at once"), { do: "wait", ms: 350 }]],
    [3, () => [{ do: "news" }]],
  ])();
}

function pacing(random: SeededRandom): Action[] {
  return random.weighted<() => Action[]>([
    [2, () => [{ do: "pace", pace: "slow" }]],
    [2, () => [{ do: "pace", pace: "fast" }]],
    [6, () => [{ do: "read", units: random.pick([1, 3, 17, 90, 400, 4000]) }]],
  ])();
}

function suspension(random: SeededRandom, texts: Texts): Action {
  const shell = Array.from({ length: random.integer(0, 4) }, () => texts.line());
  return { do: "suspend", shell, prompt: prompt(random, texts) };
}

function prompt(random: SeededRandom, texts: Texts): string {
  return random.chance(0.3) ? texts.line() : "";
}

function takeover(random: SeededRandom, mood: Mood, texts: Texts): Action[] {
  const resize: Action = { do: "resize", ...size(random, mood), news: "at once" };
  return random.weighted<() => Action[]>([
    [2, () => [suspension(random, texts)]],
    [3, () => [{ do: "resume" }]],
    [2, () => [{ do: "open viewer" }, { do: "scroll viewer" }]],
    [1, () => [{ do: "open viewer" }, resize]],
    [3, () => [{ do: "close viewer" }]],
  ])();
}

function rests(random: SeededRandom, texts: Texts): Action[] {
  return Array.from({ length: random.integer(0, 12) }, () => rest(random, texts));
}

function rest(random: SeededRandom, texts: Texts): Action {
  return random.weighted<() => Action>([
    [3, () => ({ do: "frame", urgency: random.pick(["soon", "now"]) })],
    [3, () => ({ do: "wait", ms: random.pick([1, 16, 60, 500]) })],
    [3, () => ({ do: "status", text: texts.words(random.integer(0, 8)) })],
    [
      2,
      () => ({
        do: "widget",
        rows: Array.from({ length: random.integer(0, 5) }, () => texts.words(random.integer(0, 12))),
      }),
    ],
    [1, () => ({ do: "clear" })],
  ])();
}
