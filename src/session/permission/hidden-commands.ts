// Commands that run what stands in their arguments, as a table. A rule that allows a command says nothing about a second
// one inside of it, so no rule but the exact text covers the first kind. The second kind is covered only by a rule whose
// own words already have it: `make -C lib:*` covers `make -C lib all`, and `make:*` does not.
//
//   timeout 9 rm x      never    a wrapper            npm --prefix evil test   named   other folders, files and shells
//   python -c 'code'    never    an interpreter       npx left-pad             named   a package from the network
//
// The table is a help and not a proof: most programs can be made to run others. The sandbox is the wall.

export type HiddenCommand = { readonly covered: "never" | "named"; readonly why: string };

type Args = readonly string[];

type Row = HiddenCommand & {
  readonly names: string;
  /** Whether these arguments are such ones. */
  readonly when: (args: Args) => boolean;
};

function row(names: string, covered: HiddenCommand["covered"], why: string, when: Row["when"] = () => true): Row {
  return { names, covered, why, when };
}

/** Words before which a command begins: each of them runs the command in its arguments. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  (
    "sudo doas run0 pkexec su runuser env command builtin exec nohup nice ionice chrt taskset numactl time timeout " +
    "stdbuf unbuffer setsid setarch linux32 linux64 xargs parallel watch entr strace ltrace gdb valgrind perf busybox " +
    "toybox coreutils chroot unshare nsenter bwrap firejail proot flock script systemd-run start-stop-daemon daemonize " +
    "dbus-run-session xvfb-run fakeroot eatmydata cpulimit prlimit run-parts rlwrap ssh-agent direnv hyperfine setpriv capsh " +
    "caffeinate script tmux screen at batch nix-shell pipenv poetry conda mamba " +
    "then do else elif if while until for case select function coproc ! { }"
  ).split(" "),
);

/** What the shell itself has for running text, or for changing what later words mean. */
const EVALUATING =
  "eval source . trap alias unalias hash enable export declare typeset local readonly set unset shopt let read " +
  "mapfile readarray bind complete compgen fc history jobs getopts [[ (( fi done esac in";

/** The shell's other commands that have arguments, but for echo, which only prints them. */
const BUILTINS =
  "printf bg break caller cd continue dirs disown exit fg help kill logout popd pushd return shift suspend type ulimit umask";

const SHELLS = "sh bash rbash zsh dash ash ksh mksh fish csh tcsh pwsh powershell cmd";
const LANGUAGES =
  "python python2 python3 pypy pypy3 tsx ts-node deno bun perl ruby php lua luajit tclsh expect osascript r " +
  "rscript julia groovy jshell guile sbcl clisp ghc ghci runghc scala erl elixir iex irb ipython swift gjs qjs";
const EDITORS = "vi vim nvim view ex ed emacs nano pico joe less more most man info mc ranger";

