// A `UI` over asks: for a program that shows questions itself or keeps them for its users, instead of sending them to a front end.
import type { Ask, AskOutcome } from "../contract/asks.js";
import { type NotifyLevel, notifyLevelOf } from "../contract/notices.js";
import type { Reply } from "./pending-dialogs.js";
import type { UI } from "./ui.js";
import { createWiredUi } from "./wired-ui.js";

export type AsksUiPorts = {
  /** The clock of the asks' deadlines. */
  nowMs(): number;
  /** Settles with the outcome; null when no one can be asked, which cancels the question. */
  ask(ask: Ask): Promise<AskOutcome | null>;
  withdraw(askId: string): void;
  /** Of all signals only a notice has a place here. */
  notify(message: string, level: NotifyLevel): void;
  readonly origin?: Ask["origin"];
  newId?: () => string;
};

/** `close` withdraws what is open; later questions fail. */
export type AsksUi = UI & { close(): void };

export function createAsksUi(ports: AsksUiPorts): AsksUi {
  const { ui, dialogs } = createWiredUi({
    newId: ports.newId,
    sendRequest({ id, method, params, timeout_ms, origin = ports.origin ?? { kind: "agent" } }) {
      const deadlineMs = timeout_ms === undefined ? null : ports.nowMs() + timeout_ms;
      const question = { kind: method, params } as Ask["question"];
      ports.ask({ id, sessionId: null, turnId: null, origin, question, deadlineMs }).then(
        (outcome) => dialogs.reply(id, replyOf(outcome)),
        (error: unknown) => dialogs.reply(id, { error: String(error) }),
      );
      return "sent";
    },
    sendCancel: (id) => ports.withdraw(id),
    sendSignal(signal) {
      if (signal.method === "notify") ports.notify(signal.params.message, notifyLevelOf(signal.params.level));
    },
  });
  return { ...ui, close: () => dialogs.close("server_shutdown") };
}

function replyOf(outcome: AskOutcome | null): Reply {
  if (outcome === null || outcome.kind === "cancelled") return { result: null };
  if (outcome.kind === "answered") return { result: outcome.value };
  return { error: outcome.kind === "expired" ? "timeout" : "withdrawn" };
}
