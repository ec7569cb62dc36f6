// Forwards tool calls of a client to the daemon of the project, so that its questions appear where the user already looks.
// The daemon is looked up for every call, because daemons come and go while a client stays.

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { askDaemon, type DaemonAddress } from "../../agents/remote/daemon-request.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { ForwardedCall, ForwardedResult } from "./mcp-ports.js";
import { ToolRefusal } from "./mcp-tool.js";

export interface ForwarderOptions {
  readonly version: string;
  /** Null when no daemon runs. */
  find(): Promise<DaemonAddress | null>;
}

/** The longest delay of a timer: the user may take any time. */
const CALL_MS_MAX = 2 ** 31 - 1;

export function createDaemonForwarder({ version, find }: ForwarderOptions) {
  return async (call: ForwardedCall): Promise<ForwardedResult | null> => {
    const address = await find().catch(() => null);
    const client = address === null ? null : await connected(address, version);
    if (client === null) return null;
    try {
      return resultOf(await callTool(client, call));
    } catch (error) {
      throw new ToolRefusal(`The daemon did not answer: ${errorMessage(error)}`);
    } finally {
      await client.close();
    }
  };
}

// Null for a daemon that is ending, or has no MCP.
async function connected(address: DaemonAddress, version: string): Promise<Client | null> {
  const client = new Client({ name: "palaver mcp", version }, { versionNegotiation: { mode: "auto" } });
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
