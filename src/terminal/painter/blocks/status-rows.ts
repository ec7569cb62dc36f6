// The lines around the composer: what the agent is doing, and agent, model, mode, folder, branch and usage. Details on the
// right go first where it is narrow; a mode that never asks stays.
//
//   ⠹ reading parser.ts  12 s · esc stop
//   › and then update the changelog▏
//     claude · sonnet-5 · plan · ~/parser · main · 12.4 k tok · $0.08 · 2 queued
import { currentMode, neverAsks } from "../../../session/agent-mode.js";
import { modelWords, type PlanEntries, type SessionFacts } from "../../../session/session-facts.js";
import type { SessionList } from "../../../session/session-list.js";
import { humanCost, humanSeconds, humanTokens } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";
import { shortenEnd, shortenMiddle } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import { fitted } from "../dialogs/dialog-rows.js";
import { type Appearance, type Glyphs, spinnerAt } from "./glyphs.js";
import type { LiveMoment } from "./transcript-view.js";

export const STOP_HINT = "esc stop";

export function workingRows(
  state: SessionFacts,
  moment: LiveMoment,
  look: Appearance,
  widthCells = Infinity,
): string[] {
  const { style, glyphs } = look;
  const spinner = spinnerAt(glyphs, moment.tick);
  if (state.phase === "starting") return [style.paint("dim", `  ${spinner} ${startingWords(state, moment)}`)];
  if (state.phase !== "working" || state.workingSinceMs === null) return [];
  return [
    `  ${style.paint("accent", spinner)} ${workWords(doing(state, moment), state, moment, look, widthCells - 4)}`,
  ];
}

/** A quick start shows no clock. */
const START_CLOCK_MS = 2_000;

function startingWords({ workingSinceMs }: SessionFacts, { nowMs }: LiveMoment): string {
  const tookMs = workingSinceMs === null ? 0 : nowMs - workingSinceMs;
  return tookMs < START_CLOCK_MS ? "starting" : `starting  ${humanSeconds(tookMs)}`;
}

/** An agent that has not stopped after this long is not expected to. */
const STOP_MS_MAX = 8_000;

function doing({ workingMessage, stoppingSinceMs }: SessionFacts, { nowMs }: LiveMoment): string {
  if (stoppingSinceMs === null) return safeLine(workingMessage ?? "working");
  return nowMs - stoppingSinceMs < STOP_MS_MAX ? "stopping" : "it does not stop; /restart ends it";
}

/** The words, then time and stop key. The key goes first, then the end of the words. */
function workWords(
  words: string,
  { workingSinceMs, stoppingSinceMs }: SessionFacts,
  { nowMs }: LiveMoment,
  look: Appearance,
  widthCells: number,
): string {
  const took = workingSinceMs === null ? "" : humanSeconds(nowMs - workingSinceMs);
  const hint = stoppingSinceMs === null ? STOP_HINT : "";
  const details = { all: [took, hint], fewer: [took, hint], least: [took] };
  return wordsWithDetails(words, details, widthCells, look) ?? fitted(words, widthCells, look.glyphs);
}

/** Words are not cut to less than this. */
const WORDS_CELLS_MIN = 20;

/** The words, cut if they must be, with the details that fit behind them; undefined where not even the least do. */
export function wordsWithDetails(
  words: string,
  details: Readonly<Record<"all" | "fewer" | "least", readonly string[]>>,
  widthCells: number,
  { style, glyphs }: Appearance,
): string | undefined {
  for (const kept of [details.all, details.fewer, details.least]) {
    const end = kept.filter(Boolean).join(` ${glyphs.separator} `);
    const tail = end === "" ? "" : `  ${style.paint("dim", end)}`;
    const room = widthCells - (end === "" ? 0 : textWidth(end) + 2);
    const mayCut = kept !== details.all && room >= WORDS_CELLS_MIN;
    if (textWidth(words) <= room || mayCut) return fitted(words, Math.max(0, room), glyphs) + tail;
  }
  return undefined;
}

