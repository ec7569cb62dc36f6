// Commands that run what stands in their arguments, as a table. A rule that allows a command says nothing about a second
// one inside of it, so no rule but the exact text covers the first kind. The second kind is covered only by a rule whose
// own words already have it: `make -C lib:*` covers `make -C lib all`, and `make:*` does not.
//
//   timeout 9 rm x      never    a wrapper            npm --prefix evil test   named   other folders, files and shells
//   python -c 'code'    never    an interpreter       npx left-pad             named   a package from the network
//
// The table is a help and not a proof: most programs can be made to run others. The sandbox is the wall.

export type HiddenCommand = { readonly covered: "never" | "named"; readonly why: string };

type Row = HiddenCommand & {
  readonly names: string;
  /** Whether these arguments are such ones; without it, any are. */
  readonly when?: (args: readonly string[]) => boolean;
};

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
  { names: [...WRAPPERS].join(" "), covered: "never", why: "it runs the command in its arguments" },
  { names: EVALUATING, covered: "never", why: "it changes what the shell does, or runs text" },
  // Where bash takes a word for the name of a variable, it runs what stands in a subscript: a[$(rm x)].
  { names: "wait", covered: "never", why: "it can run text", when: (args) => args.length > 0 },
  { names: "test [", covered: "never", why: "it can run text", when: has(/^-[vR]|[[$`]/) },
  { names: "printf", covered: "never", why: "it can run text", when: has(/^-/) },
  { names: BUILTINS, covered: "never", why: "it can run text", when: has(/[[$`]/) },
  { names: "python python3 pypy3", covered: "named", why: "it runs a module (-m)", when: (args) => args[0] === "-m" },
  { names: "node nodejs", covered: "never", why: "it runs code from its arguments or its input", when: runsNodeCode },
  {
    names: `${SHELLS} ${LANGUAGES}`,
    covered: "never",
    why: "it runs code from its arguments or its input",
    when: runsCode,
  },
  { names: EDITORS, covered: "never", why: "it can run commands" },
  {
    names: "awk gawk mawk nawk",
    covered: "never",
    why: "it runs a script of its own",
    when: (args) => !isPlainAwk(args),
  },
  { names: "sed gsed", covered: "never", why: "it runs a script of its own", when: (args) => !isPlainSed(args) },
  { names: "find gfind", covered: "never", why: "it runs or writes", when: has(/^-(?:exec|ok|delete|fprint|fls)/) },
  { names: "fd fdfind", covered: "never", why: "it runs commands", when: has(/^-\w*[xX]|^--exec/) },
  { names: "rg", covered: "never", why: "it runs a program on files", when: has(/^--(?:pre|hostname-bin)/) },
  {
    names: "tar gtar bsdtar",
    covered: "never",
    why: "it runs a program",
    when: (args) => has(/^--(?:to|ch|us|rs|in|ne|rm)|^-\w*[IF]/)(args) || /^\w*[IF]/.test(args[0] ?? ""),
  },
  { names: "zip", covered: "never", why: "it runs a program", when: has(/^-\w*T|^--(?:unzip|test)/) },
  { names: "sort split", covered: "never", why: "it runs a program or writes", when: has(/^--[cfo]|^-\w*o/) },
  { names: "date hostname", covered: "never", why: "it changes the system", when: has(/^-\w*s|^--s|^[^-+]/) },
  {
    names: "gcc g++ cc c++ clang",
    covered: "never",
    why: "it runs a program",
    when: has(/^-wrapper|^-B|^-fplugin|^@/),
  },
  { names: "install", covered: "never", why: "it runs a program", when: has(/^--strip-p/) },
  { names: "ld.so", covered: "never", why: "it runs the program in its arguments" },
  { names: "crontab sqlite3 psql mysql mariadb mongosh redis-cli gh", covered: "never", why: "it can run commands" },
  {
    names: "go",
    covered: "named",
    why: "it runs another program",
    when: has(/^-?-(?:exec|toolexec|vettool|overlay)|^run$/),
  },
  {
    names: "cargo",
    covered: "named",
    why: "its configuration runs programs",
    when: has(/^--(?:conf|man|target-d)|^-C|^\+/),
  },
  { names: "make gmake", covered: "named", why: "other files or variables decide what runs", when: changesMake },
  {
    names: "npm pnpm yarn",
    covered: "named",
    why: "other folders, shells or packages decide what runs",
    when: changesNpm,
  },
  { names: "npx pnpx bunx uvx pipx", covered: "named", why: "it can download a package and run it" },
  { names: "uv bundle rbenv pyenv nvm fnm volta mise asdf rustup", covered: "named", why: "it runs another program" },
  {
    names: "docker podman kubectl nerdctl",
    covered: "named",
    why: "it runs a program",
    when: has(/^(?:run|exec|debug)$/),
  },
  { names: "git", covered: "named", why: "it works elsewhere, or makes git run a program", when: changesGit },
];

