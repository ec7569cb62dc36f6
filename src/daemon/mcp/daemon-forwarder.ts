// Lets the daemon of a project answer the calls of a client that is connected elsewhere, so that its questions appear where the
// person already looks. It looks for the daemon anew at every call: daemons come and go while a client stays.
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { DaemonAddress } from "../client/daemon-client.js";
import type { ForwardedCall, ForwardedResult } from "./mcp-ports.js";
import { ToolRefusal } from "./mcp-tool.js";

export interface ForwarderOptions {
  readonly version: string;
  /** Null when no daemon runs. */
  find(): Promise<DaemonAddress | null>;
}

/** The longest delay a timer takes; a person may think for as long as they like. */
const CALL_MS_MAX = 2 ** 31 - 1;

export function createDaemonForwarder({ version, find }: ForwarderOptions) {
  return async (call: ForwardedCall): Promise<ForwardedResult | null> => {
    const address = await find().catch(() => null);
    const client = address === null ? null : await connected(address, version);
    if (client === null) return null;
    try {
      return resultOf(await callTool(client, call));
    } catch (error) {
      throw new ToolRefusal(`The daemon did not answer: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await client.close();
    }
  };
}

// A daemon that is just going away, or one without MCP, is as good as none.
async function connected({ url, token }: DaemonAddress, version: string): Promise<Client | null> {
  const client = new Client({ name: "palaver mcp", version }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
    return client;
  } catch {
    await client.close();
    return null;
  }
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
