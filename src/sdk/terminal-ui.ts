// The adapter for a program on a terminal without Palaver around it: each question is a small dialog below what the program has
// printed, and leaves one line. What draws is loaded with the first question. Without a terminal every question is cancelled.
import { safeLines } from "../text/safe.js";
import type { TerminalAsks } from "../views/mini/find-ask-view.js";
import { createAsksUi } from "./asks-ui.js";
import type { UI } from "./ui.js";

export type TerminalUi = UI & {
  /** Withdraws what is open and gives the terminal back. A program that only asks need not call it. */
  close(): Promise<void>;
};

export function createTerminalUi(): TerminalUi {
  let opened: Promise<TerminalAsks | null> | null = null;
  const asks = () => {
    opened ??= import("../views/mini/find-ask-view.js").then(({ openTerminalAsks }) => openTerminalAsks(process.env));
    return opened;
  };
  const ui = createAsksUi({
    nowMs: () => performance.now(),
    ask: async (ask) => (await asks())?.ask(ask) ?? null,
    withdraw: (id) => void opened?.then((terminal) => terminal?.withdraw(id)),
    // There is no status line and no composer here.
    notify: (message) => {
      for (const line of safeLines(message)) process.stderr.write(`${line}\n`);
    },
  });
  return {
    ...ui,
    hasUI: [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY),
    async close() {
      ui.close();
      await (await opened)?.close();
    },
  };
}
