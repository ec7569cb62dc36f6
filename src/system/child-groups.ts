// Child processes that must not outlive us. Each leads its own process group and so gets no signals from the terminal; one
// exit listener ends all of them, however many agents there are. After SIGKILL a shell does it.
import type { ChildProcess } from "node:child_process";
import { type AfterKill, type CleanUpStep, endAfterKill } from "./after-kill.js";

/** A child that leads a group goes with all of it; one that shares ours, such as an editor, goes alone and may tidy up. */
export type ChildKind = "group" | "single";

type Kept = { readonly kind: ChildKind; readonly afterKill: AfterKill; readonly leaves: "nothing" | "files" };

const kept = new Map<ChildProcess, Kept>();

/** From now on the child ends with us; it is forgotten when it has ended by itself. */
export function keepWithUs(
  child: ChildProcess,
  kind: ChildKind = "group",
  whenKilled: readonly CleanUpStep[] = [],
): void {
  if (child.pid === undefined) return;
  if (kept.size === 0) process.on("exit", endAll);
  const afterKill = endAfterKill(kind === "group" ? -child.pid : child.pid, whenKilled);
  kept.set(child, { kind, afterKill, leaves: whenKilled.length === 0 ? "nothing" : "files" });
  child.once("close", () => {
    kept.delete(child);
    afterKill.dismiss();
    if (kept.size === 0) process.off("exit", endAll);
  });
}

function endAll(): void {
  for (const [child, { kind, afterKill, leaves }] of kept) {
    if (kind === "group") signalGroup(child, "SIGKILL");
    else child.kill("SIGTERM");
    // What is removed behind it is needed until it is really gone, which we do not see any more.
    if (leaves === "nothing") afterKill.dismiss();
  }
}

/** The group has the number of its first process. On Windows there are no groups, and the process itself must do. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Already gone.
  }
}