// A table of data.
const ROWS: readonly Row[] = [
  row([...WRAPPERS].join(" "), "never", "it runs the command in its arguments"),
  row(EVALUATING, "never", "it changes what the shell does, or runs text"),
  // Where bash takes a word for the name of a variable, it runs what stands in a subscript: a[$(rm x)].
  row("wait", "never", "it can run text", (args) => args.length > 0),
  row("test [", "never", "it can run text", has(/^-[vR]|[[$`]/)),
  row("printf", "never", "it can run text", has(/^-/)),
  row(BUILTINS, "never", "it can run text", has(/[[$`]/)),
  row("python python3 pypy3", "named", "it runs a module (-m)", (args) => args[0] === "-m"),
  row("node nodejs", "never", "it runs code from its arguments or its input", runsNodeCode),
  row(`${SHELLS} ${LANGUAGES}`, "never", "it runs code from its arguments or its input", runsCode),
  row(EDITORS, "never", "it can run commands"),
  row("awk gawk mawk nawk", "never", "it runs a script of its own", (args) => !isPlainAwk(args)),
  row("sed gsed", "never", "it runs a script of its own", (args) => !isPlainSed(args)),
  row("find gfind", "never", "it runs or writes", has(/^-(?:exec|ok|delete|fprint|fls)/)),
  row("fd fdfind", "never", "it runs commands", has(/^-\w*[xX]|^--exec/)),
  row("rg", "never", "it runs a program on files", has(/^--(?:pre|hostname-bin)/)),
  row(
    "tar gtar bsdtar",
    "never",
    "it runs a program",
    (args) => has(/^--(?:to|ch|us|rs|in|ne|rm)|^-\w*[IF]/)(args) || /^\w*[IF]/.test(args[0] ?? ""),
  ),
  row("zip", "never", "it runs a program", has(/^-\w*T|^--(?:unzip|test)/)),
  row("sort split", "never", "it runs a program or writes", has(/^--[cfo]|^-\w*o/)),
  row("date hostname", "never", "it changes the system", has(/^-\w*s|^--s|^[^-+]/)),
  row("gcc g++ cc c++ clang", "never", "it runs a program", has(/^-wrapper|^-B|^-fplugin|^@/)),
  row("install", "never", "it runs a program", has(/^--strip-p/)),
  row("ld.so", "never", "it runs the program in its arguments"),
  row("crontab sqlite3 psql mysql mariadb mongosh redis-cli gh", "never", "it can run commands"),
  row("go", "named", "it runs another program", has(/^-?-(?:exec|toolexec|vettool|overlay)|^run$/)),
  row("cargo", "named", "its configuration runs programs", has(/^--(?:conf|man|target-d)|^-C|^\+/)),
  row("make gmake", "named", "other files or variables decide what runs", changesMake),
  row("npm pnpm yarn", "named", "other folders, shells or packages decide what runs", changesNpm),
  row("npx pnpx bunx uvx pipx", "named", "it can download a package and run it"),
  row("uv bundle rbenv pyenv nvm fnm volta mise asdf rustup", "named", "it runs another program"),
  row("docker podman kubectl nerdctl", "named", "it runs a program", has(/^(?:run|exec|debug)$/)),
  row("git", "named", "it works elsewhere, or makes git run a program", changesGit),
];

const byName = new Map<string, Row[]>();
for (const row of ROWS) {
  for (const name of new Set(row.names.split(" "))) byName.set(name, [...(byName.get(name) ?? []), row]);
}

/** What the words of one simple command would run beyond the command itself, or null when nothing of that kind is known. */
export function hiddenCommand([first = "", ...args]: readonly string[]): HiddenCommand | null {
  return (byName.get(plainName(first)) ?? []).find(({ when }) => when(args)) ?? null;
}

// Some file systems do not tell ENV from env; python3.12 is python3.
function plainName(first: string): string {
  const name = (first.split("/").at(-1) ?? first).toLowerCase();
  if (/^ld(?:-linux[\w.-]*|-musl[\w.-]*)?\.so/.test(name)) return "ld.so";
  return name.replace(/\.exe$/, "").replace(/^(python3?|pypy3?|perl|ruby|php|lua|node|tclsh)[\d.-]+$/, "$1");
}

function has(pattern: RegExp): (args: Args) => boolean {
  return (args) => args.some((arg) => pattern.test(arg));
}

const CODE_WORDS = new Set(["eval", "repl", "x", "exec", "dlx", "create", "compile", "install"]);

/** An interpreter that is asked for nothing else prints its version or its help, and ends. */
const ABOUT_ITSELF = /^--(?:version|help)$/;

function runsCode([first = "", ...rest]: Args): boolean {
  if (ABOUT_ITSELF.test(first) && rest.length === 0) return false;
  return /^(?:-|\/dev\/|\/proc\/|$)/.test(first) || CODE_WORDS.has(first);
}

function runsNodeCode([first = "", ...rest]: Args): boolean {
  if (first === "--test") return has(/^-/)(rest);
  return first === "inspect" || runsCode([first, ...rest]);
}

function isPlainAwk(args: Args): boolean {
  const [script = "", ...files] = /^-F./.test(args[0] ?? "") ? args.slice(1) : args;
  return /^ *\{ *print(?: *\$\w+,?)* *\} *$/.test(script) && files.every((file) => /^[^-=]+$/.test(file));
}

const SED_LINES = /^(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq]$/;
const SED_REPLACEMENT = /^s([/|,#])(?:(?!\1)[^\n\\])*\1(?:(?!\1)[^\n\\])*\1[gIp\d]*$/;

function isPlainSed(args: Args): boolean {
  const flags = args.filter((arg) => arg.startsWith("-"));
  const [script = ""] = args.filter((arg) => !arg.startsWith("-"));
  return (
    flags.every((arg) => /^-(?:[nErsz]+|i)$/.test(arg)) && (SED_LINES.test(script) || SED_REPLACEMENT.test(script))
  );
}

const MAKE_FLAG = /^(?:-[knsqB]+|-j\d*|--(?:silent|quiet|keep-going|dry-run|always-make|no-print-directory))$/;

function changesMake(args: Args): boolean {
  return args.some((arg) => (arg.startsWith("-") ? !MAKE_FLAG.test(arg) : arg.includes("=")));
}

const NPM_FLAG = /^(?:-s|-ws|-w|--(?:silent|workspaces|if-present|json|long|all|depth=\d+|workspace=[\w@/.-]+))$/;
const NPM_RUNNERS = /^(?:exec|x|dlx|create|init|innit|explore|config|c|set|pkg|edit|link|ln|rebuild|rb|node|cache)$/;

// Behind -- stands what the script gets. npm knows its options by any beginning, so only the known ones are let pass.
function changesNpm(args: Args): boolean {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const [name = ""] = own.filter((arg) => !arg.startsWith("-"));
  return NPM_RUNNERS.test(name) || own.some((arg) => arg.startsWith("-") && !NPM_FLAG.test(arg));
}

const GIT_RUNNERS =
  /^(?:bisect|submodule|filter-branch|filter-repo|difftool|mergetool|for-each-repo|hook|instaweb|daemon|send-email|credential|gui|citool|web--browse|cvsexportcommit|archive|bundle|fast-export|format-patch|maintenance|svn|p4|lfs)$/;

function changesGit(args: Args): boolean {
  const [first = ""] = args;
  if (first.startsWith("-") && !/^--(?:no-pager|version|help|no-optional-locks)$/.test(first)) return true;
  const [name = ""] = args.filter((arg) => !arg.startsWith("-"));
  if (GIT_RUNNERS.test(name)) return true;
  if (name === "rebase" && has(/^-\w*[xi]|^--(?:ex|in)/)(args)) return true;
  return has(/^--(?:ou|ext|exe|textc|up|rec|open|temp|git-|work-|super|conf|no-index)|^-O/)(args);
}

/** Arguments by which programs are commonly made to run or write something else; a rule has to have them in its own words. */
const ARGUMENT_TRICKS: readonly RegExp[] = [
  /^[A-Za-z_]\w*[+:?!]?=/,
  /^-[CceEfor](?!$|[a-z])|^-[CceEfor]$/,
  /^-?-(?:exec|toolexec|vettool|overlay|modfile|eval)/,
  /^--(?:pre(?:f|s)|cwd|dir|chdir|root|script|shell|conf|rc|file|make|out|plug|req|import|load|experimental-l|set|global|resolv)/,
  /^--(?:runner|transform|env|test-?runner|test-?environment|node-?opt|rules|parser|target-d|manifest|init|proj|build-d)/,
  /^--(?:pager|editor|hook|ext-d|textc|upload-p|receive-p|open-f|templ|log-f|write|workdir|user-?conf|reporter|formatter)/,
];

/** Whether one of these arguments is known for making programs run or write something else. */
export function hasArgumentTrick(args: Args): boolean {
  return args.some((arg) => ARGUMENT_TRICKS.some((pattern) => pattern.test(arg)));
}
