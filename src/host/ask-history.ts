// The history of asks: one JSON line for each finished ask, in a private folder. Files are only appended to, so that many
// processes can write at once; a new month or a full file starts a new one, and the oldest are deleted.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type AskHistoryEntry, askHistoryEntrySchema } from "../contract/ask-history.js";
import type { AuditRecord } from "../contract/asks.js";
import { type Environment, stateFolder } from "../session/user-folders.js";

/** Null where the user has no state folder. */
export function askHistoryFolder(environment: Environment): string | null {
  const folder = stateFolder(environment, () => userInfo().homedir);
  return folder === null ? null : join(folder, "asks");
}

const FILE_BYTES_MAX = 4 * 1024 * 1024;
const FILES_MAX = 24;
const FILE_NAME = /^asks-\d{4}-\d{2}-\d{3}\.jsonl$/;

export interface AskHistoryOptions {
  /** Null where the user has no state folder; nothing is kept then. */
  readonly folder: string | null;
  readonly agent: string;
  readonly workFolder: string;
  /** The clock of the records. */
  nowMs(): number;
  /** Takes secrets out. */
  redacted(value: unknown): unknown;
}

/** Keeps records; says in words why one could not be kept. */
export function askHistoryWriter(options: AskHistoryOptions): (record: AuditRecord) => string | null {
  const { folder } = options;
  if (folder === null) return () => null;
  return (record) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const line = `${JSON.stringify(options.redacted(historyEntryOf(record, options)))}\n`;
      appendFileSync(currentFile(folder), line, { mode: 0o600 });
      return null;
    } catch (error) {
      return `the history of asks could not be written: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}

/** The id of a question that waited at a daemon: no other has it. Both the daemon and the program that asked may write its record. */
const POSTED_ID = /^p[0-9a-f]{16}$/;

/** The newest entries, the oldest of them first, the last one of each posted ask. What cannot be read is left out. */
export function readAskHistory(folder: string, entriesMax: number): AskHistoryEntry[] {
  const entries: AskHistoryEntry[] = [];
  const posted = new Set<string>();
  for (const file of filesIn(folder).reverse()) {
    const lines = readFileSync(join(folder, file), "utf8").split("\n").reverse();
    for (const line of lines) {
      const entry = parsed(line);
      if (entry === null || posted.has(entry.askId)) continue;
      if (POSTED_ID.test(entry.askId)) posted.add(entry.askId);
      entries.push(entry);
      if (entries.length >= entriesMax) return entries.reverse();
    }
  }
  return entries.reverse();
}

// The records have times of a clock that never goes back; people read the wall clock.
export function historyEntryOf(
  record: AuditRecord,
  { agent, workFolder, nowMs }: Pick<AskHistoryOptions, "agent" | "workFolder" | "nowMs">,
): AskHistoryEntry {
  const offsetMs = Date.now() - nowMs();
  const moment = (atMs: number) => new Date(offsetMs + atMs).toISOString();
  const { askId, sessionId, kind, title, about, outcome, delivery } = record;
  return {
    ...{ askId, sessionId, kind, title, about, outcome, agent, folder: workFolder },
    askedAt: moment(record.askedAtMs),
    shownAt: record.shownAtMs === null ? null : moment(record.shownAtMs),
    settledAt: moment(record.settledAtMs),
    deliveredAt: delivery?.result === "delivered" ? moment(delivery.atMs) : null,
    delivery: delivery?.result ?? "none",
  };
}

function currentFile(folder: string): string {
  const files = filesIn(folder);
  for (const old of files.slice(0, -FILES_MAX)) unlinkSync(join(folder, old));
  const month = new Date().toISOString().slice(0, 7);
  const newest = files.filter((file) => file.startsWith(`asks-${month}-`)).at(-1);
  const number = newest === undefined ? 1 : Number(newest.slice("asks-0000-00-".length, -".jsonl".length));
  const isFull = newest !== undefined && statSync(join(folder, newest)).size >= FILE_BYTES_MAX;
  return join(folder, `asks-${month}-${String(isFull ? number + 1 : number).padStart(3, "0")}.jsonl`);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => FILE_NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}

function parsed(line: string): AskHistoryEntry | null {
  try {
    return askHistoryEntrySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
