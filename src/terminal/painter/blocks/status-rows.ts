// The lines around the composer: what the agent is doing, and agent, model, branch and usage. Details on the right go
// first where it is narrow.
//
//   ⠹ reading parser.ts  12 s · esc stop
//   › and then update the changelog▏
//     claude · sonnet-5 · main · 12.4 k tok · $0.08 · 2 queued
import type { SessionFacts } from "../../../session/session-facts.js";
import { humanSeconds, humanTokens } from "../../../text/humanize.js";
import { safeLine } from "../../../text/safe.js";
import { shortenEnd } from "../../../text/shorten.js";
import { textWidth } from "../../../text/width.js";
import { fitted } from "../dialogs/dialog-rows.js";
import { type Appearance, spinnerAt } from "./glyphs.js";
import type { LiveMoment } from "./transcript-view.js";

export const STOP_HINT = "esc stop";
const WORDS_CELLS_MIN = 20;

export function workingRows(
  state: SessionFacts,
  moment: LiveMoment,
  look: Appearance,
  widthCells = Infinity,
): string[] {
  const { style, glyphs } = look;
  if (state.phase === "starting") return [style.paint("dim", `  ${spinnerAt(glyphs, moment.tick)} starting`)];
  if (state.phase !== "working" || state.workingSinceMs === null) return [];
  const words = safeLine(state.workingMessage ?? "working");
  return [
    `  ${style.paint("accent", spinnerAt(glyphs, moment.tick))} ${workWords(words, state, moment, look, widthCells - 4)}`,
  ];
}

/** The words, then time, tokens and stop key. Tokens go first, then the key, then the end of the words. */
export function workWords(
  words: string,
  { usage, workingSinceMs }: SessionFacts,
  { nowMs }: LiveMoment,
  { style, glyphs }: Appearance,
  widthCells: number,
): string {
  const took = workingSinceMs === null ? "" : humanSeconds(nowMs - workingSinceMs);
  const tokens = usage.tokens === null ? "" : `${humanTokens(usage.tokens)} tok`;
  for (const details of [[took, tokens, STOP_HINT], [took, STOP_HINT], [took]]) {
    const end = details.filter(Boolean).join(` ${glyphs.separator} `);
    const room = widthCells - textWidth(end) - 2;
    const isCut = textWidth(words) > room;
    if (!isCut || (details.length < 3 && room >= WORDS_CELLS_MIN)) {
      return `${fitted(words, room, glyphs)}  ${style.paint("dim", end)}`;
    }
  }
  return fitted(words, widthCells, glyphs);
}

export function statusRow(
  state: SessionFacts,
  place: { readonly agent: string; readonly branch: string | null },
  widthCells: number,
  { style, glyphs }: Appearance,
): string {
  const parts = [
    safeLine(place.agent),
    ...(state.phase === "ended" ? ["not running"] : []),
    ...(state.model === null ? [] : [safeLine(state.model)]),
    ...(place.branch === null ? [] : [safeLine(place.branch)]),
    ...state.status.map(({ text }) => safeLine(text)),
    ...usageWords(state.usage),
  ].filter(Boolean);
  // Queued messages are always shown.
  const queued = state.queue.length === 0 ? [] : [`${state.queue.length} queued`];
  const separator = ` ${glyphs.separator} `;
  const words = () => [...parts, ...queued].join(separator);
  while (parts.length > 1 && textWidth(words()) > widthCells - 2) parts.pop();
  const row = `  ${shortenEnd(words(), Math.max(1, widthCells - 2))}`;
  const [before, ...after] = hasNoSandbox(state) ? row.split(NO_SANDBOX) : [row];
  if (after.length !== 1) return style.paint("dim", row);
  return `${style.paint("dim", before ?? "")}${style.paint("warn", NO_SANDBOX)}${style.paint("dim", after[0] ?? "")}`;
}

/** The status of the built-in agent without a sandbox. */
const NO_SANDBOX = "no sandbox";

function hasNoSandbox({ status }: SessionFacts): boolean {
  return status.some(({ key, text }) => key === "sandbox" && text === NO_SANDBOX);
}

function usageWords({ tokens, cost, context }: SessionFacts["usage"]): string[] {
  return [
    tokens === null ? "" : `${humanTokens(tokens)} tok`,
    cost === null ? "" : `$${cost < 0.1 ? cost.toFixed(3).replace(/0$/, "") : cost.toFixed(2)}`,
    context === null || context.size <= 0 ? "" : `context ${Math.round((100 * context.used) / context.size)} %`,
  ].filter(Boolean);
}

export function widgetRows(state: SessionFacts, placement: "above" | "below", { style, glyphs }: Appearance): string[] {
  const mark = style.paint("dim", glyphs.widget);
  return state.widgets.flatMap((widget) =>
    widget.placement === placement ? widget.lines.map((line) => `${mark} ${safeLine(line)}`) : [],
  );
}
