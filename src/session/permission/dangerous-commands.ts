// The commands a person should look at twice, as a table: which, with which arguments, and what to say about them.
// Too many entries cost a question, one too few costs somebody's work.

export type DangerousCommand = {
  readonly names: string;
  readonly danger: string;
  /** Whether these arguments are the dangerous ones; without it, any are. */
  readonly when?: (args: readonly string[]) => boolean;
};

// A table of data: the first rows are the worst.
const DANGEROUS_COMMANDS: readonly DangerousCommand[] = [
  { names: "mkfs wipefs fdisk parted sgdisk", danger: "it formats or repartitions a disk" },
  { names: "dd", danger: "it writes raw blocks (dd)", when: (args) => args.some((arg) => arg.startsWith("of=")) },
  { names: "rm", danger: "it deletes folders with all that is in them (rm -r)", when: flag("r", "R", "recursive") },
  { names: "rm unlink shred", danger: "it deletes files", when: (args) => !flag("r", "R", "recursive")(args) },
  { names: "find fd", danger: "it deletes files", when: word("-delete") },
  {
    names: "find fd",
    danger: "it runs a command on every file found",
    when: word("-exec", "-execdir", "-ok", "-x", "-X"),
  },
  { names: "truncate", danger: "it empties files" },
  { names: "rsync", danger: "it deletes files", when: prefix("--delete") },
  { names: "sudo doas su pkexec run0", danger: "it runs with other rights (sudo)" },
  { names: "chmod chown chgrp", danger: "it changes rights of whole folders", when: flag("R", "recursive") },
  {
    names: "chmod",
    danger: "it lets everybody write",
    when: (args) => args.some((arg) => /^0?777$|^[ao]\+\w*w/.test(arg)),
  },
  { names: "git", danger: "it overwrites history on a remote (git push --force)", when: git("push", forcesPush) },
  { names: "git", danger: "it publishes commits (git push)", when: git("push", (args) => !forcesPush(args)) },
  { names: "git", danger: "it throws away changes that are not committed", when: discardsWork },
  { names: "git", danger: "it rewrites history", when: (args) => /^filter-(?:branch|repo)$/.test(subcommand(args)) },
  {
    names: "git",
    danger: "it changes how git itself works",
    when: (args) => subcommand(args) === "config" || args.includes("-c"),
  },
  {
    names: "git",
    danger: "it makes git write a file or run a program",
    when: prefix(
      "--output",
      "--ext-diff",
      "--textconv",
      "--exec",
      "--upload-pack",
      "--receive-pack",
      "--open-files",
      "-O",
    ),
  },
  {
    names: "git",
    danger: "it reaches the network",
    when: (args) => /^(?:clone|fetch|pull|ls-remote|submodule)$/.test(subcommand(args)),
  },
  {
    names: "npm pnpm yarn cargo gem twine poetry uv",
    danger: "it publishes a package",
    when: word("publish", "unpublish", "upload", "yank"),
  },
  {
    names: "npm pnpm yarn pip pip3 gem cargo go apt apt-get dnf brew apk",
    danger: "it installs software",
    when: word("install", "i", "add", "ci", "get"),
  },
  {
    names: "curl wget http https nc ncat netcat socat telnet ssh scp sftp ftp rsync",
    danger: "it reaches the network",
  },
  { names: "shutdown reboot poweroff halt init", danger: "it stops the machine" },
  {
    names: "systemctl service launchctl",
    danger: "it controls system services",
    when: (args) => !/^(?:status|list|is-|show)/.test(args[0] ?? ""),
  },
  { names: "killall pkill", danger: "it ends other programs by name" },
  { names: "kill", danger: "it ends every program", when: word("-1") },
  { names: "crontab at launchd", danger: "it plans commands for later", when: (args) => !args.includes("-l") },
  { names: "eval", danger: "it runs text that it puts together" },
  {
    names: "env printenv set",
    danger: "it prints the environment, which can hold secrets",
    when: (args) => args.length === 0,
  },
  {
    names: "docker podman",
    danger: "it gives a container rights over this machine",
    when: prefix("--privileged", "-v=/:", "/:/", "--pid=host"),
  },
  { names: "docker podman", danger: "it deletes containers, images or volumes", when: word("prune", "rm", "rmi") },
  {
    names: "kubectl terraform tofu pulumi helm",
    danger: "it changes running infrastructure",
    when: word("delete", "destroy", "apply", "uninstall", "up"),
  },
  { names: "git", danger: "it removes or moves branches, tags or worktrees", when: removesNames },
  { names: "git", danger: "it deletes files", when: git("rm", () => true) },
  { names: "git", danger: "it rewrites history", when: rewritesHistory },
  {
    names: "git",
    danger: "it changes how git itself works",
    when: git("remote", (args) => args.length > 1 && !args.includes("-v")),
  },
  {
    names: "mount umount swapoff swapon losetup chattr setfacl insmod modprobe rmmod sysctl iptables nft ufw",
    danger: "it changes the system",
  },
  { names: "useradd usermod userdel groupadd passwd chpasswd visudo chsh", danger: "it changes accounts" },
  { names: "gpg gpg2 ssh-add ssh-keygen security pass op secret-tool", danger: "it uses keys or passwords" },
  { names: "mail mailx sendmail mutt msmtp", danger: "it sends mail" },
  {
    names: "gh glab aws gcloud az heroku fly flyctl vercel netlify wrangler",
    danger: "it acts on a service under your name",
  },
  { names: "aria2c lftp rclone s3cmd dig nslookup host ping", danger: "it reaches the network" },
  { names: "openssl", danger: "it reaches the network", when: word("s_client", "s_server") },
  { names: "pacman zypper yum snap flatpak port pipx conda", danger: "it installs software" },
  { names: "dropdb createdb pg_restore mysqladmin redis-cli", danger: "it changes a database" },
  { names: "xdg-open open", danger: "it opens another program" },
  { names: "kill", danger: "it ends other programs", when: (args) => args.length > 0 && !args.includes("-l") },
];

