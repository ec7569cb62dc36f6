// Requests to an application over a real connection, without the guard in front of it. The server ends with its process.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DaemonApp } from "../../../src/server/http/daemon-app.js";

export type AppRequest = (path: string, init?: RequestInit) => Promise<Response>;

export function requestsTo(app: DaemonApp): { request: AppRequest } {
  const server = createServer((incoming, outgoing) => void app.respond(incoming, outgoing, { kind: "owner" })).unref();
  const listening = new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const request: AppRequest = async (path, init) => {
    await listening;
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
  };
  return { request };
}