/** Where the session is. */
export interface StatusPlace {
  readonly agent: string;
  /** As it is shown; "" when unknown. */
  readonly folder: string;
  readonly branch: string | null;
  /** The name of the session; "" when unknown, or when it stands in the line of sessions. */
  readonly session: string;
}

/** `stays`: not left out where it is narrow. */
type StatusPart = { readonly text: string; readonly role: "dim" | "warn"; readonly stays: boolean };

const FOLDER_CELLS_MAX = 30;
/** Where the row is too long; it is cut before anything is left out. */
const FOLDER_CELLS_NARROW = 16;

export function statusRow(
  state: SessionFacts,
  place: StatusPlace,
  widthCells: number,
  { style, glyphs }: Appearance,
): string {
  const part = (text: string, role: StatusPart["role"] = "dim"): StatusPart => ({
    text: safeLine(text),
    role,
    stays: false,
  });
  const folder = part(shortenMiddle(place.folder, FOLDER_CELLS_MAX));
  const parts = [
    { ...part(place.agent), stays: true },
    part(state.phase === "ended" ? "not running" : ""),
    part(modelWords(state)),
    ...modeParts(state),
    folder,
    part(place.branch ?? ""),
    ...state.status.map(({ key, text }) => part(text, key === "sandbox" && text === NO_SANDBOX ? "warn" : "dim")),
    ...usageWords(state.usage).map((words) => part(words)),
    { ...part(state.queue.length === 0 ? "" : `${state.queue.length} queued`), stays: true },
    part(fitted(safeLine(place.session), NAME_CELLS_MAX, glyphs)),
  ].filter(({ text }) => text !== "");
  const separator = ` ${glyphs.separator} `;
  const room = widthCells - 2;
  const cells = () => textWidth(parts.map(({ text }) => text).join(separator));
  const folderAt = parts.indexOf(folder);
  if (folderAt >= 0 && cells() > room) parts[folderAt] = part(shortenMiddle(place.folder, FOLDER_CELLS_NARROW));
  for (let at = parts.length - 1; at > 0 && cells() > room; at -= 1)
    if (parts[at]?.stays === false) parts.splice(at, 1);
  const row = `  ${fitted(parts.map(({ text }) => text).join(separator), Math.max(1, room), glyphs)}`;
  // Nearly always the whole row has one colour.
  if (parts.every(({ role }) => role === "dim")) return style.paint("dim", row);
  const painted = parts.map(({ text, role }) => style.paint(role, text));
  return shortenEnd(`  ${painted.join(style.paint("dim", separator))}`, widthCells);
}

function modeParts(state: SessionFacts): StatusPart[] {
  const mode = currentMode(state);
  if (mode === null) return [];
  const isLoose = neverAsks(mode);
  return [{ text: safeLine(mode.label), role: isLoose ? "warn" : "dim", stays: isLoose }];
}

/** The status of the built-in agent without a sandbox. */
const NO_SANDBOX = "no sandbox";

// What rounds to nothing is left out.
function usageWords({ tokens, cost, context }: SessionFacts["usage"]): string[] {
  const price = cost === null ? "" : humanCost(cost);
  const percent = context === null || context.size <= 0 ? 0 : Math.round((100 * context.used) / context.size);
  return [
    tokens === null || tokens === 0 ? "" : `${humanTokens(tokens)} tok`,
    Number(price.slice(1)) === 0 ? "" : price,
    percent === 0 ? "" : `context ${percent} %`,
  ].filter(Boolean);
}

export function widgetRows(state: SessionFacts, placement: "above" | "below", { style, glyphs }: Appearance): string[] {
  const mark = style.paint("dim", glyphs.widget);
  return state.widgets.flatMap((widget) =>
    widget.placement === placement ? widget.lines.map((line) => `${mark} ${safeLine(line)}`) : [],
  );
}

