// Ends a command whose agent was killed with SIGKILL and could not see to it any more: a small shell waits at the other end
// of a pipe, and when the pipe closes without a farewell it ends the command's group and tidies up behind its sandbox. It costs nothing until then.
import { type ChildProcess, spawn } from "node:child_process";

export interface OrphanWatch {
  /** The command has ended, or we have ended it ourselves. */
  dismiss(): void;
}

// Asked politely first, as everywhere: a command may have a file or a server of its own to put away within two seconds.
const SCRIPT = `trap '' HUP INT TERM QUIT TSTP
read -r farewell && exit 0
kill -s TERM -- "-$0"
tries=20
while [ "$tries" -gt 0 ]; do
  kill -s 0 -- "-$0" || break
  sleep 0.1
  tries=$((tries - 1))
done
kill -s KILL -- "-$0"
for step in "$@"; do
  path=\${step#*:}
  case $step in
    rmdir:*) rmdir "$path" ;;
    aside:*) if [ -e "$path" ] || [ -L "$path" ]; then mv "$path" "$path.from-sandbox-$$"; fi ;;
    remove:*) rm -rf "$path" ;;
  esac
done`;

/** `groupId` is the number of the process that leads the group; `steps` are what the sandbox would have done after it. */
export function watchForOrphan(groupId: number | undefined, steps: readonly string[]): OrphanWatch {
  if (groupId === undefined || process.platform === "win32") return { dismiss: () => undefined };
  // A session of its own, so that a kill of the agent's whole group does not hit it.
  const child: ChildProcess = spawn("/bin/sh", ["-c", SCRIPT, String(groupId), ...steps], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    cwd: "/",
    detached: true,
  });
  // Where no more processes or files are to be had the command runs all the same, and only a kill of the agent leaves it.
  child.on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  child.unref();
  return { dismiss: () => void child.stdin?.end("farewell\n") };
}
