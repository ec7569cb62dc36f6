// A daemon in this process with a scripted agent in it, and front ends that reach it over real HTTP.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { askDaemonForJson, type JsonAnswer } from "../../src/agents/remote/daemon-request.js";
import type { Ask, AskOutcome } from "../../src/contract/asks.js";
import { hostedSessionsSchema } from "../../src/contract/hosted-sessions.js";
import { AskRegistry } from "../../src/host/asks/ask-registry.js";
import type { HostedAgent } from "../../src/host/hosted-agent.js";
import { RemoteSession, type RemoteSessionOptions } from "../../src/host/remote-session.js";
import { type FoundAgent, SessionHost, type SessionHostOptions } from "../../src/host/session-host.js";
import type { NotifyOptions } from "../../src/server/page/page.js";
import { daemonFolderOf, PALAVER, projectOf } from "../../src/server/project/daemon-folder.js";
import { type Daemon, serveDaemon } from "../../src/server/serve-daemon.js";
import { openAsks } from "../../src/session/asks.js";
import type { Change } from "../../src/session/engine/engine-messages.js";
import { activeSession } from "../../src/session/engine/engine-state.js";
import type { Block } from "../../src/session/transcript/block.js";
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
  readonly notify?: NotifyOptions;
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

  /** What a view wants, as a script would send it. */
  async send(sessionId: string, intent: unknown, by = "script"): Promise<JsonAnswer> {
    return this.ask("POST", `/sessions/${sessionId}/intents?by=${by}`, { intent });
  }

  attach(sessionId: string, name: string, more: Partial<RemoteSessionOptions> = {}): FrontEnd {
    return new FrontEnd({ url: this.url, token: this.daemon.token, sessionId, name, ...more });
  }
}

export const slow = { timeout: 20_000 };

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const folder = options.folder ?? temporaryFolder();
  const environment = { XDG_STATE_HOME: join(folder, "state") };
  const project = projectOf(folder);
  const board = new AskRegistry();
  const host = new SessionHost({
    project,
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
  board.include(host.asks);
  const daemon = await serveDaemon({
    ...{ tui: null, asks: board, program: PALAVER, version: "1.0.0", folder, environment },
    sessions: host,
    notify: options.notify,
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
    onEnding: () => host.stop(),
  });
  onTestFinished(() => daemon.stop());
  await host.resume();
  return new Stage({ daemon, host, board, folder });
}

/** A view of a hosted session, without a screen. */
export class FrontEnd {
  readonly changes: Change[] = [];
  readonly session: RemoteSession;

  constructor(options: Omit<RemoteSessionOptions, "nowMs">) {
    this.session = new RemoteSession({ tailChars: 4_000_000, ...options, nowMs: () => performance.now() });
    this.session.subscribe((changes) => void this.changes.push(...changes));
    void this.session.open();
    onTestFinished(() => this.session.close());
  }

  of<Type extends Change["type"]>(type: Type): Extract<Change, { type: Type }>[] {
    return this.changes.filter((change): change is Extract<Change, { type: Type }> => change.type === type);
  }

  get facts() {
    return activeSession(this.session.state).facts;
  }

  get settled(): { askId: string; outcome: AskOutcome }[] {
    return this.of("ask.settled").map(({ ask, outcome }) => ({ askId: ask.id, outcome }));
  }

  prompt(text: string): void {
    this.session.dispatch({ type: "submit", text });
  }

  answer(ask: Ask, value: unknown): void {
    this.session.dispatch({ type: "answer", askId: ask.id, value });
  }

  /** The closed blocks, as they stand in the journal. */
  blocks<Kind extends Block["kind"]>(kind: Kind): Extract<Block, { kind: Kind }>[] {
    const { blocks } = activeSession(this.session.state).journal;
    return blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);
  }

  /** What the agent said, message by message. */
  said(): string[] {
    return this.blocks("prose").map(({ text }) => text);
  }

  prompts(): string[] {
    return this.blocks("prompt").map(({ text }) => text);
  }

  notices(): string[] {
    return this.blocks("notice").map(({ text }) => text);
  }

  async heard(words: string): Promise<void> {
    await expect.poll(() => this.said(), slow).toContain(words);
  }

  async asked(): Promise<Ask> {
    await expect.poll(() => openAsks(this.session.state.asks).length, slow).toBeGreaterThan(0);
    const ask = openAsks(this.session.state.asks).at(-1);
    if (ask === undefined) throw new Error("nothing was asked");
    return ask;
  }

  async isCaughtUp(): Promise<void> {
    await expect.poll(() => this.session.phase, slow).not.toBe("catching up");
  }

  /** Nothing is being done any more. */
  async isIdle(): Promise<void> {
    await expect
      .poll(() => [this.session.phase, this.facts.phase, this.facts.queue.length], slow)
      .toEqual(["live", "idle", 0]);
  }

  /** The words with which the session ended for this view. */
  async ended(): Promise<string> {
    await expect.poll(() => this.session.phase, slow).toBe("ended");
    return this.of("agent").at(-1)?.words.join(" ") ?? "";
  }
}
