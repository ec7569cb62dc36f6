// The processes of a group that still run. Asking the system with a signal also finds dead ones that were not collected,
// which in a container without an init can stay for ever; /proc knows the difference.
import { readdirSync } from "node:fs";
import { processStat } from "../../system/process-stat.js";

export function hasLivingMember(groupId: number): boolean {
  // Without /proc the answer to the signal has to do.
  return livingMembers(groupId)?.some(() => true) ?? true;
}

/** Parents before their children; undefined without /proc. */
export function livingMembers(groupId: number): number[] | undefined {
  const members = processIds()?.flatMap((id) => {
    const stat = processStat(id);
    return stat?.groupId === groupId && stat.state === "runs" ? [{ id: Number(id), parentId: stat.parentId }] : [];
  });
  return members === undefined ? undefined : parentsFirst(members);
}

// A shell that waits for its child ends with it, so a signal must reach the shell first. The smaller number is not always the
// parent's: behind the largest one the system starts again with small ones.
export function parentsFirst(members: readonly { readonly id: number; readonly parentId: number }[]): number[] {
  const parents = new Map(members.map(({ id, parentId }) => [id, parentId]));
  const depth = (id: number) => {
    let above = 0;
    for (let at = parents.get(id); at !== undefined && above <= parents.size; at = parents.get(at)) above++;
    return above;
  };
  return members.map(({ id }) => id).sort((a, b) => depth(a) - depth(b));
}

function processIds(): string[] | undefined {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
}
