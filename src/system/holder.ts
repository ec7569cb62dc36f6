// Which process holds something, written down so that any other process can tell later whether it still runs. A process id
// alone proves nothing, because ids are used again: the start time and the boot of the machine belong to it. No wall clock is
// compared, so a clock that jumps, in either direction, changes nothing.
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod";
import { processStat } from "./process-stat.js";

const holderSchema = z.object({
  /** Tells one holding from the next one of the same process. */
  id: z.string().default(""),
  pid: z.number().int().positive(),
  /** Tells the process from a later one with the same id; null where the system does not say. */
  started_at: z.string().nullable(),
  /** Host names change while a machine runs; this one is for people. */
  host: z.string(),
  machine: z.string().nullable().default(null),
  boot: z.string().nullable().default(null),
  /** Two containers on one kernel do not see each other's processes. */
  pid_namespace: z.string().nullable().default(null),
  /** For people. */
  since: z.number(),
});

export type Holder = z.infer<typeof holderSchema>;

/** What the machine says about itself; null where it says nothing. */
export interface MachineFacts {
  readonly host: string;
  readonly machine: string | null;
  readonly boot: string | null;
  readonly pidNamespace: string | null;
}

export function machineFacts(): MachineFacts {
  return {
    host: hostname(),
    machine: textOf(() => readFileSync("/etc/machine-id", "utf8")),
    boot: textOf(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    pidNamespace: textOf(() => readlinkSync("/proc/self/ns/pid")),
  };
}

export function thisProcess(id: string, sinceMs: number, { host, machine, boot, pidNamespace }: MachineFacts): Holder {
  const { pid } = process;
  return { id, pid, started_at: startedAt(pid), host, machine, boot, pid_namespace: pidNamespace, since: sinceMs };
}

/** Null for a torn file, or one that is something else. */
export function holderIn(text: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** "unknown" where its process cannot be looked at from here: another machine, another container. */
export function lifeOf(holder: Holder, facts: MachineFacts): "alive" | "dead" | "unknown" {
  const place = placeOf(holder, facts);
  if (place === "earlier-boot") return "dead";
  if (place === "elsewhere") return "unknown";
  const now = startedAt(holder.pid);
  if (holder.started_at !== null && now !== null && holder.started_at !== now) return "dead";
  return isOwnRunning(holder.pid, holder.started_at !== null && now !== null) ? "alive" : "dead";
}

function placeOf(holder: Holder, facts: MachineFacts): "here" | "earlier-boot" | "elsewhere" {
  if (holder.boot === null || facts.boot === null) return holder.host === facts.host ? "here" : "elsewhere";
  if (holder.boot === facts.boot) return holder.pid_namespace === facts.pidNamespace ? "here" : "elsewhere";
  return isSameMachine(holder, facts) ? "earlier-boot" : "elsewhere";
}

function isSameMachine(holder: Holder, facts: MachineFacts): boolean {
  if (holder.machine === null || facts.machine === null) return holder.host === facts.host;
  return holder.machine === facts.machine;
}

// A process that may not be signalled belongs to another user. It is the holder only if its start time says so.
function isOwnRunning(pid: number, isSameProcess: boolean): boolean {
  if (processStat(pid)?.state === "ended") return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isSameProcess && (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function startedAt(pid: number): string | null {
  return processStat(pid)?.startedAt ?? null;
}

function textOf(read: () => string): string | null {
  try {
    return read().trim() || null;
  } catch {
    return null;
  }
}
