// The agents that Palaver knows by name: how each is started, which wire it speaks, and how somebody gets it. A table that is
// looked things up in; a person's own agents stand beside it and win over it.
import { basename } from "node:path";
import type { Protocol } from "./session-link.js";

export type AgentPreset = {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Null when nobody said: it is found out when the agent starts. */
  readonly protocol: Protocol | null;
  /** One line that installs it; null for an agent of one's own. */
  readonly install: string | null;
  /** What it needs before it can work, in words. */
  readonly needs: string;
  readonly env: Readonly<Record<string, string>>;
};

const acp = { protocol: "acp", env: {} } as const;

export const presets: readonly AgentPreset[] = [
  {
    name: "claude",
    title: "Claude Code",
    command: "claude",
    args: [],
    protocol: "claude",
    install: "npm i -g @anthropic-ai/claude-code",
    needs: "a login (claude login) or ANTHROPIC_API_KEY",
    env: {},
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    command: "gemini",
    args: ["--acp"],
    install: "npm i -g @google/gemini-cli",
    needs: "a login (gemini) or GEMINI_API_KEY",
    ...acp,
  },
  {
    name: "codex",
    title: "Codex",
    command: "codex",
    args: ["app-server"],
    protocol: "codex",
    install: "npm i -g @openai/codex",
    needs: "a login (codex login) or OPENAI_API_KEY",
    env: {},
  },
  {
    name: "opencode",
    title: "OpenCode",
    command: "opencode",
    args: ["acp"],
    install: "npm i -g opencode-ai",
    needs: "a provider (opencode auth login)",
    ...acp,
  },
  {
    name: "copilot",
    title: "GitHub Copilot",
    command: "copilot",
    args: ["--acp"],
    install: "npm i -g @github/copilot",
    needs: "a login (copilot login) or GITHUB_TOKEN",
    ...acp,
  },
  {
    name: "qwen",
    title: "Qwen Code",
    command: "qwen",
    args: ["--acp"],
    install: "npm i -g @qwen-code/qwen-code",
    needs: "a login (qwen), or OPENAI_API_KEY with OPENAI_BASE_URL",
    ...acp,
  },
  {
    name: "kimi",
    title: "Kimi Code",
    command: "kimi",
    args: ["acp"],
    install: "npm i -g @moonshot-ai/kimi-code",
    needs: "a login (kimi) or a provider in its config.toml",
    ...acp,
  },
  {
    name: "goose",
    title: "goose",
    command: "goose",
    args: ["acp"],
    install: "brew install block-goose-cli",
    needs: "a provider (goose configure)",
    ...acp,
  },
  {
    name: "kilo",
    title: "Kilo Code",
    command: "kilo",
    args: ["acp"],
    install: "npm i -g @kilocode/cli",
    needs: "a login (kilo auth login)",
    ...acp,
  },
  {
    name: "pi",
    title: "pi",
    command: "pi",
    args: [],
    protocol: "pi",
    install: "npm i -g @earendil-works/pi-coding-agent",
    needs: "a key of a provider, such as ANTHROPIC_API_KEY",
    env: {},
  },
  {
    name: "cursor",
    title: "Cursor",
    command: "cursor-agent",
    args: ["acp"],
    install: "curl https://cursor.com/install -fsS | bash",
    needs: "a login (cursor-agent login) or CURSOR_API_KEY",
    ...acp,
  },
  {
    name: "auggie",
    title: "Auggie",
    command: "auggie",
    args: ["--acp"],
    install: "npm i -g @augmentcode/auggie",
    needs: "a login (auggie login)",
    ...acp,
  },
  {
    name: "cline",
    title: "Cline",
    command: "cline",
    args: ["--acp"],
    install: "npm i -g cline",
    needs: "a login (cline auth)",
    ...acp,
  },
  {
    name: "amp",
    title: "Amp",
    command: "amp-acp",
    args: [],
    install: "npm i -g amp-acp",
    needs: "Amp itself, and a login (amp login) or AMP_API_KEY",
    ...acp,
  },
  {
    name: "vibe",
    title: "Mistral Vibe",
    command: "vibe-acp",
    args: [],
    install: "uv tool install mistral-vibe",
    needs: "MISTRAL_API_KEY",
    ...acp,
  },
  {
    name: "codex-acp",
    title: "Codex (ACP)",
    command: "codex-acp",
    args: [],
    install: "npm i -g @agentclientprotocol/codex-acp",
    needs: "a login (codex login) or OPENAI_API_KEY",
    ...acp,
  },
  {
    name: "claude-acp",
    title: "Claude Code (ACP)",
    command: "claude-agent-acp",
    args: [],
    install: "npm i -g @agentclientprotocol/claude-agent-acp",
    needs: "a login (claude login) or ANTHROPIC_API_KEY",
    ...acp,
  },
];

/** A program that is called like one of these, the same way, speaks as it does; null for any other. */
export function wireOfCommand(program: string, args: readonly string[]): Protocol | null {
  const known = presets.find(
    ({ command, args: its }) => command === basename(program) && its.every((arg) => args.includes(arg)),
  );
  return known?.protocol ?? null;
}
