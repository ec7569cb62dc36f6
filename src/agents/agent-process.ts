// An agent as a child process: its own process group, three pipes, and a ladder of ways to stop it. What it writes to
// stderr is kept, the last part of it, for the moment when it fails. Nothing here knows what the bytes mean.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { getDefaultHighWaterMark, setDefaultHighWaterMark } from "node:stream";
import type { Sent } from "../contract/asks.js";
import { keepWithUs, signalGroup } from "../system/child-groups.js";
import type { BoxedCommand } from "../system/sandbox/sandbox.js";

export type AgentCommand = {
  command: string;
  args: readonly string[];
  cwd?: string;
  /** Added to our own; undefined takes one away. */
  env?: Record<string, string | undefined>;
  /** An agent in the sandbox gets nothing done for it outside. */
  place?: "sandbox";
  box?: Pick<BoxedCommand, "moreStdio" | "whenKilled" | "release">;
};

export type AgentExit = {
  /** The exit code, or 128 and the signal's number, as a shell would say it; null when it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  error: string | null;
  /** The last part of what it wrote to stderr. */
  stderrTail: string;
};

export type AgentProcess = {
  readonly pid: number | undefined;
  /** "lost" when the agent no longer reads: it has closed its input, or has ended. */
  write(text: string): Sent;
  /** "paused" reads nothing more: a full pipe holds the agent back, and nothing is lost. */
  setFlow(flow: "flowing" | "paused"): void;
  /** No more input: an agent that reads to the end will end. */
  closeInput(): void;
  /** Settles when the process is gone and its pipes are empty; never rejects. */
  readonly exited: Promise<AgentExit>;
  /** Goes down the ladder: `farewell` on stdin, then SIGTERM, then SIGKILL, to the whole group. */
  stop(farewell?: string): Promise<AgentExit>;
};

export type AgentProcessHandlers = {
  onStdout(chunk: Uint8Array): void;
  onStdoutEnd?(): void;
  onStderr?(chunk: string): void;
  /** What was written could not be delivered: the agent has closed its input, or has ended. */
  onInputClosed?(): void;
};

/** How a link comes by its process: it is started, or a running one is handed over. */
export type StartAgent = (command: AgentCommand, handlers: AgentProcessHandlers, ladder?: StopLadder) => AgentProcess;

export type StopLadder = { farewellMs: number; termMs: number };

const STDERR_TAIL_CHARS_MAX = 64 * 1024;
/** How long what an agent left behind may take to end. */
const SWEEP_MS = 1_000;
const ladderDefault: StopLadder = { farewellMs: 1_000, termMs: 2_000 };

export function startAgentProcess(
  command: AgentCommand,
  handlers: AgentProcessHandlers,
  ladder: StopLadder = ladderDefault,
): AgentProcess {
  const { box } = command;
  const child = spawned(command);
  if ("problem" in child) {
    box?.release();
    return neverStarted(child.problem);
  }
  let stderrTail = "";
  const reading = breathing(child, handlers.onStdout);
  child.stdout?.on("end", () => handlers.onStdoutEnd?.());
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderrTail = (stderrTail + chunk).slice(-STDERR_TAIL_CHARS_MAX);
    handlers.onStderr?.(chunk);
  });
  child.stdin?.on("error", () => handlers.onInputClosed?.());

  keepWithUs(child, "group", box?.whenKilled);
  child.once("exit", () => sweepUp(child));
  const exited = exitOf(child, command, () => stderrTail);
  void exited.then(() => box?.release());
  const write = (text: string): Sent => {
    const { stdin } = child;
    if (!stdin || stdin.destroyed || stdin.writableEnded) return "lost";
    return new Promise((resolve) => {
      stdin.write(text, (error) => resolve(error ? "lost" : "delivered"));
    });
  };
  return {
    pid: child.pid,
    write,
    setFlow: reading.setFlow,
    closeInput: () => void child.stdin?.end(),
    exited,
    async stop(farewell) {
      const isTold = farewell !== undefined && write(farewell) !== "lost";
      if (isTold && (await within(exited, ladder.farewellMs))) return exited;
      signalGroup(child, "SIGTERM");
      if (await within(exited, ladder.termMs)) return exited;
      signalGroup(child, "SIGKILL");
      return exited;
    },
  };
}