// What the agent is doing: spinner line, plan and widgets. Only one thing moves: the running tool, the current plan
// entry, or the line "working".
//
//   ● read the test
//   ⠹ fix the separator  12 s · esc stop
//   ◌ run the tests
interface DoingPlace {
  readonly widthCells: number;
  /** At least the spinner line and one row of the plan are shown. */
  readonly rowsMax: number;
  /** Whether a running tool in the transcript shows a spinner and the stop hint. */
  readonly movesAbove: "yes" | "no";
}

export function doingRows(state: SessionFacts, moment: LiveMoment, place: DoingPlace, look: Appearance): string[] {
  const { widthCells, rowsMax } = place;
  const { plan } = state;
  const isAtWork = state.phase === "working" && state.workingSinceMs !== null;
  const isInPlan = isPlanOpen(plan) && plan.some(({ status }) => status === "in_progress");
  const isOrdinary = state.workingMessage === null && state.stoppingSinceMs === null;
  const movesHere = isAtWork && place.movesAbove === "no" && isOrdinary && isInPlan;
  const working = movesHere || place.movesAbove === "yes" ? [] : workingRows(state, moment, look, widthCells);
  const widgets = widgetRows(state, "above", look);
  const left = Math.max(1, rowsMax - working.length);
  const spinner = spinnerAt(look.glyphs, moment.tick);
  const planned = planRows(
    plan,
    {
      widthCells,
      rowsMax: Math.max(1, left - Math.min(widgets.length, Math.floor(left / 2))),
      spinner: movesHere ? spinner : "",
      atWork: (words) =>
        movesHere ? workWords(words, state, moment, look, widthCells - 4) : fitted(words, widthCells - 4, look.glyphs),
    },
    look,
  );
  return [...working, ...planned, ...fewer(widgets, left - planned.length, look)];
}

function fewer(rows: readonly string[], rowsMax: number, { style, glyphs }: Appearance): string[] {
  if (rows.length <= rowsMax) return [...rows];
  if (rowsMax < 1) return [];
  if (rowsMax === 1) return [`${rows[0] ?? ""} ${style.paint("dim", glyphs.more)}`];
  const shown = rows.slice(0, rowsMax - 1);
  return [...shown, style.paint("dim", `  ${glyphs.more} ${rows.length - shown.length} more`)];
}

const ENTRIES_MAX = 5;

interface PlanPlace {
  readonly widthCells: number;
  readonly rowsMax: number;
  /** The spinner of the current entry; "" when something else moves. */
  readonly spinner: string;
  readonly atWork: (words: string) => string;
}

function isPlanOpen(plan: PlanEntries): boolean {
  return plan.some(({ status }) => status !== "completed");
}

function planRows(plan: PlanEntries, place: PlanPlace, look: Appearance): string[] {
  if (!isPlanOpen(plan)) return [];
  const { style, glyphs } = look;
  const entriesMax = entriesFitting(plan.length, place.rowsMax);
  const at = Math.max(
    0,
    plan.findIndex(({ status }) => status !== "completed"),
  );
  const before = entriesMax > 2 ? 1 : 0;
  const from = Math.max(0, Math.min(at - before, plan.length - entriesMax));
  const shown = plan.slice(from, from + entriesMax);
  const left = plan.length - from - shown.length;
  const rows = shown.map(({ text, status }) => {
    const words = safeLine(text);
    if (status === "in_progress") {
      return `  ${style.paint("accent", place.spinner || glyphs.waiting)} ${place.atWork(words)}`;
    }
    const short = fitted(words, Math.max(1, place.widthCells - 4), glyphs);
    if (status === "completed") return `  ${style.paint("ok", glyphs.done)} ${style.paint("dim", short)}`;
    return `  ${style.paint("dim", glyphs.waiting)} ${short}`;
  });
  return left > 0 && rows.length < place.rowsMax && rows.length > 1
    ? [...rows, style.paint("dim", `  ${glyphs.more} ${left} more`)]
    : rows;
}

