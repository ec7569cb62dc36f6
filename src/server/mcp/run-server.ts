// An MCP server for one run of an agent: on loopback, a free port, with its own token. It provides the agent's configuration.
import { randomBytes } from "node:crypto";
import * as z from "zod";
import { proveRoute } from "../http/about-routes.js";
import { createDaemonApp } from "../http/daemon-app.js";
import { startHttpServer } from "../http/http-server.js";
import { loopbackHosts } from "../http/request-guard.js";
import { jsonAnswer, type Route } from "../http/route.js";
import type { McpPorts } from "./mcp-ports.js";
import { mcpRoutes } from "./mcp-routes.js";
import type { CallSummary } from "./server-factory.js";

export interface RunServerOptions extends McpPorts {
  /** 32 random bytes when missing. */
  readonly token?: string;
}

export interface RunServer {
  readonly url: string;
  readonly token: string;
  /** For `session/new` of the Agent Client Protocol. */
  acpServer(name: string): AcpHttpServer;
  calls(): CallSummary;
  /** Withdraws open questions, ends streams, closes the port. May be called twice. */
  close(): Promise<void>;
}

export interface AcpHttpServer extends Readonly<Record<string, unknown>> {
  readonly type: "http";
  readonly name: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

const HOST = "127.0.0.1";
const BODY_BYTES_MAX = 4 * 1024 * 1024;

const NO_CALLS: CallSummary = { calls: 0, byTool: {}, recent: [] };

export async function openRunServer(options: RunServerOptions): Promise<RunServer> {
  const { token = randomBytes(32).toString("hex"), version, onFault } = options;
  const mcp = mcpRoutes(options);
  const calls = () => mcp.endpoint()?.calls() ?? NO_CALLS;
  const claims = { program: "palaver", version, pid: process.pid };
  const app = createDaemonApp({
    groups: [mcp.routes, [healthRoute(calls), proveRoute({ claims, token, host: HOST })]],
    version,
    bodyBytesMax: BODY_BYTES_MAX,
    onError: (error) => onFault?.(error instanceof Error ? error : new Error(String(error))),
  });
  const server = await startHttpServer({
    app,
    host: HOST,
    port: 0,
    token,
    hosts: loopbackHosts,
  });
  const url = `http://${HOST}:${server.port}/mcp`;
  const authorization = `Bearer ${token}`;
  let closing: Promise<void> | null = null;
  return {
    url,
    token,
    acpServer: (name) => ({ type: "http", name, url, headers: [{ name: "Authorization", value: authorization }] }),
    calls,
    close: () => {
      closing ??= mcp.close().then(() => server.close());
      return closing;
    },
  };
}

function healthRoute(calls: () => CallSummary): Route {
  const startedAtMs = performance.now();
  const schema = z.looseObject({ status: z.literal("ok"), pid: z.number(), uptime_ms: z.number(), calls: z.number() });
  return {
    method: "GET",
    path: "/health",
    summary: "Status of this server, and its calls",
    answers: { 200: { description: "Its process, uptime and calls", schema } },
    handle() {
      const { calls: count, byTool, recent } = calls();
      const uptimeMs = Math.round(performance.now() - startedAtMs);
      return jsonAnswer({ status: "ok", pid: process.pid, uptime_ms: uptimeMs, calls: count, by_tool: byTool, recent });
    },
  };
}
