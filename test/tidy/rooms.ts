// The plan of the house as data: which room may import which other rooms, packages and modules of Node.
// An import that is not listed here is a finding. Adding an arrow is a decision about the design, not a chore.

export interface Room {
  readonly rooms: readonly string[] | "all";
  readonly packages: readonly string[] | "all";
  /** Pure rooms are compiled without Node's types and get clock, size and streams as ports. */
  readonly pure: boolean;
}

const pure = { pure: true } as const;
const impure = { pure: false } as const;

const plan = {
  contract: { rooms: [], packages: ["zod"], ...pure },
  text: { rooms: [], packages: ["get-east-asian-width"], ...pure },
  core: { rooms: ["contract", "text"], packages: [], ...pure },
  screen: { rooms: ["contract", "text", "core"], packages: ["marked", "diff", "highlight.js"], ...pure },
  wire: { rooms: ["contract"], packages: [], ...pure },
  system: { rooms: [], packages: ["zod"], ...impure },
  ui: { rooms: ["contract", "wire"], packages: [], ...impure },
  links: { rooms: ["contract", "core", "wire"], packages: ["@agentclientprotocol/sdk"], ...impure },
  sandbox: { rooms: ["text", "core"], packages: [], ...impure },
  agent: {
    rooms: ["contract", "core", "system", "ui", "wire", "sandbox"],
    packages: ["ai", "@ai-sdk/openai-compatible", "@ai-sdk/anthropic", "diff", "zod"],
    ...impure,
  },
  daemon: {
    rooms: ["contract", "text", "core", "system", "wire", "ui", "links"],
    packages: ["hono", "@hono/node-server", "@modelcontextprotocol/server", "@modelcontextprotocol/client", "zod"],
    ...impure,
  },
  tui: {
    rooms: ["contract", "text", "core", "screen", "links"],
    packages: ["@earendil-works/pi-tui"],
    ...impure,
  },
  prompt: { rooms: ["contract", "text", "core", "screen", "links", "tui"], packages: [], ...impure },
  conform: { rooms: ["contract", "text", "wire", "links"], packages: [], ...impure },
  cli: { rooms: "all", packages: ["smol-toml"], ...impure },
} as const satisfies Readonly<Record<string, Room>>;

export const rooms: Readonly<Record<string, Room>> = plan;

export const pureRooms: readonly string[] = Object.keys(rooms).filter((name) => rooms[name]?.pure);

/** Line readers split at more than the newline byte, so these rooms frame their bytes with wire/ alone. */
export const roomsWithoutReadline: readonly string[] = ["ui", "links", "agent", "daemon", "conform"];
