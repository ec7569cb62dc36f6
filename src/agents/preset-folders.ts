// Where the agents that Palaver knows keep their own state, below the home folder: their logins, settings and sessions. An
// agent in the sandbox may write these besides the workspace; one that is not listed keeps its state until it ends.
import { basename, join } from "node:path";

const folders: Readonly<Record<string, readonly string[]>> = {
  claude: [".claude", ".claude.json"],
  "claude-agent-acp": [".claude", ".claude.json"],
  gemini: [".gemini"],
  codex: [".codex"],
  "codex-acp": [".codex"],
  opencode: [".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
  copilot: [".copilot"],
  qwen: [".qwen"],
  kimi: [".kimi", ".kimi-code"],
  goose: [".config/goose", ".local/share/goose", ".local/state/goose"],
  kilo: [".config/kilo", ".local/share/kilo", ".local/state/kilo", ".cache/kilo"],
  pi: [".pi"],
  "cursor-agent": [".cursor", ".config/cursor"],
  auggie: [".augment"],
  cline: [".cline"],
  "amp-acp": [".config/amp", ".local/share/amp", ".cache/amp"],
  "vibe-acp": [".vibe"],
};

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

/** Files at the top of a workspace that an agent reads, and does not start when it finds a folder in their place. */
const ownFiles: Readonly<Record<string, readonly string[]>> = { opencode: ["opencode.json", "opencode.jsonc"] };

export type StateFolders = {
  readonly writable: readonly string[];
  readonly guarded: readonly string[];
  /** Relative to the workspace: it may make these, where they do not exist. */
  readonly makes: readonly string[];
};

/** Of the agent with this program; relative to the home folder. What of `guarded` exists is read-only. */
export function stateFoldersOf(program: string): StateFolders {
  const name = basename(program);
  const writable = Object.hasOwn(folders, name) ? (folders[name] ?? []) : [];
  const guarded = writable.flatMap((folder) => runLater.map((each) => join(folder, each)));
  return { writable, guarded, makes: Object.hasOwn(ownFiles, name) ? (ownFiles[name] ?? []) : [] };
}
