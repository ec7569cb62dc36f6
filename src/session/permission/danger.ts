// What is dangerous about a call, in words for the user who has to decide. No words, no danger; the words are also
// how a rule is recognised that means exactly this danger.
import { guardedNames } from "../sandbox/home-folders.js";
import { commandsIn, type LooseCommand } from "./loose-commands.js";
import type { PermissionRequest } from "./request.js";
import { looksSecret } from "./secret-files.js";

type PathAccess = Pick<PermissionRequest, "access" | "reach"> & { readonly path: PermissionRequest["subject"] };

export function dangerOfPath({ access, path, reach }: PathAccess): string | null {
  const dangers: string[] = [];
  if (access === "write" && reach === "outside") dangers.push("it writes outside the workspace");
  if (looksSecret(path)) dangers.push("it looks like a secret");
  if (access === "write" && GIT_FILES.test(path)) dangers.push(CHANGES_GIT);
  if (access === "write") dangers.push(...dangersOfStartFiles(path));
  return dangers.length === 0 ? null : dangers.join("; ");
}

// Files whose contents are run later without a question: by a shell at its start, by an editor, by another agent.
function dangersOfStartFiles(path: string): string[] {
  if (SHELL_START.test(path)) return ["it changes what a shell runs when it starts"];
  return RUN_UNASKED.test(path) || isGuarded(path) ? ["it changes commands that other programs run automatically"] : [];
}

const SHELL_START =
  /(?:^|\/)(?:\.(?:ba|z|k|c|tc)?shrc|\.(?:bash_|z)?profile|\.bash_(?:login|logout|aliases)|\.z(?:shenv|login|logout)|config\.fish|fish\/conf\.d\/[^/]*|etc\/profile(?:\.d\/[^/]*)?)$/i;
const RUN_UNASKED =
  /(?:^|\/)(?:\.config\/(?:autostart|systemd)\/.|launch(?:agents|daemons)\/.|etc\/(?:cron|systemd|init\.d)|crontabs?\/.)/i;

// The same names that the sandbox keeps read-only, at any depth; the files of a bare repository only in the workspace itself.
// A folder with a HEAD can be a bare repository, which has settings of its own.
const guarded: ReadonlySet<string> = new Set([...guardedNames, "HEAD"].map((name) => name.toLowerCase()));

function isGuarded(path: string): boolean {
  const parts = path.toLowerCase().split("/");
  return parts.some(
    (part, at) => guarded.has(part) && part !== ".git" && (part !== "head" || (at === 0 && parts.length === 1)),
  );
}

/** `folder` is the workspace; without it every absolute path counts as outside. */
export function dangerOfCommand(command: string, { folder }: { folder?: string } = {}): string | null {
  const commands = commandsIn(command);
  const found = new Set(WHOLE.filter(({ pattern }) => pattern.test(command)).map(({ danger }) => danger));
  commands.forEach((each, index) => {
    for (const danger of dangersOf(each, folder)) found.add(danger);
    const isFed = each.joint === "pipe" && SHELLS.has(each.name) && each.args.every((arg) => arg.startsWith("-"));
    if (isFed) {
      const source = commands.slice(0, index).some(({ name }) => DOWNLOADERS.has(name));
      found.add(source ? "it runs a script from the network" : "it runs what another command prints");
    }
  });
  return found.size === 0 ? null : [...found].join("; ");
}

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "node", "perl", "ruby"]);
const DOWNLOADERS = new Set(["curl", "wget", "fetch", "http", "https"]);

