// Gives the terminal back after SIGKILL, when nothing of ours runs any more: a small shell waits at the other end of a pipe,
// and when the pipe closes without a farewell it resets the modes. It costs nothing until then.
import { type ChildProcess, spawn } from "node:child_process";

export interface Watchdog {
  /** From now on these bytes are what gives the terminal back. */
  rescueWith(bytes: string): void;
  /** All is well: the terminal was given back in the ordinary way. */
  dismiss(): void;
}

// It stays in our process group, for only that has the terminal. When we are gone the shell takes the terminal back and we
// are in the background: without ignoring TTOU, setting the modes from there would stop the watchdog instead. Only what raw
// mode has changed is set again: "sane" would also change what the person has set, such as the erase key and UTF-8. The modes
// come first: whoever sees his screen again types at once.
const SCRIPT = `trap '' TTOU HUP INT TERM QUIT TSTP
while read -r word; do
  [ "$word" = farewell ] && exit 0
  RESCUE=$word
done
stty brkint icrnl ixon opost icanon echo iexten isig < /dev/tty
printf "$RESCUE" > /dev/tty`;

/** `rescue` are the bytes that end whatever a program may have begun. */
export function startWatchdog(rescue: string): Watchdog {
  if (process.platform === "win32") return { rescueWith: () => undefined, dismiss: () => undefined };
  const child: ChildProcess = spawn("sh", ["-c", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", RESCUE: printfFormat(rescue) },
    // A PATH with a relative folder in it must not find a shell in the project.
    cwd: "/",
  });
  // A machine without a shell has no watchdog, and nothing else is different.
  child.on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  child.unref();
  (child.stdin as { unref?: () => void } | null)?.unref?.();
  return {
    rescueWith(bytes) {
      child.stdin?.write(`${printfFormat(bytes)}\n`);
    },
    dismiss() {
      child.stdin?.end("farewell\n");
    },
  };
}

function printfFormat(bytes: string): string {
  return Array.from(bytes, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`).join("");
}
