// The order in which an action is offered: the current project, the daemon's handlers, the program's own keys, then the keys
// that start, stop and quit.

import { resolve } from "node:path";
import type { StateEntry } from "../contract/daemon.js";
import { errorMessage } from "../contract/plain-word.js";
import { HeadlessTui } from "./handlers/headless-tui.js";
import type { Tui } from "./handlers/tui.js";
import type { ActionOutcome } from "./http/state-routes.js";
import type { ProjectSlot } from "./project/project-slot.js";

export interface ActionChain {
  readonly tui: Tui | null;
  readonly slot: ProjectSlot | null;
  /** The program's own keys; true when it took one. */
  readonly onAction: ((key: string, value: string) => boolean | Promise<boolean>) | null;
  /** Ends the daemon. */
  readonly quit: () => void;
  readonly onError: (error: unknown) => void;
}

export async function performAction(chain: ActionChain, key: string, value: string): Promise<ActionOutcome> {
  const { tui, slot, onAction } = chain;
  if (slot?.tui?.dispatchAction(key, value) === true) return { kind: "taken" };
  if (tui?.dispatchAction(key, value) === true) return { kind: "taken" };
  if ((await onAction?.(key, value)) === true) return { kind: "taken" };
  return lifecycle(chain, key, value);
}

/** The state of the project, then the daemon's own; null when neither provides any. */
export function readStates({ tui, slot }: Pick<ActionChain, "tui" | "slot">): StateEntry[] | null {
  const parts = [slot?.tui?.getHandlerStates() ?? null, tui?.getHandlerStates() ?? null];
  return parts.every((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

/** Offers something to the headless surfaces, the project's first; true when one took it. */
export function offer({ tui, slot }: Pick<ActionChain, "tui" | "slot">, give: (tui: HeadlessTui) => boolean): boolean {
  return [slot?.tui, tui].some((surface) => surface instanceof HeadlessTui && give(surface));
}

async function lifecycle({ slot, quit, onError }: ActionChain, key: string, value: string): Promise<ActionOutcome> {
  if (key === "quit" || (key === "stop" && slot === null)) {
    // After the response has been sent.
    setImmediate(quit);
    return { kind: "taken" };
  }
  if (slot === null) return { kind: "unknown" };
  switch (key) {
    case "start":
      return outcomeOf(slot.start(resolve(value === "" ? (slot.folder ?? ".") : value)));
    case "restart":
      return outcomeOf(slot.restart());
    case "stop":
      slot.stop().catch(onError);
      return { kind: "taken" };
    default:
      return { kind: "unknown" };
  }
}

async function outcomeOf(step: Promise<void>): Promise<ActionOutcome> {
  try {
    await step;
    return { kind: "taken" };
  } catch (error) {
    return { kind: "refused", reason: errorMessage(error) };
  }
}
