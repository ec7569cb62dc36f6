// Cleans up after SIGKILL, when no code of ours runs any more: a small shell waits at the other end of a pipe, and acts when
// the pipe closes without a goodbye. Until then it costs nothing. A machine without a shell does without.
//
// Two jobs, in two shells: children are ended and files removed from a session of its own, which neither ctrl+c nor a kill
// of our whole group reaches; the terminal is given back from our process group, for only that has the terminal.
import { spawn } from "node:child_process";

/** Tidies up behind a child: `remove:PATH` (also a folder), `rmdir:PATH` (an empty one). */
export type CleanUpStep = string;

export interface AfterKill {
  /** It was done in the ordinary way, or there is nothing to do any more. */
  dismiss(): void;
}

export interface Watchdog extends AfterKill {
  /** From now on these bytes are what gives the terminal back. */
  rescueWith(bytes: string): void;
}

// A child that is asked politely has two seconds to put its own files and children away.
const REAPER = `trap '' HUP INT TERM QUIT TSTP
kept=
while read -r word key target steps; do
  case "$word" in
    add)
      kept="$kept $key"
      eval "target_$key=\\$target steps_$key=\\$steps"
      ;;
    remove)
      others=
      for one in $kept; do [ "$one" = "$key" ] || others="$others $one"; done
      kept=$others
      ;;
    farewell) exit 0 ;;
  esac
done
targets=
tidy() {
  for step in $1; do
    path=$(printf '%b/' "\${step#*:}")
    path=\${path%/}
    case $step in
      rmdir:*) rmdir "$path" ;;
      remove:*) rm -rf -- "$path" ;;
    esac
  done
}
anyone() { for target in $targets; do kill -s 0 -- "$target" && return 0; done; return 1; }
for key in $kept; do
  eval "target=\\$target_$key steps=\\$steps_$key"
  if [ "$target" = none ]; then tidy "$steps"; else targets="$targets $target"; fi
done
for target in $targets; do kill -s TERM -- "$target"; done
tries=20
while [ "$tries" -gt 0 ] && anyone; do
  sleep 0.1
  tries=$((tries - 1))
done
for target in $targets; do kill -s KILL -- "$target"; done
for key in $kept; do
  eval "steps=\\$steps_$key"
  tidy "$steps"
done`;

// When we are gone the shell takes the terminal back and we are in the background: without ignoring TTOU, setting the modes
// from there would stop the watchdog instead. Only what raw mode has changed is set again: "sane" would also change what the
// user has set, such as the erase key and UTF-8. The screen comes first, before a shell writes to it. A shell that edits its line
// has set modes of its own a moment later, with isig; our echo on top of them would show every letter twice.
const WATCHDOG = `trap '' TTOU HUP INT TERM QUIT TSTP
while read -r word; do
  [ "$word" = farewell ] && exit 0
  RESCUE=$word
done
printf '%b' "$RESCUE" > /dev/tty
sleep 0.2
case $(stty -a < /dev/tty) in
  *-isig*) stty brkint icrnl ixon opost icanon echo iexten isig < /dev/tty ;;
esac`;

const SYSTEM_PATH = "/usr/bin:/bin:/run/current-system/sw/bin";

type Shell = (line: string) => void;

let reaper: Shell | null = null;
let lastKey = 0;
const kept = new Set<number>();

/** Ends `target`, as kill(1) takes it (a process, or minus the number of a group), and then takes the steps. */
export function endAfterKill(target: number | null, steps: readonly CleanUpStep[] = []): AfterKill {
  const key = ++lastKey;
  kept.add(key);
  reaper ??= startShell(REAPER, "own-session");
  reaper(["add", key, target ?? "none", ...steps.map(encoded)].join(" "));
  return {
    dismiss() {
      if (!kept.delete(key)) return;
      reaper?.(kept.size > 0 ? `remove ${key}` : "farewell");
      if (kept.size === 0) reaper = null;
    },
  };
}

/** `rescue` are the bytes that end whatever a program may have begun on the terminal. */
export function startWatchdog(rescue: string): Watchdog {
  const shell = startShell(WATCHDOG, "our-group", { RESCUE: octal(rescue) });
  return { rescueWith: (bytes) => shell(octal(bytes)), dismiss: () => shell("farewell") };
}

function startShell(
  script: string,
  place: "own-session" | "our-group",
  env: Readonly<Record<string, string>> = {},
): Shell {
  if (process.platform === "win32") return () => undefined;
  const child = spawn("/bin/sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    // Our own PATH may hold a folder of the project.
    env: { PATH: SYSTEM_PATH, ...env },
    cwd: "/",
    detached: place === "own-session",
  });
  child.on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  child.unref();
  (child.stdin as { unref?: () => void } | null)?.unref?.();
  return (line) => void (line === "farewell" ? child.stdin?.end("farewell\n") : child.stdin?.write(`${line}\n`));
}

function encoded(step: CleanUpStep): string {
  const colon = step.indexOf(":") + 1;
  return step.slice(0, colon) + octal(step.slice(colon));
}

/** As `%b` of printf(1) reads it: no character of it means anything to a shell. */
function octal(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
}
