// The MCP server on a pair of streams, one message a line. It ends when the client closes its end; open questions are withdrawn.
// A line that is no message is answered with an error and does not end the stream.

import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { writeLine } from "../../agents/dialects/frames/json-frame.js";
import { createLineSplitter, type RawLine } from "../../agents/dialects/frames/line-splitter.js";
import type { McpPorts } from "./mcp-ports.js";
import { type RpcBody, readRpcBody, rpcErrors } from "./rpc-body.js";
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

interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
}

const LINE_BYTES_MAX = 4 * 1024 * 1024;

class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Settles when the other end is gone, or when this end was closed. */
  readonly closed: Promise<void>;
  private readonly streams: LineStreams;
  private readonly splitter = createLineSplitter({ lineBytesMax: LINE_BYTES_MAX });
  private settleClosed: () => void = () => undefined;
  private isClosed = false;

  constructor(streams: LineStreams) {
    this.streams = streams;
    this.closed = new Promise((resolve) => {
      this.settleClosed = resolve;
    });
  }

  async start(): Promise<void> {
    const { input, output } = this.streams;
    input.on("data", (chunk: Uint8Array) => this.take(this.splitter.push(chunk)));
    input.on("end", () => this.take(this.splitter.end()));
    for (const event of ["end", "close", "error"]) input.on(event, () => void this.close());
    output.on("error", () => void this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.isClosed) return;
    const { output } = this.streams;
    if (!output.write(writeLine(message))) await Promise.race([once(output, "drain"), this.closed]);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.streams.input.pause();
    this.settleClosed();
    this.onclose?.();
  }

  private take(lines: readonly RawLine[]): void {
    for (const line of lines) this.takeLine(line);
  }

  private takeLine(line: RawLine): void {
    if (line.kind === "line" && line.text.trim() === "") return;
    const read = judged(line);
    if (read.kind === "unfit") this.refuse(read);
    else this.onmessage?.(read.body as JSONRPCMessage);
  }

  private refuse({ code, message, id }: Unfit): void {
    if (this.isClosed) return;
    this.onerror?.(new Error(message));
    this.streams.output.write(writeLine({ jsonrpc: "2.0", id, error: { code, message } }));
  }
}

type Unfit = Extract<RpcBody, { kind: "unfit" }>;

function judged(line: RawLine): RpcBody {
  if (line.kind === "overlong") return unfit(`a line of ${line.lengthBytes} bytes is over the limit`);
  const read = readRpcBody(line.text);
  return read.kind === "messages" && read.isBatch ? unfit("a line holds one message, not a batch") : read;
}

function unfit(message: string): Unfit {
  return { kind: "unfit", code: rpcErrors.invalidRequest, message, id: null };
}
