// The lines adapter: typed envelopes on a wire that carries much else besides. It reads nothing itself: the reader of
// the wire calls `handleResponse` for each `ui_response`, and `disconnect` when the wire is gone.
import type { LinesCommand } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import { callOfConfirm } from "../contract/permission-call.js";
import type { Timers } from "../system/timers.js";
import type { DialogRequest, Reply, SendResult } from "./pending-dialogs.js";
import type { UI } from "./ui.js";
import type { DialogSkills } from "./wired-ui.js";
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
  /** "unknown": the question is not open (late, double, or never asked). */
  handleResponse(response: UiResponse): "settled" | "unknown";
  disconnect(): void;
  close(): void;
};

export function createLinesUi(options: LinesUiOptions): LinesUi {
  const { send, sessionId, timeoutMs, pendingMax, timers, newId, skills } = options;
  const session = sessionId === undefined ? {} : { session_id: sessionId };
  const { ui, dialogs } = createWiredUi({
    timeoutMs,
    pendingMax,
    timers,
    newId,
    skills,
    sendRequest: (request) => send({ type: "ui_request", ...inWireWords(request, skills?.()), ...session }),
    sendCancel: (id, reason) => void send({ type: "ui_cancel", id, reason }),
    sendSignal: (signal) => void send({ ...frameOf(signal), ...session }),
  });
  return {
    ...ui,
    handleResponse: (response) => dialogs.reply(response.id, readLinesResponse(response)),
    disconnect: () => dialogs.close("connection_closed"),
    close: () => dialogs.close("server_shutdown"),
  };
}

// A front end that knows `permission` gets it under its own name; the answer is read in either form.
function inWireWords(request: DialogRequest, skills: DialogSkills | undefined) {
  if (request.method !== "confirm" || skills?.permission !== true) return request;
  const call = callOfConfirm(request.params);
  return call === null ? request : { ...request, method: "permission" as const, params: call };
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

const frameTypes = {
  notify: "ui_notify",
  set_status: "ui_status",
  set_widget: "ui_widget",
  set_working_message: "ui_working",
  set_title: "ui_set_title",
  set_editor_text: "ui_set_editor_text",
} as const;

function frameOf(signal: Signal): LinesOutput {
  return { type: frameTypes[signal.method], params: signal.params } as LinesOutput;
}
