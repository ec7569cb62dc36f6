// Composes everything below the transcript for a window size: the end of the streaming text, the agent's activity, a question
// or the composer, and the status lines. It also decides what is dropped first in a small window.
import { activeSession, sessionOfAsk } from "../../session/engine/engine-state.js";
import type { Source } from "../../session/engine/source.js";
import type { Keymap } from "../../session/keymap.js";
import { inHome } from "../../session/saved-session.js";
import { neighbour } from "../../session/session-list.js";
import { doingRows, STOP_HINT, statusRow, tabRows, widgetRows } from "../../terminal/painter/blocks/status-rows.js";
import type { LiveMoment } from "../../terminal/painter/blocks/transcript-view.js";
import { elsewhereRow, queueRows } from "../../terminal/painter/blocks/waiting-rows.js";
import type { DialogFrame } from "../../terminal/painter/dialogs/dialog-frame.js";
import { FOCUS_KEY, waitingHint } from "../../terminal/painter/dialogs/dialog-keys.js";
import { type Frame, liveRowsMax, type Size } from "../../terminal/painter/frame.js";
import { safeLine } from "../../text/safe.js";
import { shortenEnd } from "../../text/shorten.js";
import type { AppAsks } from "./app-asks.js";
import type { AppLook } from "./app-look.js";
import type { Composer } from "./composer.js";
import type { Overlays } from "./overlays.js";
import type { TranscriptViews } from "./transcript-views.js";
import { isWelcome, type Welcome, welcomeRows } from "./welcome.js";

export interface LiveAreaParts {
  readonly agent: string;
  /** Shown with a tilde for the home folder. */
  readonly folder: string;
  readonly home: string;
  readonly look: AppLook;
  readonly source: Source;
  readonly views: TranscriptViews;
  readonly asks: AppAsks;
  readonly overlays: Overlays;
  readonly composer: Composer;
  readonly keymap: Keymap;
}

const TAIL_ROWS_MIN = 3;
/** Two rows of what is written, and one that says how many there are besides. */
const COMPOSER_ROWS_MIN = 3;
/** Of a tool: a blank row and its head. */
const HEAD_ROWS = 2;
const OUTPUT_ROWS_MAX = 3;
const QUEUE_ROWS_MAX = 3;
/** In a lower window one row is all the queue gets. */
const QUEUE_WINDOW_ROWS = 16;

export function liveArea(
  parts: LiveAreaParts,
  { columns, rows: windowRows }: Size,
  now: {
    readonly moment: LiveMoment;
    readonly branch: string | null;
    readonly remark: string | null;
    readonly welcome: Welcome | null;
  },
): Frame {
  const { look, source, asks, overlays } = parts;
  const session = activeSession(source.state);
  const { facts, key, cwd, name } = session;
  const { moment, branch, remark } = now;
  const width = columns - 1;
  const hasDialog = overlays.isOpen || asks.isOpen;
  // Beside a question the composer is there as long as something is written in it.
  const isWriting = !overlays.isOpen && (!asks.isOpen || parts.composer.text !== "" || parts.composer.hasDraft);
  const view = parts.views.of(key);
  // A tool that runs shows that the agent works; unless there are words to say about it, that is enough.
  const { workLast } = view;
  const hasWords = facts.workingMessage !== null || facts.stoppingSinceMs !== null;
  const movesAbove = workLast !== null && !hasWords ? "yes" : "no";
  const isStoppable = facts.phase === "working" || workLast?.by === "user";
  // The end of what is being written is enough to follow it, and a short live area survives a window that shrinks.
  const tailRows = Math.max(TAIL_ROWS_MIN, Math.floor(windowRows / 3));
  const tail = view
    .liveRows(width, moment, {
      outputRows: Math.min(OUTPUT_ROWS_MAX, tailRows - HEAD_ROWS),
      asked: asks.toolCallId,
      hint: movesAbove === "yes" && isStoppable && !hasDialog ? STOP_HINT : "",
    })
    .slice(-tailRows);
  const isOnly = source.state.sessions.length === 1;
  const below = [
    ...widgetRows(facts, "below", look),
    ...tabRows(source.state, asks.bySession(), width, look),
    // For a few seconds a remark stands in place of the status, so that nothing moves.
    remark === null
      ? statusRow(
          facts,
          {
            agent: parts.agent,
            folder: inHome(cwd ?? parts.folder, parts.home),
            branch,
            session: isOnly ? name : "",
          },
          width,
          look,
        )
      : look.style.paint("dim", `  ${shortenEnd(safeLine(remark), width - 2)}`),
  ];
  const room = liveRowsMax({ columns, rows: windowRows });
  const isWorking = facts.phase === "working";
  // Beside a dialog the status line and the line of sessions have their number.
  const waiting = hasDialog ? [] : waitingRows(parts, { columns, rows: windowRows });
  // A long message leaves a blank row above itself, or, while the agent works, the row that moves and one below that.
  const composerRows = hasDialog
    ? COMPOSER_ROWS_MIN
    : Math.max(COMPOSER_ROWS_MIN, room - below.length - waiting.length - (isWorking ? 2 : 1));
  const composer = parts.composer.frame(width, isWorking ? "hidden" : "shown", composerRows);
  const besideRows = isWriting ? composer.rows.length : 0;
  const layer = overlays.isOpen ? overlays : asks;
  const dialog = fittingDialog((rowsMax) => layer.frame(width, rowsMax), room - besideRows, below.length);
  // What is being written keeps a few rows, and a blank one below it.
  const tailKept = tail.length === 0 ? 0 : Math.min(tail.length, TAIL_ROWS_MIN) + 1;
  const rowsMax = Math.max(1, room - tailKept - waiting.length - composer.rows.length - below.length - 1);
  const welcome = now.welcome === null || hasDialog || !isWelcome(now.welcome, session) ? null : now.welcome;
  const doing = hasDialog
    ? widgetRows(facts, "above", look)
    : doingRows(facts, moment, { widthCells: width, rowsMax, movesAbove }, look);
  return appFrame({
    tail,
    doing: welcome === null ? doing : welcomeRows(welcome, { widthCells: width, rowsMax }, look),
    waiting,
    dialog: dialog.frame,
    composer: isWriting ? composer : null,
    below: belowRows(parts, below, dialog, isWriting),
    focus: overlays.isOpen || asks.hasCursor ? "dialog" : "composer",
  });
}

