// `/pair` in a terminal: opens its session to a browser. It is loaded on first use and ends with the terminal.

import { randomBytes } from "node:crypto";
import type { PairOutcome } from "../contract/page.js";
import type { AgentConnection } from "../host/agent-connection.js";
import { AskRegistry } from "../host/asks/ask-registry.js";
import type { ServedSessions } from "../host/served-session.js";
import { shareRun } from "../host/shared-run.js";
import { createDaemonApp } from "../server/http/daemon-app.js";
import { startHttpServer } from "../server/http/http-server.js";
import { loopbackHosts } from "../server/http/request-guard.js";
import { openPage } from "../server/page/page.js";
import { DaemonError } from "../server/project/daemon-error.js";
import { sessionRoutes } from "../server/sessions/session-routes.js";
import { steadyNowMs } from "../system/timers.js";
import { createRedactor, type Redactor, secretsIn } from "../text/redact.js";
import { publicOrigin } from "./arguments.js";
import { pairText } from "./commands/pair-commands.js";
import { processClock } from "./process-clock.js";

export interface RunPairingOptions {
  readonly connection: AgentConnection;
  readonly agent: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the page listens, and where browsers elsewhere reach it: an https:// address, or empty. */
  readonly port: number;
  readonly publicUrl: string;
  /** Secrets that were typed so far; what shows a code is added. */
  readonly secrets: Set<string>;
}

export interface RunPairing {
  readonly redactor: Redactor;
  /** Shows a new address; `say` gets words for the user, now and when the device has paired. */
  pair(say: (words: string) => void): Promise<void>;
  close(): Promise<void>;
}

export async function openRunPairing(options: RunPairingOptions): Promise<RunPairing> {
  const { connection, agent, folder, environment, secrets, port, publicUrl } = options;
  const outside = publicUrl === "" ? undefined : publicOrigin("pair.public_url", publicUrl);
  const redactor = createRedactor([...secretsIn(environment), ...secrets]);
  const shiftMs = steadyNowMs() - processClock.nowMs();
  const shared = shareRun({ connection, redaction: redactor, agent, folder, shiftMs });
  const say = (words: string) => connection.source.dispatch({ type: "notice", level: "warn", text: words });
  const page = await openRunPage({
    ...{ sessions: shared, version: PALAVER_VERSION, project: folder, onProblem: say, port },
    publicOrigin: outside,
  }).catch(async (error: unknown) => {
    await shared.close();
    throw withCure(error);
  });
  let isOpen = true;
  return {
    redactor,
    async pair(show) {
      const { url, outcome } = page.newPairCode();
      const text = pairText(url, "plain", SETTINGS_WORDS);
      // The code is for those at this terminal, and not for views elsewhere or an exported transcript.
      redactor.declare(text);
      secrets.add(text);
      show(text);
      const result = await outcome;
      if (!isOpen) return;
      show(result.state === "paired" ? `paired: ${result.device.name}` : "no device has paired; the code has expired");
    },
    async close() {
      isOpen = false;
      await page.close();
      await shared.close();
    },
  };
}

function withCure(error: unknown): unknown {
  if (!(error instanceof DaemonError) || error.code !== "port_taken") return error;
  return new Error(`${error.message}; choose another one: palaver config set pair.port 0`);
}

// The page of one run: what `/pair` in a terminal opens. The same routes as a daemon's, for the one session of the terminal, on loopback,
// with devices that are forgotten when the terminal ends.

interface RunPageOptions {
  readonly sessions: ServedSessions;
  readonly version: string;
  readonly project: string;
  readonly pageFolder?: string | null;
  readonly port: number;
  readonly publicOrigin: string | undefined;
  onProblem(words: string): void;
}

interface RunPage {
  /** The address by which one browser can pair, and what came of it. */
  newPairCode(): { readonly url: string; readonly outcome: Promise<PairOutcome> };
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const SETTINGS_WORDS = "set pair.port and pair.public_url";

async function openRunPage({ sessions, version, project, onProblem, port, ...rest }: RunPageOptions): Promise<RunPage> {
  const cookieKey = `${project} ${randomBytes(8).toString("hex")}`;
  const folder = { project, cookieKey, devicesPath: null, pushPath: null };
  const { publicOrigin: outside, pageFolder } = rest;
  const onlySession = sessions.all()[0]?.id;
  const page = await openPage({
    ...{ version, sessions, folder, onlySession, say: onProblem },
    ...(pageFolder === undefined ? {} : { pageFolder }),
  });
  const app = createDaemonApp({
    groups: [...page.routes(new AskRegistry()), sessionRoutes(sessions)],
    version,
    onError: (error) => onProblem(String(error)),
  });
  const token = randomBytes(32).toString("hex");
  const { deviceOf } = page;
  const server = await startHttpServer({
    ...{ app, host: HOST, port, token, hosts: loopbackHosts, deviceOf, publicOrigin: outside },
  });
  page.reachedAt(outside ?? `http://${HOST}:${server.port}`);
  return {
    newPairCode: () => page.newPairCode(),
    async close() {
      page.close();
      await server.close();
    },
  };
}
