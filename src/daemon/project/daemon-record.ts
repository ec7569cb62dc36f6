// The file by which a project's daemon is found: its process, address and version. Whoever writes it first has the project;
// a record whose daemon is gone is taken away by exactly one of those who want to follow it.
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { type DaemonRecord, daemonRecordSchema } from "../../contract/daemon.js";

/** Null when there is none, or something else in its place. */
export async function readRecord(path: string): Promise<DaemonRecord | null> {
  try {
    const written: unknown = JSON.parse(await readFile(path, "utf8"));
    // Another version may have written less; where its process and its address are known, it can be spoken to.
    return daemonRecordSchema.parse({ version: "", project: "", started_at_ms: 0, ...(written as object) });
  } catch {
    return null;
  }
}

/** False when another daemon has the project already. A link appears whole or not at all, and never over another file. */
export async function writeRecord(path: string, record: DaemonRecord): Promise<boolean> {
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  try {
    await link(fresh, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(fresh, { force: true });
  }
}

// Between the look at an old record and its removal a new daemon may have put its own there. So the file is moved aside,
// looked at again, and put back when it is not the one that was meant.
export async function removeRecord(path: string, old: DaemonRecord | null): Promise<void> {
  const aside = `${path}.old.${process.pid}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const found = await readRecord(aside);
  if (found !== null && !isSameDaemon(found, old)) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function isSameDaemon(found: DaemonRecord, old: DaemonRecord | null): boolean {
  return found.pid === old?.pid && found.started_at_ms === old.started_at_ms;
}
