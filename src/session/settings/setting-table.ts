// Everything that can be set, as data: adding a row here is all it takes. The key is the name in the file (a dot goes into
// a table) and `words` are for the help. A value that fits on one line has a variable, too: `wrap` is PALAVER_WRAP.
//
// A project's file comes with a repository, so it is not the user's own. `project` says what it may do: "taken" settings
// are a matter of taste; "refused" ones run programs, say where secrets go, loosen a guard or give permissions, and are
// taken only from a file that the user has trusted; "stricter" ones are taken when they say `strict`.
import { TYPING_GUARD_MS_DEFAULT } from "../../contract/limits.js";
import { THEME_NAMES } from "../../text/look.js";
import { judgeAgent, judgeFingerprint, judgeKeys, judgeMcpServer, judgeModel } from "./presets.js";
import { choice, listOfTexts, namedValues, type SettingKind, text, wholeNumber, yesOrNo } from "./setting-kinds.js";

export interface SettingRow<Value = unknown> {
  readonly kind: SettingKind<Value>;
  readonly fallback: Value;
  readonly words: string;
  /** "own": commands have flags of their own for it, such as --no-sandbox. */
  readonly flag?: "own";
  readonly project: "taken" | "refused" | "stricter";
  readonly strict?: Value;
  /** "last": the highest layer wins. "all": every layer adds to the list. Absent means "last". */
  readonly layers?: "last" | "all";
}

const TYPING_GUARD_MS_MAX = 10_000;

const themeChoices = ["auto", ...THEME_NAMES, "terminal"] as const;
const colourChoices = ["auto", "never", "16", "256", "true"] as const;

