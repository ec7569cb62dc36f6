// The file by which a project's daemon is found: its process, program, version and address. Only the daemon that holds the
// project's lock writes it; a record whose daemon is gone is written over by the next one.
import { readFile, rm } from "node:fs/promises";
import { type DaemonRecord, daemonRecordSchema } from "../../contract/daemon.js";
import { replaceFile } from "./private-file.js";

/** Null when there is none, or something else in its place. */
export async function readRecord(path: string): Promise<DaemonRecord | null> {
  try {
    return daemonRecordSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}

export async function writeRecord(path: string, record: DaemonRecord): Promise<void> {
  await replaceFile(path, `${JSON.stringify(record)}\n`);
}

export async function removeRecord(path: string, { pid, started_at_ms }: DaemonRecord): Promise<void> {
  const found = await readRecord(path);
  if (found?.pid === pid && found.started_at_ms === started_at_ms) await rm(path, { force: true });
}
