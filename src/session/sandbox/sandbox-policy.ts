// What a process in the sandbox sees, as data. Everything that is not named here is there and read-only. The two builders
// beside this file turn it into the arguments of bubblewrap and into a profile for macOS; nothing here touches the disk.

export type SandboxPolicy = {
  /** Where it may write; real paths. The workspace comes first. */
  readonly writable: readonly string[];
  /** Folders in whose place it sees an empty one that cannot be written: homes, sockets, drives. */
  readonly hidden: readonly string[];
  /** Folders in whose place it sees a private one of ours that lasts as long as the session: its home and /tmp. */
  readonly replaced: readonly { readonly at: string; readonly by: string }[];
  /** Files and folders below those two that it may read. */
  readonly visible: readonly string[];
  /**
   * Folders on the way to what is guarded or masked in the workspace. They can be written, and cannot be renamed: with a
   * folder of another name the next command would find what is in it unprotected.
   */
  readonly pinned: readonly string[];
  /** Below the workspace, and read-only all the same: they run code outside the sandbox later. */
  readonly guarded: readonly string[];
  /** Paths that must not come into being, for the same reason. */
  readonly forbidden: readonly string[];
  /** Files and folders that look empty: secrets, and sockets of other programs. */
  readonly masked: readonly { readonly path: string; readonly kind: "file" | "folder" }[];
  /** An empty file and an empty folder, to put over others. */
  readonly empty: { readonly file: string; readonly folder: string };
  readonly network: "none" | "shared";
};

// The arguments of bubblewrap for a policy. Later mounts cover earlier ones, so the order is part of the policy: the whole
// system read-only, then what is hidden, then what is shown again inside it, then what may be written, then what may not. A mount point cannot be renamed, which is all that pinned folders are for.
//
// No --new-session: its starter gives it a session of its own without a terminal, and keeps its process group, so that
// SIGTERM still reaches the command.
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

// The profile for macOS' sandbox-exec of a policy. The last rule that matches counts, so the order is that of the mounts on
// Linux. Nothing can be put in place of another there: what is hidden cannot be read, and the private folders are reached
// through HOME and TMPDIR. Whatever is not allowed is denied, in particular the services that start programs elsewhere.
const SYSTEM = [
  "(version 1)",
  "(deny default)",
  "(allow process-exec process-fork)",
  "(allow process-info* signal (target same-sandbox))",
  "(allow sysctl-read)",
  "(allow file-read* file-test-existence)",
  "(allow file-ioctl)",
  "(allow ipc-posix-sem ipc-posix-shm)",
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.membership"))',
  '(allow mach-lookup (global-name "com.apple.logd") (global-name "com.apple.system.logger"))',
  '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))',
];
const NETWORK = [
  "(allow network*)",
  "(allow system-socket)",
  '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd"))',
  '(allow mach-lookup (global-name "com.apple.trustd.agent") (global-name "com.apple.SecurityServer"))',
];

export function seatbeltProfile(policy: SandboxPolicy): string {
  const { hidden, replaced, visible, writable, guarded, forbidden, pinned, masked, network } = policy;
  const privates = replaced.map(({ by }) => by);
  return [
    ...SYSTEM,
    ...rule("deny file-read*", [...hidden, ...replaced.map(({ at }) => at)]),
    // The way to what is shown leads through what is hidden: names on it can be looked up, and nothing else.
    ...rule("allow file-read-metadata", [...hidden, ...replaced.map(({ at }) => at)]),
    ...rule("allow file-read*", [...visible, ...privates, ...writable]),
    ...rule("allow file-write*", [...privates, ...writable]),
    ...rule("deny file-write*", [...guarded, ...forbidden]),
    ...pinned.map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...rule(
      "deny file-read* file-write*",
      masked.map(({ path }) => path),
    ),
    ...(network === "shared" ? NETWORK : []),
  ].join("\n");
}

function rule(head: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`(${head} ${paths.map((path) => `(subpath ${quoted(path)})`).join(" ")})`];
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}

// Which hosts commands in the sandbox may reach: names exactly as the user writes them.
//
//   registry.npmjs.org     this host, ports 80 and 443          *.example.org   every host below it, not itself
//   localhost:5432         this host, this port
const WEB_PORTS = new Set([80, 443]);

export function isGranted(hosts: readonly string[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return hosts.some((written) => {
    const [, wanted = "", at] = /^(.*?)(?::(\d+))?$/.exec(written.trim().toLowerCase()) ?? [];
    const isPort = at === undefined ? WEB_PORTS.has(port) : Number(at) === port;
    return isPort && wanted !== "" && (wanted.startsWith("*.") ? isBelow(name, wanted.slice(1)) : name === wanted);
  });
}

function isBelow(name: string, end: string): boolean {
  return name.endsWith(end) && name.length > end.length;
}

/** Addresses of this machine, and of the link it is on, where clouds hand out keys. */
export function isOwnAddress(address: string): boolean {
  return /^(?:0\.|127\.|169\.254\.|::1?$|fe[89ab])/.test(address.toLowerCase().replace(/^::ffff:/, ""));
}
