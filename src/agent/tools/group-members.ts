// Whether a process group still has a process that runs. Asking the system with a signal also finds the dead ones that
// nobody has collected, which in a container without an init can stay for ever; /proc knows the difference.
import { readdirSync, readFileSync } from "node:fs";

export function hasLivingMember(groupId: number): boolean {
  const ids = processIds();
  // Without /proc the answer to the signal has to do.
  return ids === undefined || ids.some((id) => isLivingMember(id, groupId));
}

function processIds(): string[] | undefined {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
}

// "12 (a name) S 1 34 …": the name may hold anything, so the fields are counted from behind its last parenthesis.
function isLivingMember(id: string, groupId: number): boolean {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(group) === groupId && state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}