const WHOLE: readonly { readonly pattern: RegExp; readonly danger: string }[] = [
  { pattern: /:\s*\(\s*\)\s*\{[^}]{0,200}:\s*\|\s*:/, danger: "it starts copies of itself until the machine stops" },
  { pattern: />\s*\/dev\/(?:sd|hd|vd|nvme|mmcblk|disk|mem)/, danger: "it overwrites a disk" },
  {
    pattern: /<\(\s*(?:curl|wget)\b|\$\(\s*(?:curl|wget)\b|`\s*(?:curl|wget)\b/,
    danger: "it runs a script from the network",
  },
];

function dangersOf(command: LooseCommand, folder: string | undefined): string[] {
  const known = dangerousCommands(command.name);
  const dangers = known.filter(({ when }) => when(command.args)).map(({ danger }) => danger);
  if (writtenPaths(command).some((path) => isOutside(path, folder))) dangers.push("it writes outside the workspace");
  const files = [...command.args, ...command.writes, ...command.reads].flatMap((arg) => arg.split(/[=:,]/));
  if (files.some(looksSecret)) dangers.push("it touches what looks like a secret");
  const mayWrite = !READERS.has(command.name) || command.writes.length > 0;
  if (mayWrite && files.some((file) => GIT_FILES.test(file.replace(/^-\w/, "")))) dangers.push(CHANGES_GIT);
  return dangers;
}

const GIT_FILES = /(?:^|\/)\.git(?:\/|$)/i;
const CHANGES_GIT = "it changes git's own files, which can run commands";
const READERS = new Set("cat ls head tail grep rg find wc stat file diff du tree less git echo".split(" "));

const WRITERS = new Set(["tee", "cp", "mv", "ln", "install", "mkdir", "touch", "rm", "rmdir", "chmod", "chown", "sed"]);

function writtenPaths({ name, args, writes }: LooseCommand): string[] {
  const operands = args.filter((arg) => !arg.startsWith("-"));
  if (name === "cp" || name === "ln" || name === "install") return [...writes, ...operands.slice(-1)];
  const writesInPlace = name !== "sed" || args.some((arg) => /^-\w*i|^--in-place/.test(arg));
  return WRITERS.has(name) && writesInPlace ? [...writes, ...operands] : [...writes];
}

/** Whether a path, read without following links, leads out of the workspace. */
export function isOutside(path: string, folder: string | undefined): boolean {
  if (/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d)$/.test(path) || /^&?\d$/.test(path)) return false;
  if (path.startsWith("~") || /^\$\{?HOME\b/.test(path)) return true;
  if (path.startsWith("/"))
    return folder === undefined || !`${path}/`.startsWith(`${folder}/`) || `${path}/`.includes("/../");
  return climbs(path);
}

function climbs(path: string): boolean {
  let depth = 0;
  for (const name of path.split("/")) {
    if (name === "..") depth--;
    else if (name !== "." && name !== "") depth++;
    if (depth < 0) return true;
  }
  return false;
}

// The commands a user should look at twice, as a table: which, with which arguments, and what to say about them.
// Too many entries cost a question, one too few costs work.

type Args = readonly string[];

type DangerousCommand = {
  readonly names: string;
  readonly danger: string;
  /** Whether these arguments are the dangerous ones. */
  readonly when: (args: Args) => boolean;
};

function row(names: string, danger: string, when: DangerousCommand["when"] = () => true): DangerousCommand {
  return { names, danger, when };
}

// A table of data: the first rows are the worst.
const DANGEROUS_COMMANDS: readonly DangerousCommand[] = [
  row("mkfs wipefs fdisk parted sgdisk", "it formats or repartitions a disk"),
  row("dd", "it writes raw blocks (dd)", (args) => args.some((arg) => arg.startsWith("of="))),
  row("rm", "it deletes folders recursively (rm -r)", flag("r", "R", "recursive")),
  row("rm unlink shred", "it deletes files", (args) => !flag("r", "R", "recursive")(args)),
  row("find fd", "it deletes files", word("-delete")),
  row("find fd", "it runs a command on every file found", word("-exec", "-execdir", "-ok", "-x", "-X")),
  row("truncate", "it empties files"),
  row("rsync", "it deletes files", prefix("--delete")),
  row("sudo doas su pkexec run0", "it runs as another user (sudo)"),
  row("chmod chown chgrp", "it changes permissions of whole folders", flag("R", "recursive")),
  row("chmod", "it makes files writable for all users", (args) => args.some((arg) => /^0?777$|^[ao]\+\w*w/.test(arg))),
  row("git", "it overwrites history on a remote (git push --force)", git("push", forcesPush)),
  row(
    "git",
    "it publishes commits (git push)",
    git("push", (args) => !forcesPush(args)),
  ),
  row("git", "it discards uncommitted changes", discardsWork),
  row("git", "it rewrites history", (args) => /^filter-(?:branch|repo)$/.test(subcommand(args))),
  row("git", "it changes how git itself works", (args) => subcommand(args) === "config" || args.includes("-c")),
  row(
    "git",
    "it makes git write a file or run a program",
    prefix("--output", "--ext-diff", "--textconv", "--exec", "--upload-pack", "--receive-pack", "--open-files", "-O"),
  ),
  row("git", "it reaches the network", (args) => /^(?:clone|fetch|pull|ls-remote|submodule)$/.test(subcommand(args))),
  row(
    "npm pnpm yarn cargo gem twine poetry uv",
    "it publishes a package",
    word("publish", "unpublish", "upload", "yank"),
  ),
  row(
    "npm pnpm yarn pip pip3 gem cargo go apt apt-get dnf brew apk",
    "it installs software",
    word("install", "i", "add", "ci", "get"),
  ),
  row("curl wget http https nc ncat netcat socat telnet ssh scp sftp ftp rsync", "it reaches the network"),
  row("shutdown reboot poweroff halt init", "it stops the machine"),
  row(
    "systemctl service launchctl",
    "it controls system services",
    (args) => !/^(?:status|list|is-|show)/.test(args[0] ?? ""),
  ),
  row("killall pkill", "it ends other programs by name"),
  row("kill", "it ends every program", word("-1")),
  row("crontab at launchd", "it schedules commands", (args) => !args.includes("-l")),
  row("eval", "it runs text that it builds"),
  row("env printenv set", "it prints the environment, which can hold secrets", (args) => args.length === 0),
  row(
    "docker podman",
    "it gives a container access to this machine",
    prefix("--privileged", "-v=/:", "/:/", "--pid=host"),
  ),
  row("docker podman", "it deletes containers, images or volumes", word("prune", "rm", "rmi")),
  row(
    "kubectl terraform tofu pulumi helm",
    "it changes running infrastructure",
    word("delete", "destroy", "apply", "uninstall", "up"),
  ),
  row("git", "it removes or moves branches, tags or worktrees", removesNames),
  row(
    "git",
    "it deletes files",
    git("rm", () => true),
  ),
  row("git", "it rewrites history", rewritesHistory),
  row(
    "git",
    "it changes how git itself works",
    git("remote", (args) => args.length > 1 && !args.includes("-v")),
  ),
  row(
    "mount umount swapoff swapon losetup chattr setfacl insmod modprobe rmmod sysctl iptables nft ufw",
    "it changes the system",
  ),
  row("useradd usermod userdel groupadd passwd chpasswd visudo chsh", "it changes accounts"),
  row("gpg gpg2 ssh-add ssh-keygen security pass op secret-tool", "it uses keys or passwords"),
  row("mail mailx sendmail mutt msmtp", "it sends mail"),
  row("gh glab aws gcloud az heroku fly flyctl vercel netlify wrangler", "it acts on a service under your name"),
  row("aria2c lftp rclone s3cmd dig nslookup host ping", "it reaches the network"),
  row("openssl", "it reaches the network", word("s_client", "s_server")),
  row("pacman zypper yum snap flatpak port pipx conda", "it installs software"),
  row("dropdb createdb pg_restore mysqladmin redis-cli", "it changes a database"),
  row("xdg-open open", "it opens another program"),
  row("kill", "it ends other programs", (args) => args.length > 0 && !args.includes("-l")),
];

const byName = new Map<string, DangerousCommand[]>();
for (const entry of DANGEROUS_COMMANDS) {
  for (const name of entry.names.split(" ")) byName.set(name, [...(byName.get(name) ?? []), entry]);
}

function dangerousCommands(name: string): readonly DangerousCommand[] {
  return byName.get(name.toLowerCase().replace(/^mkfs\..*/, "mkfs")) ?? [];
}

function flag(...flags: string[]): (args: Args) => boolean {
  const letters = flags.filter((each) => each.length === 1).join("");
  const short = new RegExp(`^-[A-Za-z]*[${letters}]`);
  return (args) => args.some((arg) => short.test(arg) || flags.includes(arg.replace(/^--/, "")));
}

function word(...words: string[]): (args: Args) => boolean {
  return (args) => args.some((arg) => words.includes(arg));
}

function prefix(...prefixes: string[]): (args: Args) => boolean {
  return (args) => args.some((arg) => prefixes.some((each) => arg.startsWith(each)));
}

function git(name: string, when: (args: Args) => boolean): (args: Args) => boolean {
  return (args) => subcommand(args) === name && when(args);
}

function forcesPush(args: Args): boolean {
  return args.some((arg) => /^-\w*f|^--force|^--mirror|^--delete|^\+|^:/.test(arg));
}

function discardsWork(args: Args): boolean {
  const name = subcommand(args);
  // git knows an option by any beginning of it.
  if (name === "reset") return args.some((arg) => /^--(?:h|me|k)/.test(arg));
  if (name === "clean") return flag("f", "force")(args);
  if (name === "restore") return !args.some((arg) => /^--staged$|^-S$/.test(arg)) || args.includes("-W");
  if (name === "checkout" || name === "switch")
    return args.some((arg) => /^(?:\.|--|-\w*[fBC]\w*|--[fdo]\w*)$/.test(arg));
  return name === "stash" && (args.includes("drop") || args.includes("clear"));
}

function removesNames(args: Args): boolean {
  const name = subcommand(args);
  if (name === "branch" || name === "tag") return args.some((arg) => /^-\w*[dDfmMcC]|^--(?:d|f|mo|cop|e)/.test(arg));
  if (name === "worktree") return args.some((arg) => /^(?:remove|prune|move)$/.test(arg));
  return name === "update-ref" || name === "replace" || name === "symbolic-ref";
}

function rewritesHistory(args: Args): boolean {
  const name = subcommand(args);
  if (name === "commit") return args.some((arg) => /^--am/.test(arg));
  if (name === "reflog") return args.includes("expire") || args.includes("delete");
  return name === "rebase" || (name === "gc" && args.some((arg) => arg.startsWith("--pr")));
}

/** The first word that is neither a flag nor the value of one that takes a value. */
function subcommand(args: Args): string {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "-C" || arg === "-c" || arg === "--git-dir" || arg === "--work-tree") at++;
    else if (!arg.startsWith("-")) return arg;
  }
  return "";
}
