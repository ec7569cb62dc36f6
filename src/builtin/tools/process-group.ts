// A shell command with a process group of its own, so that it can be ended with everything it started. Its output comes
// merged and in order, because both streams are one pipe; it reads nothing, and nothing it leaves behind keeps us waiting.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { constants } from "node:os";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { type AfterKill, endAfterKill } from "../../system/after-kill.js";
import { processStat } from "../../system/process-stat.js";
import type { BoxedCommand } from "../../system/sandbox/sandbox.js";
import { realClock } from "../../system/timers.js";
import { PIPE_GRACE_MS, PIPE_LOOKS_MAX, TERM_GRACE_MS } from "./limits.js";

// The processes of a group that still run. Asking the system with a signal also finds dead ones that were not collected,
// which in a container without an init can stay for ever; /proc knows the difference.
function hasLivingMember(groupId: number): boolean {
  // Without /proc the answer to the signal has to do.
  return livingMembers(groupId)?.some(() => true) ?? true;
}

/** Parents before their children; undefined without /proc. */
function livingMembers(groupId: number): number[] | undefined {
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

export type GroupOptions = {
  readonly command: string;
  readonly folder: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Puts the command into the sandbox; without, it runs as it is. */
  wrap?(line: readonly string[], env: NodeJS.ProcessEnv): Promise<BoxedCommand>;
  onOutput(text: string): void;
};

export type GroupEnd = {
  /** As a shell says it: 128 and the signal's number when a signal ended it; null when it could not be started. */
  readonly code: number | null;
  readonly reason: "exited" | "timed-out" | "aborted" | "not-started";
  /** Whether something still ran in the background and was ended. */
  readonly leftovers: "none" | "ended";
  readonly problem?: string;
};

// No pager and no question at the terminal: there is no one to answer.
const QUIET = { PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat", SYSTEMD_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };
// The outer shell only joins the two streams and becomes the inner one, so that messages name the right line.
const JOIN_STREAMS = 'exec "$0" -c "$1" 2>&1';

export async function runGroup(options: GroupOptions): Promise<GroupEnd> {
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const args = ["-c", JOIN_STREAMS, shell, options.command];
  const environment = { ...process.env, ...QUIET };
  const boxed = await options.wrap?.([shell, ...args], environment);
  const { program, args: its, env, statusOption = null } = boxed ?? { program: shell, args, env: environment };
  const more = boxed?.moreStdio ?? [];
  const reporting = statusOption === null ? [] : [statusOption, String(STREAMS + more.length)];
  const child = spawn(program, [...reporting, ...its], {
    cwd: options.folder,
    env,
    stdio: ["ignore", "pipe", "pipe", ...more, ...(statusOption === null ? [] : ["pipe" as const])],
    detached: true,
  });
  // Where too many files are open there are none; the error comes as an event.
  const report = new StartReport(statusOption === null ? null : child.stdio?.at(STREAMS + more.length));
  const streams = [child.stdout, child.stderr].filter((stream) => stream instanceof Readable);
  let chunks = 0;
  let beginning = "";
  const onData = (text: string) => {
    chunks++;
    if (beginning.length < BEGINNING_CHARS) beginning += text;
    options.onOutput(text);
  };
  for (const stream of streams) stream.setEncoding("utf8").on("data", onData);
  const outputEnded = Promise.all(streams.map((stream) => once(stream, "close").catch(() => undefined)));
  const group = new ProcessGroup(child, boxed);
  try {
    const end = await group.ended(options);
    await drained(outputEnded, () => chunks);
    const mayHaveFailed = end.reason === "exited" && end.code === 1 && SANDBOX_FAILURE.test(beginning);
    if (!mayHaveFailed || !(await report.saysNotStarted())) return end;
    return { code: null, reason: "not-started", leftovers: "none", problem: beginning.trim() };
  } finally {
    for (const stream of streams) stream.destroy();
    group.release();
    boxed?.release();
  }
}

const STREAMS = 3;
/** All that a sandbox prints when it cannot be set up; its exit code is 1 then. */
const SANDBOX_FAILURE = /^bwrap: [^\n]*\n?$/;
const BEGINNING_CHARS = 2_000;

// What a sandbox writes about its command: {"exit-code": 3} when it has run, and nothing of the kind when it could not be started.
class StartReport {
  private readonly whole: Promise<string | null>;

  constructor(stream: unknown) {
    this.whole = stream instanceof Readable ? textOf(stream).catch(() => null) : Promise.resolve(null);
  }

  /** Whether it is certain that the command has not run. The sandbox has ended. */
  async saysNotStarted(): Promise<boolean> {
    const text = await within(this.whole, TERM_GRACE_MS);
    return typeof text === "string" && !text.includes('"exit-code"');
  }
}

// Reads what is still in the pipe. A process that keeps it open in silence, or keeps writing, has left the group on
// purpose and is not waited for.
async function drained(outputEnded: Promise<unknown>, chunkCount: () => number): Promise<void> {
  for (let look = 0; look < PIPE_LOOKS_MAX; look++) {
    const before = chunkCount();
    const ended = await within(
      outputEnded.then(() => true),
      PIPE_GRACE_MS,
    );
    if (ended === true || chunkCount() === before) return;
  }
}

class ProcessGroup {
  private readonly child: ChildProcess;
  private readonly leader: "shell" | "sandbox";
  private readonly afterKill: AfterKill | undefined;
  /** Whatever ends us ends the command: it has a group of its own and would not hear the terminal's signals. */
  private readonly lastResort = () => {
    this.send("SIGKILL");
    // What a sandbox needs is removed when the command is really gone, which we do not see any more.
    if (this.leader === "shell") this.afterKill?.dismiss();
  };

  constructor(child: ChildProcess, boxed: BoxedCommand | undefined) {
    this.child = child;
    this.leader = boxed === undefined ? "shell" : "sandbox";
    this.afterKill = child.pid === undefined ? undefined : endAfterKill(-child.pid, boxed?.whenKilled);
    process.on("exit", this.lastResort);
  }

  release(): void {
    this.afterKill?.dismiss();
    process.off("exit", this.lastResort);
  }

  async ended(options: GroupOptions): Promise<GroupEnd> {
    const exited = exitOf(this.child);
    const reason = await firstOf(exited, options);
    if (reason !== "exited") await this.end();
    // Not even SIGKILL ends a process that waits for a broken disk; it is left alone then.
    const { code, problem } = (await within(exited, TERM_GRACE_MS)) ?? { code: null };
    if (problem !== undefined) return { code, reason: "not-started", leftovers: "none", problem };
    if (!this.isAlive) return { code, reason, leftovers: "none" };
    // The sandbox has ended with everything in it; the system may still be taking it down.
    if (this.leader === "sandbox" && (await this.isGoneWithin(TERM_GRACE_MS)))
      return { code, reason, leftovers: "none" };
    await this.end();
    return { code, reason, leftovers: "ended" };
  }

  private get isAlive(): boolean {
    return this.send(0) && (this.child.pid === undefined || hasLivingMember(this.child.pid));
  }

  /** SIGTERM, and SIGKILL for what is still there after a while; settles when the group is empty. */
  async end(): Promise<void> {
    this.sendTerm();
    if (await this.isGoneWithin(TERM_GRACE_MS)) return;
    this.send("SIGKILL");
    await this.isGoneWithin(TERM_GRACE_MS);
  }

  // The system does not tell when a group becomes empty, so it is looked at again and again.
  private async isGoneWithin(limitMs: number): Promise<boolean> {
    const pauseMs = 10;
    for (let waitedMs = 0; waitedMs < limitMs; waitedMs += pauseMs) {
      if (!this.isAlive) return true;
      await setTimeout(pauseMs);
    }
    return !this.isAlive;
  }

  // A sandbox that is ended takes its command along at once; the command itself may have something to put away.
  private sendTerm(): void {
    const { pid } = this.child;
    const inside =
      this.leader === "shell" || pid === undefined ? undefined : livingMembers(pid)?.filter((id) => id !== pid);
    if (inside === undefined) this.send("SIGTERM");
    for (const id of inside ?? []) {
      try {
        process.kill(id, "SIGTERM");
      } catch {
        // It ended by itself.
      }
    }
  }

  private send(signal: NodeJS.Signals | 0): boolean {
    if (this.child.pid === undefined) return false;
    try {
      return process.kill(-this.child.pid, signal);
    } catch {
      return false;
    }
  }
}

async function firstOf(
  exited: Promise<unknown>,
  { timeoutMs, signal }: GroupOptions,
): Promise<"exited" | "timed-out" | "aborted"> {
  const over = new AbortController();
  const waited = realClock.wait(timeoutMs, AbortSignal.any([signal, over.signal]));
  const reason = await Promise.race([
    exited.then(() => "exited" as const),
    waited.then(() => (signal.aborted ? ("aborted" as const) : ("timed-out" as const))),
  ]);
  over.abort();
  return reason;
}

type Exit = { readonly code: number | null; readonly problem?: string };

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ code: null, problem: error.message });
    });
    child.once("exit", (code, signal) => resolve({ code: signal === null ? code : 128 + constants.signals[signal] }));
  });
}

async function within<T>(event: Promise<T>, limitMs: number): Promise<T | undefined> {
  const over = new AbortController();
  const first = await Promise.race([event, realClock.wait(limitMs, over.signal).then(() => undefined)]);
  over.abort();
  return first;
}