const byName = new Map<string, DangerousCommand[]>();
for (const entry of DANGEROUS_COMMANDS) {
  for (const name of entry.names.split(" ")) byName.set(name, [...(byName.get(name) ?? []), entry]);
}

export function dangerousCommands(name: string): readonly DangerousCommand[] {
  return byName.get(name.toLowerCase().replace(/^mkfs\..*/, "mkfs")) ?? [];
}

function flag(...flags: string[]): (args: readonly string[]) => boolean {
  const letters = flags.filter((each) => each.length === 1).join("");
  const short = new RegExp(`^-[A-Za-z]*[${letters}]`);
  return (args) => args.some((arg) => short.test(arg) || flags.includes(arg.replace(/^--/, "")));
}

function word(...words: string[]): (args: readonly string[]) => boolean {
  return (args) => args.some((arg) => words.includes(arg));
}

function prefix(...prefixes: string[]): (args: readonly string[]) => boolean {
  return (args) => args.some((arg) => prefixes.some((each) => arg.startsWith(each)));
}

function git(name: string, when: (args: readonly string[]) => boolean): (args: readonly string[]) => boolean {
  return (args) => subcommand(args) === name && when(args);
}

function forcesPush(args: readonly string[]): boolean {
  return args.some((arg) => /^-\w*f|^--force|^--mirror|^--delete|^\+|^:/.test(arg));
}

function discardsWork(args: readonly string[]): boolean {
  const name = subcommand(args);
  // git knows an option by any beginning of it.
  if (name === "reset") return args.some((arg) => /^--(?:h|me|k)/.test(arg));
  if (name === "clean") return flag("f", "force")(args);
  if (name === "restore") return !args.some((arg) => /^--staged$|^-S$/.test(arg)) || args.includes("-W");
  if (name === "checkout" || name === "switch")
    return args.some((arg) => /^(?:\.|--|-\w*[fBC]\w*|--[fdo]\w*)$/.test(arg));
  return name === "stash" && (args.includes("drop") || args.includes("clear"));
}

function removesNames(args: readonly string[]): boolean {
  const name = subcommand(args);
  if (name === "branch" || name === "tag") return args.some((arg) => /^-\w*[dDfmMcC]|^--(?:d|f|mo|cop|e)/.test(arg));
  if (name === "worktree") return args.some((arg) => /^(?:remove|prune|move)$/.test(arg));
  return name === "update-ref" || name === "replace" || name === "symbolic-ref";
}

function rewritesHistory(args: readonly string[]): boolean {
  const name = subcommand(args);
  if (name === "commit") return args.some((arg) => /^--am/.test(arg));
  if (name === "reflog") return args.includes("expire") || args.includes("delete");
  return name === "rebase" || (name === "gc" && args.some((arg) => arg.startsWith("--pr")));
}

/** The first word that is neither a flag nor the value of one that takes a value. */
function subcommand(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "-C" || arg === "-c" || arg === "--git-dir" || arg === "--work-tree") at++;
    else if (!arg.startsWith("-")) return arg;
  }
  return "";
}