const byName = new Map<string, Row[]>();
for (const row of ROWS) {
  for (const name of new Set(row.names.split(" "))) byName.set(name, [...(byName.get(name) ?? []), row]);
}

/** What the words of one simple command would run beyond the command itself, or null when nothing of that kind is known. */
export function hiddenCommand([first = "", ...args]: readonly string[]): HiddenCommand | null {
  return (byName.get(plainName(first)) ?? []).find(({ when }) => when?.(args) ?? true) ?? null;
}

// Some file systems do not tell ENV from env; python3.12 is python3.
function plainName(first: string): string {
  const name = (first.split("/").at(-1) ?? first).toLowerCase();
  if (/^ld(?:-linux[\w.-]*|-musl[\w.-]*)?\.so/.test(name)) return "ld.so";
  return name.replace(/\.exe$/, "").replace(/^(python3?|pypy3?|perl|ruby|php|lua|node|tclsh)[\d.-]+$/, "$1");
}

function has(pattern: RegExp): (args: readonly string[]) => boolean {
  return (args) => args.some((arg) => pattern.test(arg));
}

const CODE_WORDS = new Set(["eval", "repl", "x", "exec", "dlx", "create", "compile", "install"]);

/** An interpreter that is asked for nothing else prints its version or its help, and ends. */
const ABOUT_ITSELF = /^--(?:version|help)$/;

function runsCode([first = "", ...rest]: readonly string[]): boolean {
  if (ABOUT_ITSELF.test(first) && rest.length === 0) return false;
  return /^(?:-|\/dev\/|\/proc\/|$)/.test(first) || CODE_WORDS.has(first);
}

function runsNodeCode([first = "", ...rest]: readonly string[]): boolean {
  if (first === "--test") return has(/^-/)(rest);
  return first === "inspect" || runsCode([first, ...rest]);
}

function isPlainAwk(args: readonly string[]): boolean {
  const [script = "", ...files] = /^-F./.test(args[0] ?? "") ? args.slice(1) : args;
  return /^ *\{ *print(?: *\$\w+,?)* *\} *$/.test(script) && files.every((file) => /^[^-=]+$/.test(file));
}

const SED_LINES = /^(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq]$/;
const SED_REPLACEMENT = /^s([/|,#])(?:(?!\1)[^\n\\])*\1(?:(?!\1)[^\n\\])*\1[gIp\d]*$/;

function isPlainSed(args: readonly string[]): boolean {
  const flags = args.filter((arg) => arg.startsWith("-"));
  const [script = ""] = args.filter((arg) => !arg.startsWith("-"));
  return (
    flags.every((arg) => /^-(?:[nErsz]+|i)$/.test(arg)) && (SED_LINES.test(script) || SED_REPLACEMENT.test(script))
  );
}

const MAKE_FLAG = /^(?:-[knsqB]+|-j\d*|--(?:silent|quiet|keep-going|dry-run|always-make|no-print-directory))$/;

function changesMake(args: readonly string[]): boolean {
  return args.some((arg) => (arg.startsWith("-") ? !MAKE_FLAG.test(arg) : arg.includes("=")));
}

const NPM_FLAG = /^(?:-s|-ws|-w|--(?:silent|workspaces|if-present|json|long|all|depth=\d+|workspace=[\w@/.-]+))$/;
const NPM_RUNNERS = /^(?:exec|x|dlx|create|init|innit|explore|config|c|set|pkg|edit|link|ln|rebuild|rb|node|cache)$/;

// Behind -- stands what the script gets. npm knows its options by any beginning, so only the known ones are let pass.
function changesNpm(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const [name = ""] = own.filter((arg) => !arg.startsWith("-"));
  return NPM_RUNNERS.test(name) || own.some((arg) => arg.startsWith("-") && !NPM_FLAG.test(arg));
}

const GIT_RUNNERS =
  /^(?:bisect|submodule|filter-branch|filter-repo|difftool|mergetool|for-each-repo|hook|instaweb|daemon|send-email|credential|gui|citool|web--browse|cvsexportcommit|archive|bundle|fast-export|format-patch|maintenance|svn|p4|lfs)$/;

function changesGit(args: readonly string[]): boolean {
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
export function hasArgumentTrick(args: readonly string[]): boolean {
  return args.some((arg) => ARGUMENT_TRICKS.some((pattern) => pattern.test(arg)));
}
