// The profile for macOS' sandbox-exec of a policy. The last rule that matches counts, so the order is that of the mounts on
// Linux. Nothing can be put in place of another there: what is hidden cannot be read, and the private folders are reached
// through HOME and TMPDIR. Whatever is not allowed is denied, in particular the services that start programs elsewhere.
import type { SandboxPolicy } from "./sandbox-policy.js";

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
