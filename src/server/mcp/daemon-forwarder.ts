// Forwards tool calls of a client to the daemons of the project: state and logs are those of all, an action goes to the one that
// has its key, and questions to the first, where the user already looks. The daemons are looked up for every call, because they
// come and go while a client stays.

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { DaemonAddress } from "../../agents/remote/daemon-proof.js";
import { askDaemon } from "../../agents/remote/daemon-request.js";
import { hasKey, stateSchema } from "../../contract/daemon.js";
import { errorMessage } from "../../contract/plain-word.js";
import { LINES_DEFAULT } from "./daemon-tools.js";
import type { ForwardedCall, ForwardedResult } from "./mcp-ports.js";
import { ToolRefusal } from "./mcp-tool.js";

export interface ForwarderOptions {
  readonly version: string;
  /** Every daemon that runs, the one for questions first. */
  find(): Promise<readonly ProgramAddress[]>;
}

export interface ProgramAddress extends DaemonAddress {
  readonly program: string;
}

/** The longest delay of a timer: the user may take any time. */
const CALL_MS_MAX = 2 ** 31 - 1;

export function createDaemonForwarder({ version, find }: ForwarderOptions) {
  const callAt = async (address: ProgramAddress, call: ForwardedCall): Promise<ForwardedResult | null> => {
    const client = await connected(address, { name: call.client, version });
    if (client === null) return null;
    try {
      return resultOf(await callTool(client, call));
    } catch (error) {
      throw new ToolRefusal(`The daemon did not answer: ${errorMessage(error)}`);
    } finally {
      await client.close();
    }
  };
  const entriesOf = async (address: ProgramAddress, call: ForwardedCall) => {
    const result = await callAt(address, call).catch(() => null);
    return result === null ? [] : listed(result, address.program);
  };
  return async (call: ForwardedCall): Promise<ForwardedResult | null> => {
    const addresses = await find().catch(() => []);
    const [first] = addresses;
    if (first === undefined) return null;
    if (addresses.length > 1 && (call.tool === "state" || call.tool === "logs")) {
      const lists = await Promise.all(addresses.map((address) => entriesOf(address, call)));
      return together(call, lists.flat());
    }
    if (addresses.length === 1 || call.tool !== "action") return callAt(first, call);
    const states = await Promise.all(
      addresses.map((address) => entriesOf(address, { ...call, tool: "state", args: {} })),
    );
    return callAt(takerOf(addresses, states, String(call.args["key"])), call);
  };
}

type Entry = Readonly<Record<string, unknown>> & { readonly program: string };

function listed({ structured }: ForwardedResult, program: string): Entry[] {
  const entries = structured?.["entries"];
  return Array.isArray(entries) ? entries.map((entry: object) => ({ ...entry, program })) : [];
}

function together({ tool, args }: ForwardedCall, entries: readonly Entry[]): ForwardedResult {
  const sorted =
    tool === "logs" ? entries.toSorted((one, other) => Number(one["at_ms"]) - Number(other["at_ms"])) : entries;
  const newest = tool === "logs" ? sorted.slice(-Number(args["lines"] ?? LINES_DEFAULT)) : sorted;
  return { text: JSON.stringify(newest), structured: { entries: newest }, isError: false };
}

/** The daemon whose state has the key, or the first one. */
function takerOf(addresses: readonly ProgramAddress[], states: readonly Entry[][], key: string): ProgramAddress {
  const isIn = (entries: unknown) => stateSchema.safeParse(entries).data?.some((entry) => hasKey(entry, key)) === true;
  const [taker = addresses[0], second] = addresses.filter((_, index) => isIn(states[index]));
  if (taker === undefined || second !== undefined) {
    const programs = [taker, second].map((address) => address?.program).join(" and ");
    throw new ToolRefusal(`Several daemons have ${key} (${programs}); palaver mcp --program NAME is for one of them.`);
  }
  return taker;
}

// Null for a daemon that is ending, or has no MCP.
async function connected(address: DaemonAddress, info: { name: string; version: string }): Promise<Client | null> {
  const client = new Client(info, { versionNegotiation: { mode: "auto" } });
  const fetch = provenFetch(address);
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", address.url), { fetch }));
    return client;
  } catch {
    await client.close();
    return null;
  }
}

/** A `fetch` for the transport; the daemon proves itself on every request. */
function provenFetch(address: DaemonAddress) {
  return async (url: string | URL, { method = "GET", headers, body, signal }: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const answer = await askDaemon(address, `${pathname}${search}`, {
      method: method as "GET" | "POST" | "DELETE",
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === "string" ? { body: JSON.parse(body) as unknown } : {}),
      signal: signal ?? new AbortController().signal,
    });
    const { statusCode: status = 0 } = answer;
    const hasBody = status !== 202 && status !== 204;
    if (!hasBody) answer.resume();
    const stream = hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null;
    return new Response(stream as BodyInit | null, { status, headers: headersOf(answer.headersDistinct) });
  };
}

function headersOf(headers: NodeJS.Dict<string[]>): Headers {
  const all = new Headers();
  for (const [name, values = []] of Object.entries(headers)) for (const value of values) all.append(name, value);
  return all;
}

function callTool(client: Client, { tool, args, signal, onProgress }: ForwardedCall): Promise<CallToolResult> {
  return client.callTool(
    { name: tool, arguments: { ...args } },
    {
      signal,
      timeout: CALL_MS_MAX,
      onprogress: ({ message }) => onProgress(message ?? ""),
    },
  );
}

function resultOf({ content, structuredContent, isError }: CallToolResult): ForwardedResult {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const structured = structuredContent as Readonly<Record<string, unknown>> | undefined;
  return { text, isError: isError === true, ...(structured === undefined ? {} : { structured }) };
}