// A low window has no hints: what makes a question answerable beside a draft stands in place of the status.
function belowRows(
  { asks, look }: LiveAreaParts,
  below: readonly string[],
  { frame, belowRows: kept }: FittingDialog,
  isWriting: boolean,
): string[] {
  const isDeaf = asks.isOpen && isWriting && !asks.hasCursor;
  const hints = [FOCUS_KEY, waitingHint({ draft: "written" })];
  const saysHow = frame === null || frame.rows.some((row) => hints.some((hint) => row.includes(hint)));
  const rows = isDeaf && !saysHow ? [...below.slice(0, -1), look.style.paint("dim", DEAF_WORDS)] : below;
  return rows.slice(rows.length - kept);
}

interface FittingDialog {
  readonly frame: DialogFrame | null;
  readonly belowRows: number;
}

const DEAF_WORDS = `  ${FOCUS_KEY} to answer`;

// In a low window the rows below a dialog go, the status last, before a part of the question or an answer does.
function fittingDialog(
  frameIn: (rowsMax: number) => DialogFrame | null,
  room: number,
  belowRows: number,
): FittingDialog {
  const within = (rows: number) => frameIn(Math.max(1, room - rows));
  const fewer = Array.from({ length: belowRows + 1 }, (_, gone) => belowRows - gone);
  // First with a blank row above it.
  for (const rows of [belowRows + 1, ...fewer]) {
    const frame = within(rows);
    if ((frame?.shown ?? "all") === "all") return { frame, belowRows: Math.min(rows, belowRows) };
  }
  const rows = fewer.find((some) => within(some)?.shown === "some") ?? 0;
  return { frame: within(rows), belowRows: rows };
}

function waitingRows({ asks, source, keymap, look }: LiveAreaParts, { columns, rows }: Size): string[] {
  const { state } = source;
  const { queue, phase } = activeSession(state).facts;
  const queued = queueRows(queue, {
    widthCells: columns - 1,
    rowsMax: rows < QUEUE_WINDOW_ROWS ? 1 : QUEUE_ROWS_MAX,
    editKey: keymap.keysFor("queue-edit")[0] ?? "",
    waitsFor: phase === "ended" ? "restart" : "the agent",
    look,
  });
  const ask = asks.elsewhere;
  if (ask === null) return queued;
  const { id, name, cwd } = sessionOfAsk(state, ask);
  const step = ([1, -1] as const).find((by) => neighbour(state, by) === id);
  const action = step === 1 ? "next-session" : "previous-session";
  const key = step === undefined ? "/switch" : (keymap.keysFor(action)[0] ?? "");
  const session = name || cwd?.split("/").at(-1) || id;
  return [elsewhereRow({ title: ask.question.params.title, session, key }, columns - 1, look), ...queued];
}

export interface FrameParts {
  readonly tail: readonly string[];
  /** What the agent does and plans; a blank line is put around it. */
  readonly doing: readonly string[];
  /** A question of another session, and queued messages. */
  readonly waiting: readonly string[];
  /** A question, or a list. */
  readonly dialog: Frame | null;
  /** null where a question has the keys and nothing is written. */
  readonly composer: Frame | null;
  readonly below: readonly string[];
  /** Which of them the cursor is in. */
  readonly focus: "composer" | "dialog";
}

//   The separator lost its space; I am adding it back
//
//     ⠹ run npm test  12 s · esc stop
//
//     ◌ run the tests again  ctrl+up edit
//   › and then update the changelog▏
//     1 parser  2 docs +3
//     claude · sonnet-5 · plan · ~/parser · 12.4 k tok · 2 queued
function appFrame(parts: FrameParts): Frame & { readonly transcriptRows: number } {
  const { tail, doing, waiting, dialog, composer, below, focus } = parts;
  const above = [...tail, "", ...doing, ...(doing.length > 0 ? [""] : []), ...waiting];
  const middle = [...(dialog?.rows ?? []), ...(composer?.rows ?? [])];
  const active = focus === "dialog" ? dialog : composer;
  const offset = above.length + (focus === "dialog" ? 0 : (dialog?.rows.length ?? 0));
  const cursor = active?.cursor ? { row: offset + active.cursor.row, column: active.cursor.column } : null;
  return { rows: [...above, ...middle, ...below], cursor, transcriptRows: tail.length };
}
