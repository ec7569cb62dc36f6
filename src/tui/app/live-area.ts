// What stands below the transcript, put together for a window: the end of what is being written, what the agent is doing, a
// question or the composer, and the quiet lines. Here it is decided what goes first when a window is small.
import { planRows } from "../../screen/blocks/plan-rows.js";
import { statusRow, widgetRows, workingRows } from "../../screen/blocks/status-rows.js";
import { tabRows } from "../../screen/blocks/tab-row.js";
import type { LiveMoment } from "../../screen/blocks/transcript-view.js";
import { type Frame, liveRowsMax, type Size } from "../../screen/frame.js";
import type { AppAsks } from "./app-asks.js";
import { appFrame } from "./app-frame.js";
import type { AppLook } from "./app-look.js";
import type { Composer } from "./composer.js";
import type { Conversation } from "./conversation.js";
import type { Overlays } from "./overlays.js";
import type { TranscriptViews } from "./transcript-views.js";

export interface LiveAreaParts {
  readonly agent: string;
  readonly look: AppLook;
  readonly talk: Conversation;
  readonly views: TranscriptViews;
  readonly asks: AppAsks;
  readonly overlays: Overlays;
  readonly composer: Composer;
}

const TAIL_ROWS_MIN = 3;
const DIALOG_ROWS_MIN = 6;

export function liveArea(
  parts: LiveAreaParts,
  { columns, rows: windowRows }: Size,
  now: { readonly moment: LiveMoment; readonly branch: string | null },
): Frame {
  const { look, talk, asks, overlays } = parts;
  const { front } = talk.active;
  const { moment, branch } = now;
  const width = columns - 1;
  // The end of what is being written is enough to follow it, and a short live area survives a window that shrinks.
  const tail = parts.views
    .of(talk.active)
    .liveRows(width, moment)
    .slice(-Math.max(TAIL_ROWS_MIN, Math.floor(windowRows / 3)));
  const hasDialog = overlays.isOpen || asks.hasKeys;
  const below = [
    ...widgetRows(front, "below"),
    ...tabRows(talk.list, asks.bySession(), width, look),
    statusRow(front, { agent: parts.agent, branch }, width, look),
  ];
  const room = liveRowsMax({ columns, rows: windowRows });
  // In a window of a few rows the question and its answers are all there is.
  const isTight = hasDialog && room < DIALOG_ROWS_MIN + below.length + 1;
  const dialogRows = isTight ? room : Math.max(DIALOG_ROWS_MIN, room - below.length - 1);
  return appFrame({
    tail,
    doing: [
      ...(hasDialog ? [] : [...workingRows(front, moment, look), ...planRows(front.plan, width, moment, look)]),
      ...widgetRows(front, "above"),
    ],
    dialog: overlays.isOpen ? overlays.frame(width, dialogRows) : asks.frame(width, dialogRows),
    composer: parts.composer.frame(width, front.phase === "working" ? "hidden" : "shown"),
    below: isTight ? [] : below,
    focus: hasDialog ? "dialog" : "composer",
  });
}
