// The adapter for a program on a terminal without Palaver around it: each question is a small dialog below what the program has
// printed, and leaves one line. What draws is loaded with the first question. Without a terminal every question is cancelled.
import type { Ask, AskOutcome } from "../contract/asks.js";
import { safeLines } from "../text/safe.js";
import type { TerminalAsks } from "../views/mini/terminal-asks.js";
import type { Reply } from "./pending-dialogs.js";
import type { UI } from "./ui.js";
import { createWiredUi, type Signal } from "./wired-ui.js";

export type TerminalUi = UI & {
  /** Withdraws what is open and gives the terminal back. A program that only asks need not call it. */
  close(): Promise<void>;
};

export function createTerminalUi(): TerminalUi {
  let opened: Promise<TerminalAsks | null> | null = null;
  const asks = () => {
    opened ??= import("../views/mini/terminal-asks.js").then(({ openTerminalAsks }) => openTerminalAsks(process.env));
    return opened;
  };
  const { ui, dialogs } = createWiredUi({
    sendRequest({ id, method, params, timeout_ms, origin = { kind: "agent" } }) {
      const deadlineMs = timeout_ms === undefined ? null : performance.now() + timeout_ms;
      const question = { kind: method, params } as Ask["question"];
      const ask = { id, sessionId: null, turnId: null, origin, question, deadlineMs };
      void asks().then(
        async (terminal) => dialogs.reply(id, terminal === null ? cancelled : replyOf(await terminal.ask(ask))),
        (error: unknown) => dialogs.reply(id, { error: String(error) }),
      );
      return "sent";
    },
    sendCancel: (id) => void opened?.then((terminal) => terminal?.withdraw(id)),
    sendSignal: show,
  });
  return {
    ...ui,
    hasUI: [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY),
    async close() {
      dialogs.close("server_shutdown");
      await (await opened)?.close();
    },
  };
}

const cancelled: Reply = { result: null };

function replyOf(outcome: AskOutcome): Reply {
  if (outcome.kind === "answered") return { result: outcome.value };
  if (outcome.kind === "cancelled") return cancelled;
  return { error: outcome.kind === "expired" ? "timeout" : "withdrawn" };
}

// There is no status line and no composer here: of all signals only a notice has a place.
function show(signal: Signal): void {
  if (signal.method !== "notify") return;
  for (const line of safeLines(signal.params.message)) process.stderr.write(`${line}\n`);
}