// Most reasons why a program cannot be started come as an event; some are thrown. The first three of stdio are pipes, whatever
// follows; where too many files are open there are none.
function spawned(given: AgentCommand): ChildProcess | { readonly problem: string } {
  const { command, args, cwd, env, box } = given;
  try {
    return withTightPipes(() =>
      spawn(command, [...args], {
        ...(cwd === undefined ? {} : { cwd }),
        env: { ...process.env, ...env },
        stdio: ["pipe", "pipe", "pipe", ...(box?.moreStdio ?? [])],
        detached: process.platform !== "win32",
        windowsHide: true,
      }),
    );
  } catch (error) {
    return { problem: startProblem(error as NodeJS.ErrnoException, given) };
  }
}

function neverStarted(error: string): AgentProcess {
  const exited = Promise.resolve({ code: null, signal: null, error, stderrTail: "" });
  return {
    pid: undefined,
    write: () => "lost",
    setFlow: () => undefined,
    closeInput: () => undefined,
    exited,
    stop: () => exited,
  };
}

// A paused stream keeps reading until it has a whole buffer full, and wakes us up for every few bytes of it. One whose
// buffer is full with the first of them leaves the rest to the system. Only the default can be set for a child's streams.
function withTightPipes<Child>(start: () => Child): Child {
  const usual = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 1);
  try {
    return start();
  } finally {
    setDefaultHighWaterMark(false, usual);
  }
}

/** A read that brought as much as this was not all there is. */
const FULL_CHUNK_BYTES = 64 * 1024;

// The platform reads up to thirty-two chunks in a row before it looks at anything else. A key typed while an agent floods would
// wait for all of them, so other events get a turn after each full chunk.
function breathing(child: ChildProcess, onStdout: (chunk: Uint8Array) => void): Pick<AgentProcess, "setFlow"> {
  let wanted: "flowing" | "paused" = "flowing";
  child.stdout?.on("data", (chunk: Uint8Array) => {
    onStdout(chunk);
    if (chunk.length < FULL_CHUNK_BYTES || wanted === "paused") return;
    child.stdout?.pause();
    setImmediate(() => wanted === "flowing" && child.stdout?.resume());
  });
  return {
    setFlow(flow) {
      // A process that has ended cannot be held back, and what it has written already fits into its pipe.
      wanted = flow === "paused" && isAlive(child) ? "paused" : "flowing";
      if (wanted === "paused") child.stdout?.pause();
      else child.stdout?.resume();
    },
  };
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function exitOf(child: ChildProcess, command: AgentCommand, stderrTail: () => string): Promise<AgentExit> {
  return new Promise((resolve) => {
    child.on("error", (error) => {
      if (child.pid === undefined)
        resolve({ code: null, signal: null, error: startProblem(error, command), stderrTail: "" });
    });
    child.on("close", (code, signal) => {
      const shellCode = signal === null ? code : 128 + constants.signals[signal];
      resolve({ code: shellCode, signal, error: null, stderrTail: stderrTail() });
    });
  });
}

// The code stays beside the words, for those who look it up.
function startProblem(
  { code = "", message }: NodeJS.ErrnoException,
  { command, cwd }: Pick<AgentCommand, "command" | "cwd">,
): string {
  if (cwd !== undefined && !isFolder(cwd)) return `there is no folder ${cwd} (${code})`;
  if (code === "EACCES") return `${command} is not executable; run chmod +x (EACCES)`;
  if (code === "EMFILE") return "too many open files; raise the limit with ulimit -n (EMFILE)";
  if (code !== "ENOENT" && code !== "ENOTDIR") return message;
  const isThere = command.includes("/") && existsSync(resolve(cwd ?? ".", command));
  return isThere
    ? `the interpreter in ${command}'s #! line was not found (${code})`
    : `there is no program ${command} (${code})`;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

// What the agent started and left behind goes with it. A child that holds on to the agent's pipes would otherwise keep its
// end from being noticed at all; one that does not listen is killed, and one that left the group loses the pipes.
function sweepUp(child: ChildProcess): void {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => {
    signalGroup(child, "SIGKILL");
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, SWEEP_MS);
  child.once("close", () => clearTimeout(timer));
}

/** Whether the event came in time. */
export function within(event: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    void event.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
