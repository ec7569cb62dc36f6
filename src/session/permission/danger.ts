// What is dangerous about a call, in words for the user who has to decide. No words, no danger; the words are also
// how a rule is recognised that means exactly this danger.
import { guardedNames } from "../sandbox/home-folders.js";
import { dangerousCommands } from "./dangerous-commands.js";
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
