// Servers of tools for codex, as its configuration writes them: a table by name that goes along with the start of a thread.
import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { OWN_SERVER_NAME } from "../../../contract/wire-names.js";
import type { JsonObject } from "../frames/json-frame.js";

/** A person may take a day to answer; codex gives up on a tool after a minute unless it is told. */
const CALL_SECONDS_MAX = 24 * 60 * 60;

export function serverConfig(servers: readonly JsonObject[]): JsonObject {
  const named = servers.map((server) => [plainWord(server.name), serverEntry(server)]);
  return named.length === 0 ? {} : { config: { mcp_servers: Object.fromEntries(named) } };
}

function serverEntry({ name, url, headers, command, args, env }: JsonObject): JsonObject {
  const place = url === undefined ? { command, args, env: table(env) } : { url, http_headers: table(headers) };
  // Asking the person needs no permission of the person.
  const allowed = name === OWN_SERVER_NAME ? { default_tools_approval_mode: "approve" } : {};
  return { ...place, tool_timeout_sec: CALL_SECONDS_MAX, ...allowed };
}

function table(list: unknown): JsonObject {
  const pairs = Array.isArray(list) ? list.map(objectOf) : [];
  return Object.fromEntries(pairs.map(({ name, value }) => [plainWord(name), value]));
}
