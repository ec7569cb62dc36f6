// The MCP server on a pair of streams: the client is whoever started us. It is one connection, and it is over when the client
// closes its end; whatever was still asked is withdrawn then.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type LineStreams, LineTransport } from "./line-transport.js";
import type { McpPorts } from "./mcp-ports.js";
import { createServerFactory } from "./server-factory.js";

export interface StdioServer {
  /** Settles when the client is gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function openStdioServer(streams: LineStreams, ports: McpPorts): StdioServer {
  const factory = createServerFactory(ports);
  const transport = new LineTransport(streams);
  const connection = serveStdio(factory.create, { transport, onerror: (error) => ports.onFault?.(error) });
  return {
    ended: transport.closed.then(() => factory.questions.close("disconnected")),
    async close() {
      await factory.close("shutdown");
      await connection.close();
    },
  };
}
