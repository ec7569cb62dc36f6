// The arguments of bubblewrap for a policy. Later mounts cover earlier ones, so the order is part of the policy: the whole
// system read-only, then what is hidden, then what is shown again inside it, then what may be written, then what may not. A mount point cannot be renamed, which is all that pinned folders are for.
//
// No --new-session: whoever starts it gives it a session of its own without a terminal, and keeps its process group, so that
// SIGTERM still reaches the command.
import type { SandboxPolicy } from "./sandbox-policy.js";

/** The kernel asks for the number of root here, not for a right that root lost on the way in. */
const KERNEL_SWITCHES = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"];

/** Ends before the command: append "--", the program and its arguments. */
export function bwrapArguments(policy: SandboxPolicy, folder: string): string[] {
  const { hidden, replaced, visible, writable, pinned, guarded, forbidden, masked, empty, network } = policy;
  return [
    ["--ro-bind", "/", "/"],
    ["--dev", "/dev"],
    ["--proc", "/proc"],
    ...KERNEL_SWITCHES.map((path) => ["--ro-bind-try", path, path]),
    ...outermostFirst(hidden).map((path) => ["--tmpfs", path]),
    ...outermostFirst(replaced, ({ at }) => at).map(({ at, by }) => ["--bind", by, at]),
    ...outermostFirst(visible).map((path) => ["--ro-bind", path, path]),
    ...outermostFirst(writable).map((path) => ["--bind", path, path]),
    ...outermostFirst(pinned).map((path) => ["--bind", path, path]),
    ...outermostFirst(guarded).map((path) => ["--ro-bind", path, path]),
    ...forbidden.map((path) => ["--ro-bind", empty.folder, path]),
    ...masked.map(({ path, kind }) => ["--ro-bind", empty[kind], path]),
    ...hidden.map((path) => ["--remount-ro", path]),
    ["--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    network === "none" ? ["--unshare-net"] : [],
    ["--cap-drop", "ALL"],
    // Nothing outlives the command, also when this process is killed: the first process inside takes all others along.
    ["--die-with-parent"],
    ["--chdir", folder],
  ].flat();
}

function outermostFirst<T = string>(items: readonly T[], pathOf = (item: T) => String(item)): T[] {
  const depth = (item: T) => pathOf(item).split("/").length;
  return [...items].sort((a, b) => depth(a) - depth(b));
}