// The count of further entries replaces an entry only where two others stay.
function entriesFitting(count: number, rowsMax: number): number {
  const entries = Math.max(1, Math.min(ENTRIES_MAX, rowsMax));
  return count > entries && entries === rowsMax && rowsMax > 2 ? entries - 1 : entries;
}

// The line of open sessions: number, name, unread events, open asks.
//
//   1 parser  2 docs +3  3 release ?1
//   …  6 release  7 docs  … ?1            more to both sides, and a question among them
const NAME_CELLS_MAX = 20;

const GAP = "  ";

export function tabRows(
  list: SessionList,
  asks: ReadonlyMap<string, number>,
  widthCells: number,
  { style, glyphs }: Appearance,
): string[] {
  if (list.sessions.length < 2) return [];
  const row: Row = { list, asks, glyphs };
  const { from, to } = around(row, widthCells - 2);
  const cells = list.sessions.slice(from, to).map(({ id }, nth) => {
    const look =
      id === list.active
        ? (["bold", "accent"] as const)
        : askedIn(row, from + nth, from + nth + 1) > 0
          ? "warn"
          : "dim";
    return style.paint(look, tabText(row, from + nth));
  });
  const beyond = (start: number, end: number) => {
    const words = beyondWords(row, start, end);
    return words === "" ? [] : [style.paint(askedIn(row, start, end) > 0 ? "warn" : "dim", words)];
  };
  return [`  ${[...beyond(0, from), ...cells, ...beyond(to, list.sessions.length)].join(GAP)}`];
}

interface Row {
  readonly list: SessionList;
  readonly asks: ReadonlyMap<string, number>;
  readonly glyphs: Glyphs;
}

function tabText({ list, asks, glyphs }: Row, index: number): string {
  const { id = "", name = "", unread = 0, cwd = null } = list.sessions[index] ?? {};
  const label = `${index + 1} ${shortenEnd(safeLine(name || folderName(cwd) || id), NAME_CELLS_MAX)}`;
  const asked = asks.get(id) ?? 0;
  const marks = [unread > 0 ? `+${unread}` : "", asked > 0 ? `${glyphs.answered}${asked}` : ""].filter(Boolean);
  return [label, ...marks].join(" ");
}

function askedIn({ list, asks }: Row, from: number, to: number): number {
  if (asks.size === 0) return 0;
  return list.sessions.slice(from, to).reduce((sum, { id }) => sum + (asks.get(id) ?? 0), 0);
}

function beyondWords(row: Row, from: number, to: number): string {
  if (from >= to) return "";
  const asked = askedIn(row, from, to);
  return [row.glyphs.more, asked > 0 ? `${row.glyphs.answered}${asked}` : ""].filter(Boolean).join(" ");
}

// The active session and as many beside it as fit. Others are not laid out: there may be hundreds, and this runs every
// frame.
function around(row: Row, widthCells: number): { from: number; to: number } {
  const { sessions, active } = row.list;
  const at = Math.max(
    0,
    sessions.findIndex(({ id }) => id === active),
  );
  let [from, to] = [at, at + 1];
  let cells = textWidth(tabText(row, at));
  while (to - from < sessions.length) {
    const isLeft = to === sessions.length || (from > 0 && at - from <= to - 1 - at);
    const wider = isLeft ? { from: from - 1, to } : { from, to: to + 1 };
    cells += GAP.length + textWidth(tabText(row, isLeft ? wider.from : to));
    const ends = [beyondWords(row, 0, wider.from), beyondWords(row, wider.to, sessions.length)].filter(Boolean);
    if (cells + textWidth(ends.map((words) => GAP + words).join("")) > widthCells) break;
    ({ from, to } = wider);
  }
  return { from, to };
}

function folderName(cwd: string | null): string {
  return cwd?.split("/").filter(Boolean).at(-1) ?? "";
}
