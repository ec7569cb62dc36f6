// The daemon's routes. The first line of an input is `METHOD /path content-type`, the rest is the body. Every
// request has an answer, none of them is a failure of the daemon's own, and refusals say what is wrong.
import { validateHeaderValue } from "node:http";
import { AskRegistry } from "../../../../src/host/asks/ask-registry.js";
import { aboutRoutes, proveRoute } from "../../../../src/server/http/about-routes.js";
import { askRoutes } from "../../../../src/server/http/ask-routes.js";
import { createDaemonApp, type DaemonApp } from "../../../../src/server/http/daemon-app.js";
import { logRoutes } from "../../../../src/server/http/log-routes.js";
import { stateRoutes } from "../../../../src/server/http/state-routes.js";
import { LogHub } from "../../../../src/server/logs/log-hub.js";
import { mcpRoutes } from "../../../../src/server/mcp/mcp-routes.js";
import { requestsTo } from "../../daemon/app-requests.js";
import { broken, type FuzzTarget } from "../fuzz-target.js";

export const httpTarget: FuzzTarget = { name: "http", shape: "text", check };

const METHODS = new Set(["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"]);

let current: DaemonApp | null = null;
const server = requestsTo({
  respond: async (...request) => current?.respond(...request),
  isOpen: () => false,
});

async function check(bytes: Uint8Array): Promise<void> {
  const request = requestOf(bytes);
  if (request === null) return;
  const { app, errors, close } = createApp();
  current = app;
  const { pathname, search } = request.url;
  const response = await server.request(pathname + search, request.init);
  const type = response.headers.get("content-type") ?? "";
  const isStream = type.startsWith("text/event-stream");
  const body = isStream ? "" : await response.text();
  if (isStream) await response.body?.cancel();
  await close();
  if (errors.length > 0 || response.status >= 500) broken(`the daemon failed: ${String(errors[0])} ${body}`);
  if (type.startsWith("application/json")) JSON.parse(body);
  if (response.status >= 400 && !/error/.test(body)) broken(`a refusal without words: ${response.status} ${body}`);
}

function requestOf(bytes: Uint8Array): { url: URL; init: RequestInit } | null {
  const end = bytes.indexOf(0x0a);
  const head = new TextDecoder().decode(bytes.subarray(0, end < 0 ? bytes.length : end));
  const [method = "", path = "", ...rest] = head.split(" ");
  const body = end < 0 ? new Uint8Array(0) : bytes.slice(end + 1);
  if (!METHODS.has(method)) return null;
  try {
    validateHeaderValue("content-type", rest.join(" "));
    const headers = new Headers({ "content-type": rest.join(" "), accept: "application/json, text/event-stream" });
    const init = { method, headers, ...(method === "GET" || body.length === 0 ? {} : { body }) };
    const { url } = new Request(new URL(path, "http://127.0.0.1:4000"), init);
    return { url: new URL(url), init };
  } catch {
    // What no client could send never reaches a route.
    return null;
  }
}

function createApp() {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const hub = new LogHub();
  const mcp = mcpRoutes({
    version: "0",
    asks: { ask: () => Promise.resolve({ kind: "cancelled", by: "fuzz" }), withdraw: () => undefined },
  });
  const app = createDaemonApp({
    groups: [
      stateRoutes({
        readState: () => [],
        act: async (key) => ({ kind: key === "Mode" ? "taken" : "unknown" }),
        cancel: () => true,
        showTab: (title) => title === "BUILD",
      }),
      logRoutes(hub).routes,
      aboutRoutes("0", () => ({
        status: "ok",
        pid: 1,
        version: "0",
        project: "/",
        uptime_ms: 1,
        log_clients: 0,
      })),
      [proveRoute({ claims: { program: "fuzz", version: "0", pid: 1 }, token: "0".repeat(64), host: null })],
      askRoutes(boardWithAsks()),
      mcp.routes,
    ],
    version: "0",
    bodyBytesMax: 8_192,
    onError,
  });
  return { app, errors, close: () => mcp.close() };
}

function boardWithAsks(): AskRegistry {
  const board = new AskRegistry();
  const base = { sessionId: null, turnId: null, origin: { kind: "agent" as const }, deadlineMs: null };
  const fields = [{ name: "n", label: "N", kind: "number" as const }];
  void board.ask({ ...base, id: "q1", question: { kind: "form", params: { title: "F", fields } } });
  const options = [{ label: "A", value: "a" }];
  void board.ask({ ...base, id: "q2", question: { kind: "select", params: { title: "S", options } } });
  return board;
}