export const settingTable = {
  theme: row(choice(themeChoices), "auto", "the colours; auto follows the terminal's background"),
  colour: row(choice(colourChoices), "auto", "how many colours to use; auto honours NO_COLOR"),
  wrap: row(
    choice(["auto", "words", "terminal"]),
    "auto",
    "wrap prose at words, or let the terminal wrap it, which copies without line breaks; auto does that where a wider window reflows",
  ),
  editing: row(choice(["emacs", "vi"]), "emacs", "the composer's keys; vi has a normal mode, after esc"),
  thinking: row(choice(["shown", "hidden", "collapsed"]), "shown", "how the agent's thinking is shown"),
  screen: row(
    choice(["inline", "full", "reader"]),
    "inline",
    "in the scrollback, in full screen, or as lines for a screen reader",
  ),
  mouse: row(
    choice(["wheel", "off"]),
    "wheel",
    "in full screen: scroll with the wheel, or leave the mouse to the terminal for selecting",
  ),
  images: row(choice(["auto", "off"]), "auto", "show pictures where the terminal can, or only their descriptions"),
  motion: row(choice(["full", "reduced"]), "full", "animations such as the spinner"),
  notifications: row(
    choice(["auto", "off", "bell", "osc9", "osc777", "osc99"]),
    "auto",
    "how to notify you when the window is not focused",
  ),
  "notify.command": row(
    listOfTexts('words of a command such as "notify-send"'),
    [],
    "a program that the daemon runs for each question that waits; it gets PALAVER_ASK_TITLE and more in its environment",
    { project: "refused" },
  ),
  "notify.content": row(yesOrNo(), false, "whether push messages say what is asked, encrypted for the device", {
    flag: "own",
    project: "refused",
  }),
  "notify.push_hosts": row(
    listOfTexts('hosts such as "push.home.arpa"'),
    [],
    "push services on this machine or a private network; push messages go nowhere else there",
    { project: "refused" },
  ),
  "pair.port": row(wholeNumber(0, 65_535), 0, "the port that /pair opens on this machine; 0 takes any that is free", {
    project: "refused",
  }),
  "pair.public_url": row(
    text("the https:// address of a proxy on this machine"),
    "",
    "where browsers elsewhere reach a session that /pair opens, such as https://box.tail1234.ts.net",
    { project: "refused" },
  ),
  output_lines: row(wholeNumber(1, 10_000), 5, "how many lines of a tool's output are shown"),
  typing_guard_ms: row(
    // It can only be made longer: below the default, typing cannot be told from answering.
    wholeNumber(TYPING_GUARD_MS_DEFAULT, TYPING_GUARD_MS_MAX),
    TYPING_GUARD_MS_DEFAULT,
    "how long you must not have typed before a question accepts keys; 800 or more",
    { project: "refused" },
  ),
  editor: row(text('a command such as "vim"'), "", "the editor that ctrl+g opens; else VISUAL, EDITOR", {
    project: "refused",
  }),
  agent: row(
    text('the name of an agent, such as "claude"'),
    "",
    "the agent that `palaver` opens; else the built-in one",
    {
      project: "refused",
    },
  ),
  model: row(text('a model such as "anthropic:claude-sonnet-5"'), "", "the model of the built-in agent", {
    project: "refused",
  }),
  base_url: row(text("an address"), "", "the address of the model of the built-in agent", {
    project: "refused",
  }),
  models: row(
    namedValues('a table such as { "ollama:qwen3-coder" = { context_tokens = 32768 } }', judgeModel),
    {},
    "facts about a model: its context_tokens, output_tokens and price",
    { project: "refused" },
  ),
  read_only: row(yesOrNo(), false, "keep the built-in agent from changing anything", {
    project: "stricter",
    strict: true,
  }),
  sandbox: row(
    choice(["workspace", "off"]),
    "workspace",
    "where the built-in agent runs commands: in a sandbox that writes only in the workspace, or as they are",
    { flag: "own", project: "stricter", strict: "workspace" },
  ),
  sandbox_read: row(
    listOfTexts('folders such as "~/.texlive"'),
    [],
    "folders below your home that commands in the sandbox may read, besides the usual tools",
    { project: "refused" },
  ),
  sandbox_env: row(
    listOfTexts('names of variables such as "DATABASE_URL"'),
    [],
    "variables that commands in the sandbox get, besides the usual ones without secrets",
    { project: "refused" },
  ),
  sandbox_hosts: row(
    listOfTexts('hosts such as "registry.npmjs.org"'),
    [],
    "hosts that commands in the sandbox may reach; all others need a question each time",
    { project: "refused" },
  ),
  on_ask: row(choice(["deny", "default", "fail", "wait"]), "fail", "what to do when no one can answer", {
    project: "refused",
  }),
  env_file: row(
    text('the name of a file such as ".env"'),
    "",
    "a file with environment variables for agents; it overrides none",
    {
      project: "refused",
    },
  ),
  keys: row(
    namedValues('a table such as { abort = "ctrl+x" }', judgeKeys),
    {},
    "your own keys; `palaver config keys` lists the actions",
    { project: "refused" },
  ),
  agents: row(namedValues("a table of agents", judgeAgent), {}, "your own agents, for `palaver run NAME`", {
    project: "refused",
  }),
  mcp_servers: row(namedValues("a table of MCP servers", judgeMcpServer), {}, "MCP servers for agents", {
    project: "refused",
  }),
  "permissions.allow": rules("what the built-in agent may do without asking", "refused"),
  "permissions.ask": rules("what it asks for, even if another rule allows it", "taken"),
  "permissions.deny": rules("what it may not do at all", "taken"),
  "permissions.headless.allow": rules("what it may also do when no one can be asked", "refused"),
  "permissions.headless.deny": rules("what it may not do when no one can be asked", "taken"),
  "hub.url": row(text('an address such as "tls://hub.example.org"'), "", "the hub where all machines meet", {
    project: "refused",
  }),
  "hub.join": row(
    choice(["flag", "always"]),
    "flag",
    "whether palaver serve joins the hub with --hub only, or always",
    {
      project: "refused",
    },
  ),
  "hub.user": row(text('a name such as "ada"'), "", "your name, or that of this machine, at the hub", {
    project: "refused",
  }),
  "hub.key": row(text("the name of a file"), "", "the file with your key for the hub", { project: "refused" }),
  "hub.member": row(text('a name such as "ada"'), "", "who answers at the hub here, where hub.user is the machine", {
    project: "refused",
  }),
  "hub.member_key": row(text("the name of a file"), "", "the file with the key of hub.member", { project: "refused" }),
  "hub.ca": row(text("the name of a file"), "", "the certificate authority of the hub, where it is your own", {
    project: "refused",
  }),
  trusted: row(
    namedValues("a table of trusted project files", judgeFingerprint),
    {},
    "fingerprints of project files that you trust; `palaver config trust` writes them",
    { project: "refused" },
  ),
} as const satisfies Readonly<Record<string, SettingRow>>;

export type SettingKey = keyof typeof settingTable;

export const settingKeys = Object.keys(settingTable) as readonly SettingKey[];

/** The value of every setting, by key. */
export type Settings = { readonly [Key in SettingKey]: (typeof settingTable)[Key]["fallback"] };

interface Extras<Value> {
  readonly flag?: "own";
  readonly project?: SettingRow["project"];
  readonly strict?: Value;
}

function row<Value>(
  kind: SettingKind<Value>,
  fallback: NoInfer<Value>,
  words: string,
  extras: Extras<NoInfer<Value>> = {},
): SettingRow<Value> {
  return { kind, fallback, words, project: "taken", ...extras };
}

function rules(words: string, project: "taken" | "refused"): SettingRow<readonly string[]> {
  const kind = listOfTexts('rules such as "bash(npm test:*)"');
  return { kind, fallback: [], words, project, layers: "all" };
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingTable, key);
}

/** The variable that sets it; null for lists and tables. */
export function settingVariable(key: SettingKey): string | null {
  const { kind, fallback }: SettingRow = settingTable[key];
  return kind.fromText === null || Array.isArray(fallback) ? null : `PALAVER_${key.toUpperCase().replaceAll(".", "_")}`;
}
