// What is done to a command. A strike hits a running one in some phase; a condition is there from its start. `ends` says
// whether the command has to be gone afterwards or has to go on.
import { existsSync, writeFileSync } from "node:fs";
import type { FaultPlace } from "./fault-place.js";
import { elapsed, type ShellTerminal, until } from "./shell-terminal.js";

export interface Struck {
  readonly terminal: ShellTerminal;
  readonly place: FaultPlace;
  readonly pid: number;
}

export interface Strike {
  readonly name: string;
  readonly ends: "must" | "may" | "goes on";
  /** "gone": there is no terminal left to look at. */
  readonly terminal: "stays" | "gone";
  readonly hit: (struck: Struck) => Promise<void>;
  /** Phases in which it makes no sense. */
  readonly except?: readonly string[];
}

export interface Condition {
  readonly name: string;
  /** The line that starts the command under this condition. */
  readonly around: (line: string, place: FaultPlace) => string;
  /** What it takes to bring it about; where that is missing the try is left out, and said to be. */
  readonly isPossible?: () => boolean;
  /** Something that happens while it runs. */
  readonly meanwhile?: (struck: Struck) => Promise<void>;
}

const STOPPED_MS = 150;
/** A shell says it at once; of a job that is stopped only in part it says nothing. */
const NOTICED_LIMIT_MS = 1_500;
const FROZEN_MS = 600;

const signal = (name: NodeJS.Signals, ends: Strike["ends"]): Strike => ({
  name,
  ends,
  terminal: "stays",
  async hit({ pid }) {
    send(pid, name);
  },
});

// As `kill %1` does it: the job has to end in the background, where the terminal is somebody else's.
const endedWhileStopped = (name: string, stop: (struck: Struck) => void): Strike => ({
  name,
  except: ["editor"],
  ends: "must",
  terminal: "stays",
  async hit(struck) {
    stop(struck);
    await until(async () => /Stopped/.test(await struck.terminal.window()), NOTICED_LIMIT_MS);
    send(struck.pid, "SIGTERM");
    send(struck.pid, "SIGCONT");
  },
});

export const strikes: readonly Strike[] = [
  signal("SIGKILL", "must"),
  signal("SIGTERM", "must"),
  signal("SIGHUP", "must"),
  signal("SIGINT", "may"),
  {
    // With an editor open it would be the editor that is stopped, and that is between it and the shell.
    name: "stop+cont",
    except: ["editor"],
    ends: "goes on",
    terminal: "stays",
    // A shell that sees its job stopped takes the terminal, as the program left it; a newline is a newline in every mode.
    async hit({ pid, terminal }) {
      send(pid, "SIGSTOP");
      const isNoticed = await until(async () => /Stopped/.test(await terminal.window()), NOTICED_LIMIT_MS);
      if (isNoticed) terminal.type("fg\n");
      else send(pid, "SIGCONT");
      await elapsed(STOPPED_MS);
    },
  },
  endedWhileStopped("stop+term", ({ pid }) => send(pid, "SIGSTOP")),
  endedWhileStopped("ctrl+z+term", ({ terminal }) => terminal.type("\x1a")),
  {
    name: "vanish",
    ends: "must",
    terminal: "gone",
    async hit({ terminal }) {
      terminal.vanish();
    },
  },
  {
    // A pty that takes nothing more: writing gives EAGAIN or waits, and must neither lose anything nor end the program.
    name: "frozen",
    ends: "goes on",
    terminal: "stays",
    async hit({ terminal }) {
      terminal.freeze();
      await elapsed(FROZEN_MS);
      terminal.thaw();
    },
  },
];

const inShell = (words: string) => (line: string) => `(${words}; ${line})`;
/** A name space of its own, in which folders can be covered without anybody else noticing. */
const covered = (cover: string) => (line: string, place: FaultPlace) => {
  const script = place.path("covered.sh");
  writeFileSync(
    script,
    `${cover.replaceAll("$HOME", place.path("home")).replaceAll("$TMP", place.path("temporary"))}\n${line}\n`,
  );
  return `unshare -m sh '${script}'`;
};

const isRoot = () => process.getuid?.() === 0;
const FAKETIME_FOLDER = "/usr/lib/x86_64-linux-gnu/faketime";
const EMPTY_SMALL = "mount -t tmpfs -o size=16k tmpfs";
const FILL = "head -c 100000 /dev/zero >";

export const conditions: readonly Condition[] = [
  { name: "few files (24)", around: inShell("ulimit -n 24") },
  { name: "few files (32)", around: inShell("ulimit -n 32") },
  {
    name: "full disk",
    isPossible: isRoot,
    around: covered(`for at in "$HOME" "$TMP"; do ${EMPTY_SMALL} "$at"; ${FILL} "$at/full" 2>/dev/null; done`),
  },
  {
    name: "read-only home",
    isPossible: isRoot,
    around: covered('for at in "$HOME" "$TMP"; do mount -t tmpfs -o ro tmpfs "$at"; done'),
  },
  { name: "EPIPE", around: (line) => `${line} | head -n 1` },
  { name: "stdout full", around: (line) => `${line} > /dev/full` },
  { name: "stdout closed", around: (line) => `${line} >&-` },
  { name: "stderr closed", around: (line) => `${line} 2>&-` },
  { name: "stdin closed", around: (line) => `${line} <&-` },
  { name: "stdin at its end", around: (line) => `${line} < /dev/null` },
  {
    name: "slow non-blocking pipe",
    around: (line, place) => {
      const script = place.path("non-blocking.py");
      writeFileSync(script, NON_BLOCKING);
      return `${line} | python3 '${script}'`;
    },
  },
  {
    name: "clock jumps",
    isPossible: () => existsSync(FAKETIME_FOLDER),
    around: (line, place) => {
      const file = place.path("clock");
      writeFileSync(file, "+0\n");
      const faked = `LD_PRELOAD=libfaketime.so.1 FAKETIME_TIMESTAMP_FILE='${file}'`;
      return `(export ${faked} LD_LIBRARY_PATH=${FAKETIME_FOLDER} FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1; ${line})`;
    },
    async meanwhile({ place }) {
      for (const jump of ["+10d", "-400d", "+0"]) {
        writeFileSync(place.path("clock"), `${jump}\n`);
        await elapsed(STOPPED_MS);
      }
    },
  },
];

// Makes the pipe non-blocking for everybody who has it, waits until it is full, and only then reads it to its end.
const NON_BLOCKING = `import fcntl, os, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_NONBLOCK)
fcntl.fcntl(0, 1031, 4096)
time.sleep(1)
while True:
    try:
        piece = os.read(0, 512)
    except BlockingIOError:
        time.sleep(0.01)
        continue
    if not piece:
        break
    sys.stdout.buffer.write(piece)
    sys.stdout.flush()
`;

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
