// The file by which a project's daemon is found: its process, address and version. Whoever writes it first has the project;
// a record whose daemon is gone is taken away by exactly one of those who want to follow it.
import { randomUUID } from "node:crypto";
import { link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type DaemonRecord, daemonRecordSchema } from "../../contract/daemon.js";

/** Null when there is none, or something else in its place. */
export async function readRecord(path: string): Promise<DaemonRecord | null> {
  const content = await contentOf(path);
  return content === null ? null : recordIn(content);
}

async function contentOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

function recordIn(content: string): DaemonRecord | null {
  try {
    const written: unknown = JSON.parse(content);
    // Another version may have written less; where its process and its address are known, it can be spoken to.
    return daemonRecordSchema.parse({ version: "", project: "", started_at_ms: 0, ...(written as object) });
  } catch {
    return null;
  }
}

/** False when another daemon has the project already. A link appears whole or not at all, and never over another file. */
export async function writeRecord(path: string, record: DaemonRecord): Promise<boolean> {
  const fresh = `${path}.${randomUUID()}`;
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

/**
 * Takes the record of `old` away, or what stands there and is nobody's. Between the look at it and its removal a new daemon may
 * have put its own there. So they take turns: whoever has the turn looks, and nobody else changes what he sees.
 */
export async function removeRecord(path: string, old: DaemonRecord | null): Promise<void> {
  const turn = `${path}.turn`;
  if (!(await takeTurn(turn))) return;
  try {
    const content = await contentOf(path);
    const found = content === null ? null : recordIn(content);
    const isOthers = found !== null && !isSameDaemon(found, old);
    if (content !== null && !isOthers) await rm(path, { force: true });
  } finally {
    await rm(turn, { force: true });
  }
}

/** A turn takes milliseconds; one that is older was left behind by a process that was killed. */
const TURN_MS_MAX = 10_000;

async function takeTurn(path: string): Promise<boolean> {
  const ageMs = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (ageMs > TURN_MS_MAX) await rm(path, { force: true });
  // Where nothing can be written nothing can be removed either.
  return writeFile(path, "", { flag: "wx", mode: 0o600 }).then(
    () => true,
    () => false,
  );
}

function isSameDaemon(found: DaemonRecord, old: DaemonRecord | null): boolean {
  return found.pid === old?.pid && found.started_at_ms === old.started_at_ms;
}
