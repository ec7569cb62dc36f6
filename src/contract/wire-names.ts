// The wires that an agent may speak, by the names people type, and what Palaver can ask of an agent on each of them. No other
// file tests the name of a wire to find out what it can do: a new wire is a row here.

export type WireFacts = {
  /** How a running agent resumes another of its sessions: by a command, by a restart with the session, or not at all. */
  readonly resume: "told" | "restarted" | "none";
  /** How the agent learns of MCP servers: in a frame, from a file named in its arguments, or not at all. */
  readonly mcpServers: "frame" | "file" | "none";
  /** Whether turn limit, permissions and session of `palaver prompt` are arguments of the agent. */
  readonly promptOptions: "arguments" | "none";
  /** What an agent does with the greeting that detection sends, which is that of the Agent Client Protocol. */
  readonly acpGreeting: "answers" | "refuses" | "ignores";
};

const plain: WireFacts = { resume: "none", mcpServers: "none", promptOptions: "none", acpGreeting: "ignores" };

const table = {
  lines: plain,
  acp: { ...plain, resume: "told", mcpServers: "frame", acpGreeting: "answers" },
  claude: { ...plain, resume: "restarted", mcpServers: "file", promptOptions: "arguments" },
  pi: { ...plain, resume: "told", acpGreeting: "refuses" },
  codelia: { ...plain, resume: "told", acpGreeting: "refuses" },
  codex: { ...plain, resume: "told", mcpServers: "frame", acpGreeting: "refuses" },
  rpc: plain,
} as const satisfies Readonly<Record<string, WireFacts>>;

/** The name under which an agent knows Palaver's own MCP server. */
export const OWN_SERVER_NAME = "palaver";

export type WireName = keyof typeof table;

export const wireNames = Object.keys(table) as [WireName, ...WireName[]];

/** Until an agent is detected it may be one that takes MCP servers. */
const undetected: WireFacts = { ...plain, mcpServers: "frame" };

export function wireFacts(wire: WireName | "detect"): WireFacts {
  return wire === "detect" ? undetected : table[wire];
}
