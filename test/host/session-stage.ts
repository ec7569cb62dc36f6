// A daemon in this process with a scripted agent in it, and front ends that reach it over real HTTP.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { SessionLink } from "../../src/agents/dialect-link.js";
import { type DaemonLinkOptions, openDaemonLink } from "../../src/agents/remote/daemon-link.js";
import { askDaemonForJson, type JsonAnswer } from "../../src/agents/remote/daemon-request.js";
import type { Ask, AskOutcome } from "../../src/contract/asks.js";
import { hostedSessionsSchema } from "../../src/contract/hosted-sessions.js";
import { textOf } from "../../src/contract/message-parts.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { AskRegistry } from "../../src/host/asks/ask-registry.js";
import type { HostedAgent } from "../../src/host/hosted-agent.js";
import { type FoundAgent, SessionHost, type SessionHostOptions } from "../../src/host/session-host.js";
import { daemonFolderOf, projectOf } from "../../src/server/project/daemon-folder.js";
import { type Daemon, serveDaemon } from "../../src/server/serve-daemon.js";
import { sessionRoutes } from "../../src/server/sessions/session-routes.js";
import { createRedactor } from "../../src/text/redact.js";
import { temporaryFolder } from "../server/temporary-folder.js";

const script = fileURLToPath(new URL("scripted-agent.mjs", import.meta.url));

export const scripted: HostedAgent = {
  name: "scripted",
  command: { command: process.execPath, args: [script] },
  protocol: "lines",
  memory: "session-file",
};

export type StageOptions = Partial<SessionHostOptions> & {
  readonly folder?: string;
  readonly heartbeatMs?: number;
};

export class Stage {
  readonly daemon: Daemon;
  readonly host: SessionHost;
  readonly board: AskRegistry;
  readonly folder: string;

  constructor(parts: { daemon: Daemon; host: SessionHost; board: AskRegistry; folder: string }) {
    ({ daemon: this.daemon, host: this.host, board: this.board, folder: this.folder } = parts);
  }

  get url(): string {
    return this.daemon.url;
  }

  async ask(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<JsonAnswer> {
    return askDaemonForJson(this.daemon, path, { method, body, signal: AbortSignal.timeout(20_000) });
  }

  async sessions() {
    return hostedSessionsSchema.parse((await this.ask("GET", "/sessions")).body);
  }

  /** A session of the scripted agent that is ready. */
  async start(agent = scripted): Promise<string> {
    const { id } = await this.host.startNew(agent, { cwd: this.daemon.project });
    await expect
      .poll(async () => (await this.sessions()).find((session) => session.id === id)?.state, slow)
      .toBe("idle");
    return id;
  }

  attach(sessionId: string, name: string, more: Partial<DaemonLinkOptions> = {}): FrontEnd {
    return new FrontEnd({ url: this.url, token: this.daemon.token, sessionId, name, ...more });
  }
}

export const slow = { timeout: 20_000 };

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const folder = options.folder ?? temporaryFolder();
  const environment = { XDG_STATE_HOME: join(folder, "state") };
  const project = projectOf(folder);
  const board: AskRegistry = new AskRegistry({ onAudit: (record) => host.audited(record) });
  const host: SessionHost = new SessionHost({
    project,
    board,
    redaction: createRedactor(),
    findAgent: ({ agent, command }): FoundAgent => {
      if (command !== undefined)
        return { ...scripted, name: null, command: { command: command[0] ?? "", args: command.slice(1) } };
      return agent === "scripted" ? scripted : { problem: `there is no agent "${agent}"` };
    },
    starts: "named-agents",
    ...options,
    folder: join(daemonFolderOf(project, environment).path, "sessions"),
  });
  const routes = sessionRoutes(host, options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs });
  const daemon = await serveDaemon({
    ...{ tui: null, asks: board, version: "1.0.0", folder, environment },
    groups: [routes],
    onEnding: () => host.stop(),
  });
  onTestFinished(() => daemon.stop());
  await host.resume();
  return new Stage({ daemon, host, board, folder });
}

/** What a front end heard, in order. */
export class FrontEnd {
  readonly events: SessionEvent[] = [];
  readonly settled: { askId: string; outcome: AskOutcome }[] = [];
  readonly link: SessionLink;
  caughtUp = 0;

  constructor(options: Omit<DaemonLinkOptions, "onEvent" | "nowMs" | "onAskSettled" | "onCaughtUp">) {
    this.link = openDaemonLink({
      ...options,
      nowMs: () => performance.now(),
      onEvent: (event) => void this.events.push(event),
      onAskSettled: (askId, outcome) => void this.settled.push({ askId, outcome }),
      onCaughtUp: () => {
        this.caughtUp += 1;
      },
    });
    onTestFinished(async () => void (await this.link.stop()));
  }

  of<Type extends SessionEvent["type"]>(type: Type): Extract<SessionEvent, { type: Type }>[] {
    return this.events.filter((event): event is Extract<SessionEvent, { type: Type }> => event.type === type);
  }

  prompt(text: string): void {
    this.link.send({ type: "prompt", text });
  }

  answer(ask: Ask, result: unknown): void {
    this.link.send({ type: "ui_response", id: ask.id, result, error: null });
  }

  /** What was said, message by message. */
  said(): string[] {
    return this.of("message.finished").map(({ message }) => textOf(message.content));
  }

  prompts(): string[] {
    return this.of("message.started").flatMap(({ message }) =>
      message.role === "user" ? [textOf(message.content)] : [],
    );
  }

  async heard(words: string): Promise<void> {
    await expect.poll(() => this.said(), slow).toContain(words);
  }

  async asked(): Promise<Ask> {
    await expect.poll(() => this.of("ask.raised").length, slow).toBeGreaterThan(0);
    const ask = this.of("ask.raised").at(-1)?.ask;
    if (ask === undefined) throw new Error("nothing was asked");
    return ask;
  }

  async isCaughtUp(times = 1): Promise<void> {
    await expect.poll(() => this.caughtUp, slow).toBeGreaterThanOrEqual(times);
  }
}
