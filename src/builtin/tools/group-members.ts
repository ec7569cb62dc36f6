// Whether a process group still has a process that runs. Asking the system with a signal also finds the dead ones that
// nobody has collected, which in a container without an init can stay for ever; /proc knows the difference.
import { readdirSync } from "node:fs";
import { processStat } from "../../system/process-stat.js";

export function hasLivingMember(groupId: number): boolean {
  // Without /proc the answer to the signal has to do.
  return livingMembers(groupId)?.some(() => true) ?? true;
}

/** Undefined without /proc. */
export function livingMembers(groupId: number): number[] | undefined {
  return processIds()
    ?.filter((id) => {
      const stat = processStat(id);
      return stat?.groupId === groupId && stat.state === "runs";
    })
    .map(Number);
}

function processIds(): string[] | undefined {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
}
