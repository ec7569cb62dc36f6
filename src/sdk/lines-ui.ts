// The lines adapter: typed envelopes on a wire that carries much else besides. It reads nothing itself: whoever reads
// the wire pushes each `ui_response` in with `handleResponse`, and says `disconnect` when the wire is gone.
import type { LinesCommand } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import type { Timers } from "../system/timers.js";
import type { DialogSkills } from "./form-fallback.js";
import { PendingDialogs, type Reply, type SendResult } from "./pending-dialogs.js";
import type { UI } from "./ui.js";
import { createWiredUi, type Signal } from "./wired-ui.js";

export type UiResponse = Extract<LinesCommand, { type: "ui_response" }>;

export type LinesUiOptions = {
  /** Puts one frame on the wire. */
  send(frame: LinesOutput): SendResult;
  sessionId?: string;
  timeoutMs?: number;
  pendingMax?: number;
  timers?: Timers;
  newId?: () => string;
  /** What the front end said in `initialize`; it is believed to have forms and several choices when this is left out. */
  skills?: () => DialogSkills;
};

export type LinesUi = UI & {
  /** Any question with its whole answer: a confirmation also with "always" and the reason. */
  ask: PendingDialogs["ask"];
  /** "unknown": nobody waits for it (late, double, or never asked). */
  handleResponse(response: UiResponse): "settled" | "unknown";
  disconnect(): void;
  close(): void;
};

export function createLinesUi(options: LinesUiOptions): LinesUi {
  const { send, sessionId, timeoutMs, pendingMax, timers, newId } = options;
  const session = sessionId === undefined ? {} : { session_id: sessionId };
  const desk = new PendingDialogs({
    timeoutMs,
    pendingMax,
    timers,
    newId,
    wire: {
      sendRequest(id, question, { timeoutMs: waitMs, origin }) {
        const limit = waitMs === null ? {} : { timeout_ms: waitMs };
        const from = origin === undefined ? {} : { origin };
        return send({ type: "ui_request", id, ...question, ...limit, ...from, ...session });
      },
      sendCancel: (id, reason) => void send({ type: "ui_cancel", id, reason }),
    },
  });
  const ui = createWiredUi(desk, {
    sendSignal: (signal) => void send({ ...frameOf(signal), ...session }),
    skills: options.skills ?? (() => ({ form: true, multiSelect: true })),
  });
  return {
    ...ui,
    ask: (method, params, dialogOptions) => desk.ask(method, params, dialogOptions),
    handleResponse: (response) => desk.reply(response.id, readLinesResponse(response)),
    disconnect: () => desk.close("connection_closed"),
    close: () => desk.close("server_shutdown"),
  };
}

/**
 * A non-null `error` wins. A null result is an answer only beside an `error` key: a peer that sends `{result: null}`
 * alone may have lost its answer on the way, and a lost answer must not be taken for a cancel.
 */
export function readLinesResponse(response: UiResponse): Reply {
  if (response.error !== undefined && response.error !== null) return { error: response.error };
  if (response.result === undefined) return null;
  return response.result === null && !("error" in response) ? null : { result: response.result };
}

function frameOf(signal: Signal): LinesOutput {
  switch (signal.name) {
    case "notify":
      return { type: "ui_notify", params: { message: signal.message, notify_type: signal.level } };
    case "setStatus":
      return { type: "ui_status", params: { key: signal.key, text: signal.text } };
    case "setWidget":
      return { type: "ui_widget", params: { key: signal.key, content: signal.content, opts: signal.opts } };
    case "setWorkingMessage":
      return { type: "ui_working", params: { message: signal.message } };
    case "setTitle":
      return { type: "ui_set_title", params: { title: signal.title } };
    case "setEditorText":
      return { type: "ui_set_editor_text", params: { text: signal.text } };
  }
}
