// Ends our children after SIGKILL, when nothing of ours runs any more: a small shell waits at the other end of a pipe and knows
// whom we have started. When the pipe closes without a farewell, it ends them. It costs nothing until then.
import { type ChildProcess, spawn } from "node:child_process";

export interface LastWill {
  /** `target` as kill(1) takes it: the number of a process, or minus that of a group. */
  add(target: number): void;
  remove(target: number): void;
  /** We have seen to our children ourselves. */
  revoke(): void;
}

// A child that is asked politely has two seconds to put its own house in order: it may have children, too.
const SCRIPT = `trap '' HUP INT TERM QUIT TSTP
kept=
while read -r word target; do
  case "$word" in
    add) kept="$kept $target" ;;
    remove)
      others=
      for one in $kept; do [ "$one" = "$target" ] || others="$others $one"; done
      kept=$others
      ;;
    farewell) exit 0 ;;
  esac
done
for target in $kept; do kill -s TERM -- "$target"; done
tries=20
while [ "$tries" -gt 0 ]; do
  alive=
  for target in $kept; do kill -s 0 -- "$target" && alive=yes; done
  [ -z "$alive" ] && exit 0
  sleep 0.1
  tries=$((tries - 1))
done
for target in $kept; do kill -s KILL -- "$target"; done`;

const NOBODY: LastWill = { add: () => undefined, remove: () => undefined, revoke: () => undefined };

export function writeLastWill(): LastWill {
  if (process.platform === "win32") return NOBODY;
  // A session of its own: neither ctrl+c nor the end of the terminal is meant for it.
  const child: ChildProcess = spawn("sh", ["-c", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    cwd: "/",
    detached: true,
  });
  // A machine without a shell has no last will, and nothing else is different.
  child.on("error", () => undefined);
  child.stdin?.on("error", () => undefined);
  child.unref();
  (child.stdin as { unref?: () => void } | null)?.unref?.();
  const tell = (words: string) => void child.stdin?.write(`${words}\n`);
  return {
    add: (target) => tell(`add ${target}`),
    remove: (target) => tell(`remove ${target}`),
    revoke: () => void child.stdin?.end("farewell\n"),
  };
}
