// The agents that Palaver knows by name: command, wire, how to install them, and where they keep their own state. Agents of the
// user's settings win over them.
import { basename, join } from "node:path";
import type { WireName } from "../contract/wire-names.js";

export type AgentPreset = {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Null: detected when the agent starts. */
  readonly protocol: WireName | null;
  /** One line that installs it; null for an agent of the user. */
  readonly install: string | null;
  /** What it needs before it works, in words. */
  readonly needs: string;
  readonly env: Readonly<Record<string, string>>;
};

type KnownAgent = Pick<AgentPreset, "name" | "title" | "install" | "needs"> & {
  /** The name, unless given. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** ACP, unless given. */
  readonly protocol?: WireName;
  /** Logins, settings and sessions, below the home folder. In the sandbox it may write these besides the workspace. */
  readonly state: readonly string[];
  /** Files at the top of a workspace that it reads, and does not start when it finds a folder in their place. */
  readonly makes?: readonly string[];
};

const agents: readonly KnownAgent[] = [
  {
    name: "claude",
    title: "Claude Code",
    protocol: "claude",
    install: "npm i -g @anthropic-ai/claude-code",
    needs: "a login (claude login) or ANTHROPIC_API_KEY",
    state: [".claude", ".claude.json"],
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    args: ["--acp"],
    install: "npm i -g @google/gemini-cli",
    needs: "a login (gemini) or GEMINI_API_KEY",
    state: [".gemini"],
  },
  {
    name: "codex",
    title: "Codex",
    args: ["app-server"],
    protocol: "codex",
    install: "npm i -g @openai/codex",
    needs: "a login (codex login) or OPENAI_API_KEY",
    state: [".codex"],
  },
  {
    name: "opencode",
    title: "OpenCode",
    args: ["acp"],
    install: "npm i -g opencode-ai",
    needs: "a provider (opencode auth login)",
    state: [".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
    makes: ["opencode.json", "opencode.jsonc"],
  },
  {
    name: "copilot",
    title: "GitHub Copilot",
    args: ["--acp"],
    install: "npm i -g @github/copilot",
    needs: "a login (copilot login) or GITHUB_TOKEN",
    state: [".copilot"],
  },
  {
    name: "qwen",
    title: "Qwen Code",
    args: ["--acp"],
    install: "npm i -g @qwen-code/qwen-code",
    needs: "a login (qwen), or OPENAI_API_KEY with OPENAI_BASE_URL",
    state: [".qwen"],
  },
  {
    name: "kimi",
    title: "Kimi Code",
    args: ["acp"],
    install: "npm i -g @moonshot-ai/kimi-code",
    needs: "a login (kimi) or a provider in its config.toml",
    state: [".kimi", ".kimi-code"],
  },
  {
    name: "goose",
    title: "goose",
    args: ["acp"],
    install: "brew install block-goose-cli",
    needs: "a provider (goose configure)",
    state: [".config/goose", ".local/share/goose", ".local/state/goose"],
  },
  {
    name: "kilo",
    title: "Kilo Code",
    args: ["acp"],
    install: "npm i -g @kilocode/cli",
    needs: "a login (kilo auth login)",
    state: [".config/kilo", ".local/share/kilo", ".local/state/kilo", ".cache/kilo"],
  },
  {
    name: "pi",
    title: "pi",
    protocol: "pi",
    install: "npm i -g @earendil-works/pi-coding-agent",
    needs: "a key of a provider, such as ANTHROPIC_API_KEY",
    state: [".pi"],
  },
  {
    name: "cursor",
    title: "Cursor",
    command: "cursor-agent",
    args: ["acp"],
    install: "curl https://cursor.com/install -fsS | bash",
    needs: "a login (cursor-agent login) or CURSOR_API_KEY",
    state: [".cursor", ".config/cursor"],
  },
  {
    name: "auggie",
    title: "Auggie",
    args: ["--acp"],
    install: "npm i -g @augmentcode/auggie",
    needs: "a login (auggie login)",
    state: [".augment"],
  },
  {
    name: "cline",
    title: "Cline",
    args: ["--acp"],
    install: "npm i -g cline",
    needs: "a login (cline auth)",
    state: [".cline"],
  },
  {
    name: "amp",
    title: "Amp",
    command: "amp-acp",
    install: "npm i -g amp-acp",
    needs: "Amp itself, and a login (amp login) or AMP_API_KEY",
    state: [".config/amp", ".local/share/amp", ".cache/amp"],
  },
  {
    name: "vibe",
    title: "Mistral Vibe",
    command: "vibe-acp",
    install: "uv tool install mistral-vibe",
    needs: "MISTRAL_API_KEY",
    state: [".vibe"],
  },
  {
    name: "codex-acp",
    title: "Codex (ACP)",
    install: "npm i -g @agentclientprotocol/codex-acp",
    needs: "a login (codex login) or OPENAI_API_KEY",
    state: [".codex"],
  },
  {
    name: "claude-acp",
    title: "Claude Code (ACP)",
    command: "claude-agent-acp",
    install: "npm i -g @agentclientprotocol/claude-agent-acp",
    needs: "a login (claude login) or ANTHROPIC_API_KEY",
    state: [".claude", ".claude.json"],
  },
];

export const presets: readonly AgentPreset[] = agents.map(({ state: _state, makes: _makes, ...agent }) => ({
  ...{ command: agent.name, args: [], protocol: "acp", env: {} },
  ...agent,
}));

/** The wire of a program that is started like a preset; null for any other. */
export function wireOfCommand(program: string, args: readonly string[]): WireName | null {
  const known = presets.find(
    ({ command, args: its }) => command === basename(program) && its.every((arg) => args.includes(arg)),
  );
  return known?.protocol ?? null;
}

/** Whether the program is one that a preset starts. */
export function isPresetProgram(program: string): boolean {
  return presets.some(({ command }) => command === basename(program));
}

/** What an agent is called that has no name: its program, not the interpreter it runs in. */
export function programName(commandLine: readonly string[]): string {
  const words = commandLine.map((word) => word.split("/").at(-1) ?? word);
  if (words[1] === "cli.js" && words[2] === "agent") return "palaver";
  const isInterpreter = /^(?:node|python3?|ruby|bash|sh|deno|bun)$/.test(words[0] ?? "");
  const [program = "agent", script = "-"] = words;
  return isInterpreter && !script.startsWith("-") ? script : program;
}

/** In each of these folders: what an agent runs, or lets run, when it is started outside the sandbox later. */
const runLater: readonly string[] = [
  "settings.json",
  "settings.local.json",
  "config.toml",
  "opencode.json",
  "opencode.jsonc",
  "mcp.json",
  "hooks.json",
  "hooks",
  "commands",
  "agents",
  "skills",
  "plugins",
  "extensions",
];

/** Of the agent with this program; relative to the home folder, `makes` to the workspace. What of `guarded` exists is read-only. */
export function stateFoldersOf(program: string) {
  const known = agents.find(({ name, command = name }) => command === basename(program));
  const { state: writable = [], makes = [] } = known ?? {};
  const guarded = writable.flatMap((folder) => runLater.map((each) => join(folder, each)));
  return { writable, guarded, makes };
}
