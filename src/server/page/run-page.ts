// The page of one run: what `/pair` in a terminal opens. The same routes as a daemon's, for the one session of the terminal, on loopback,
// with devices that are forgotten when the terminal ends.
import { randomBytes } from "node:crypto";
import type { PairOutcome } from "../../contract/page.js";
import { AskRegistry } from "../../host/asks/ask-registry.js";
import type { ServedSessions } from "../../host/served-session.js";
import { createDaemonApp } from "../http/daemon-app.js";
import { startHttpServer } from "../http/http-server.js";
import { loopbackHosts } from "../http/request-guard.js";
import { sessionRoutes } from "../sessions/session-routes.js";
import { openPage } from "./page.js";

export interface RunPageOptions {
  readonly sessions: ServedSessions;
  readonly version: string;
  readonly project: string;
  readonly pageFolder?: string | null;
  onProblem(words: string): void;
}

export interface RunPage {
  /** The address by which one browser can pair, and what came of it. */
  newPairCode(): { readonly url: string; readonly outcome: Promise<PairOutcome> };
  close(): Promise<void>;
}

const HOST = "127.0.0.1";

export async function openRunPage({
  sessions,
  version,
  project,
  onProblem,
  ...rest
}: RunPageOptions): Promise<RunPage> {
  const cookieKey = `${project} ${randomBytes(8).toString("hex")}`;
  const folder = { project, cookieKey, devicesPath: null, pushPath: null };
  const page = await openPage({ ...rest, version, sessions, folder, say: onProblem });
  const app = createDaemonApp({
    groups: [...page.routes(new AskRegistry()), sessionRoutes(sessions)],
    version,
    onError: (error) => onProblem(String(error)),
  });
  const token = randomBytes(32).toString("hex");
  const { deviceOf } = page;
  const server = await startHttpServer({ app, host: HOST, port: 0, token, hosts: loopbackHosts, deviceOf });
  page.reachedAt(`http://${HOST}:${server.port}`);
  return {
    newPairCode: () => page.newPairCode(),
    async close() {
      page.close();
      await server.close();
    },
  };
}
