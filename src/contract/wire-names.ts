// The wires that an agent may speak, by the names people type, and what Palaver can ask of an agent on each of them. No other
// file tests the name of a wire to find out what it can do: a new wire is a row here.

export type WireFacts = {
  /**
   * How an agent resumes another of its sessions: by a command; by a command, if its capabilities offer sessions; by a restart
   * with the session; or not at all.
   */
  readonly resume: "told" | "offered" | "restarted" | "none";
  /** How the agent learns of MCP servers: in a frame, from a file named in its arguments, or not at all. */
  readonly mcpServers: "frame" | "file" | "none";
  /** Whether turn limit, permissions and session of `palaver prompt` are arguments of the agent. */
  readonly promptOptions: "arguments" | "none";
  /** Who reads a prompt: an agent, which answers it, or a plain program, which gets it as a line of its input. */
  readonly prompts: "answered" | "typed";
  /** What an agent does with the greeting that detection sends, which is that of the Agent Client Protocol. */
  readonly acpGreeting: "answers" | "refuses" | "ignores";
};

const basic: WireFacts = {
  resume: "none",
  mcpServers: "none",
  promptOptions: "none",
  prompts: "answered",
  acpGreeting: "ignores",
};

const table = {
  lines: { ...basic, resume: "offered" },
  acp: { ...basic, resume: "offered", mcpServers: "frame", acpGreeting: "answers" },
  claude: { ...basic, resume: "restarted", mcpServers: "file", promptOptions: "arguments" },
  pi: { ...basic, resume: "told", acpGreeting: "refuses" },
  codelia: { ...basic, resume: "told", acpGreeting: "refuses" },
  codex: { ...basic, resume: "told", mcpServers: "frame", acpGreeting: "refuses" },
  rpc: basic,
  plain: { ...basic, prompts: "typed" },
} as const satisfies Readonly<Record<string, WireFacts>>;

/** The name under which an agent knows Palaver's own MCP server. */
export const OWN_SERVER_NAME = "palaver";

export type WireName = keyof typeof table;

export const wireNames = Object.keys(table) as [WireName, ...WireName[]];

/** The wires of agents: all but those of programs that are typed into. */
export const agentWireNames = wireNames.filter((name) => table[name].prompts === "answered");

/** Until an agent is detected it may be one that takes MCP servers and resumes sessions. */
const undetected: WireFacts = { ...basic, resume: "offered", mcpServers: "frame" };

export function wireFacts(wire: WireName | "detect"): WireFacts {
  return wire === "detect" ? undetected : table[wire];
}
