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

// A name with a slash is a room inside a room: the part of it that is pure. Of a room whose file is named, only that file may be imported.
const plan = {
  contract: { rooms: [], packages: ["zod"], ...pure },
  text: { rooms: [], packages: ["get-east-asian-width", "marked", "diff", "highlight.js"], ...pure },
  session: { rooms: ["contract", "text"], packages: ["diff"], ...pure },
  "agents/dialects": { rooms: ["contract"], packages: ["zod"], ...pure },
  agents: { rooms: ["contract", "session", "system", "agents/dialects"], packages: [], ...impure },
  system: { rooms: ["text", "session"], packages: ["zod"], ...impure },
  hub: {
    rooms: ["contract"],
    packages: ["zod", "@nats-io/transport-node", "@nats-io/jetstream"],
    ...impure,
  },
  host: {
    rooms: ["contract", "text", "session", "system", "agents", "agents/dialects", "hub"],
    packages: [],
    ...impure,
  },
  "terminal/painter": { rooms: ["contract", "text", "session"], packages: [], ...pure },
  terminal: {
    rooms: ["contract", "text", "session", "terminal/painter"],
    packages: ["@earendil-works/pi-tui"],
    ...impure,
  },
  views: {
    rooms: ["contract", "text", "session", "system", "terminal", "terminal/painter"],
    packages: ["@earendil-works/pi-tui"],
    ...impure,
  },
  page: {
    rooms: ["contract", "text", "session", "terminal/painter/export/export-transcript.ts"],
    packages: ["preact", "@preact/signals"],
    ...impure,
  },
  server: {
    rooms: [
      ...["contract", "text", "session", "system", "agents", "agents/dialects", "host"],
      "sdk/asks-ui.ts",
      "sdk/ui.ts",
    ],
    packages: ["@modelcontextprotocol/server", "@modelcontextprotocol/client", "web-push", "zod"],
    ...impure,
  },
  sdk: { rooms: ["contract", "agents/dialects", "system", "text", "views"], packages: [], ...impure },
  builtin: {
    rooms: ["contract", "session", "system", "sdk/exports.ts"],
    packages: ["@ai-sdk/provider", "@ai-sdk/openai-compatible", "@ai-sdk/anthropic", "zod"],
    ...impure,
  },
  conform: { rooms: ["contract", "text", "agents", "agents/dialects"], packages: [], ...impure },
  cli: { rooms: "all", packages: ["smol-toml", "uqr"], ...impure },
} as const satisfies Readonly<Record<string, Room>>;

export const rooms: Readonly<Record<string, Room>> = plan;

export const pureRooms: readonly string[] = Object.keys(rooms).filter((name) => rooms[name]?.pure);

export const subRooms: readonly string[] = Object.keys(rooms).filter((name) => name.includes("/"));

/** Line readers split at more than the newline byte, so these rooms frame their bytes with agents/dialects alone. */
export const roomsWithoutReadline: readonly string[] = ["sdk", "agents", "builtin", "server", "host", "conform"];
