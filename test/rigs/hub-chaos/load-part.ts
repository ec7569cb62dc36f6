// One process of the load: machines with their agents and streaming sessions, or the views. It does what the conductor calls, and
// measures itself: what one process is late, or keeps in memory, is not the lateness of another one.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { NatsConnection } from "@nats-io/transport-node";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { type HubAsk, storeAnswer, watchHubAsks } from "../../../src/host/asks/hub-view.js";
import type { OpenAgentLink } from "../../../src/host/hosted-agent.js";
import { SessionHost } from "../../../src/host/session-host.js";
import { connectHub } from "../../../src/hub/nats/connection.js";
import { NatsHub } from "../../../src/hub/nats/nats-hub.js";
import { createRedactor } from "../../../src/text/redact.js";
import { pause, sharedNowMs } from "./waits.js";
import { emptyLedger, Machine } from "./world.js";

export interface PartSettings {
  readonly does: "machines" | "views";
  /** Of its users at the hub. */
  readonly names: readonly string[];
  readonly keysFolder: string;
  readonly ports: readonly number[];
  readonly folder: string;
  /** So many simulated seconds are one second. */
  readonly speed: number;
}

/** The questions of this part: the first one and every further `step`th, each when its turn comes. */
export interface AskShare {
  readonly first: number;
  readonly step: number;
  readonly count: number;
  /** On the clock of all parts. */
  readonly startMs: number;
  readonly gapMs: number;
}

/** Since the last time, except where it says otherwise. */
export interface PartMeasure {
  readonly cpuMs: number;
  /** Of the event loop. */
  readonly lateP99Ms: number;
  /** How long each view needed to see a question. */
  readonly delaysMs: readonly number[];
  /** All. */
  readonly asked: number;
  readonly answered: number;
  readonly sentMessages: number;
  readonly receivedMessages: number;
  readonly bytes: number;
}

export interface PartCalls {
  up(): Promise<void>;
  stream(sessions: number): Promise<void>;
  ask(share: AskShare): Promise<void>;
  measure(): PartMeasure;
  /** After a collection: without what is not needed any more. */
  memory(): { readonly heapMb: number; readonly residentMb: number };
  close(): Promise<void>;
}

const THINK_MS = 2_000;
const PIECE_MS = 100;
const PIECES_PER_TURN = 100;

class Part implements PartCalls {
  private readonly settings: PartSettings;
  private readonly ledger = emptyLedger();
  private readonly hosts: SessionHost[] = [];
  private readonly machines: Machine[] = [];
  private readonly views: NatsHub[] = [];
  private readonly connections: NatsConnection[] = [];
  private readonly streams: NodeJS.Timeout[] = [];
  private delaysMs: number[] = [];
  private cpu = process.cpuUsage();
  private readonly late = monitorEventLoopDelay({ resolution: 10 });

  constructor(settings: PartSettings) {
    this.settings = settings;
    this.late.enable();
  }

  async up(): Promise<void> {
    const { does, names } = this.settings;
    for (const [at, name] of names.entries()) {
      if (does === "machines") await this.openMachine(name);
      else await this.openView(name, at === 0 ? "answers" : "looks");
    }
  }

  async stream(sessions: number): Promise<void> {
    const agent = { name: "load", command: { command: "load", args: [] }, protocol: "lines", memory: "none" } as const;
    for (let at = 0; at < sessions; at += 1) {
      await this.hosts[at % this.hosts.length]?.startNew(agent, { cwd: tmpdir() });
    }
  }

  // A question has in its id when it was asked, for the views are elsewhere.
  async ask({ first, step, count, startMs, gapMs }: AskShare): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const number = first + at * step;
      const waitMs = startMs + number * gapMs - sharedNowMs();
      if (waitMs > 1) await pause(waitMs);
      this.machines[at % this.machines.length]?.ask(`q${number}-${Math.round(sharedNowMs() * 1_000)}`);
    }
  }

  measure(): PartMeasure {
    const { user, system } = process.cpuUsage(this.cpu);
    const { ledger, delaysMs } = this;
    const traffic = this.connections.map((connection) => connection.stats());
    const sum = (of: (each: (typeof traffic)[number]) => number) => traffic.reduce((all, each) => all + of(each), 0);
    const measured = {
      ...{ cpuMs: (user + system) / 1_000, lateP99Ms: Math.round(this.late.percentile(99) / 1e6), delaysMs },
      ...{ asked: ledger.asked.size, answered: ledger.outcomes.size },
      ...{ sentMessages: sum(({ outMsgs }) => outMsgs), receivedMessages: sum(({ inMsgs }) => inMsgs) },
      ...{ bytes: sum(({ outBytes, inBytes }) => outBytes + inBytes) },
    };
    this.cpu = process.cpuUsage();
    this.late.reset();
    this.delaysMs = [];
    return measured;
  }

  memory() {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    const { heapUsed, rss } = process.memoryUsage();
    return { heapMb: Math.round(heapUsed / 1024 ** 2), residentMb: Math.round(rss / 1024 ** 2) };
  }

  async close(): Promise<void> {
    for (const stream of this.streams) clearInterval(stream);
    await Promise.all([...this.views.map((hub) => hub.close()), ...this.machines.map((machine) => machine.kill())]);
    await Promise.all(this.hosts.map((host) => host.stop()));
  }

  private async openMachine(name: string): Promise<void> {
    const { folder, ports } = this.settings;
    const host = createHost(join(folder, `sessions-${name}`), streamingAgent(this.streams));
    const server = { connectThrough: (user: string) => this.connect(user) };
    const machine = new Machine(name, { server, network: { ports: [...ports] }, folder, ledger: this.ledger, host });
    this.hosts.push(host);
    this.machines.push(machine);
    await machine.up();
  }

  private async connect(user: string): Promise<NatsConnection> {
    const { ports, keysFolder } = this.settings;
    const url = ports.map((port) => `nats://127.0.0.1:${port}`).join(",");
    const connection = await connectHub({ url, user, keyPath: join(keysFolder, `${user}.nk`) });
    this.connections.push(connection);
    return connection;
  }

  private async openView(name: string, does: "answers" | "looks"): Promise<void> {
    const hub = await NatsHub.open(await this.connect(name), { user: name });
    this.views.push(hub);
    const onOpen = (ask: HubAsk) => {
      const askedMs = Number(ask.ask.id.split("-")[1]) / 1_000;
      this.delaysMs.push(sharedNowMs() - askedMs);
      const answer = () => void storeAnswer(hub, ask, { value: true }, { person: name }).catch(() => undefined);
      if (does === "answers") setTimeout(answer, THINK_MS / this.settings.speed);
    };
    await watchHubAsks(hub, { onOpen, onClosed: () => undefined });
  }
}

function createHost(folder: string, openLink: OpenAgentLink): SessionHost {
  return new SessionHost({
    ...{ folder, project: tmpdir(), redaction: createRedactor([]), starts: "anything", openLink },
    findAgent: () => ({ problem: "there is none" }),
  });
}

/** An agent in this process that works without end: ten pieces of text a second, and a new turn every ten seconds. */
function streamingAgent(streams: NodeJS.Timeout[]): OpenAgentLink {
  return (_, { onEvent }) => {
    let piece = 0;
    const tell = (event: SessionEvent) => onEvent(event);
    const exit = { code: 0, signal: null, error: null, stderrTail: "" };
    let leave: (how: typeof exit) => void = () => undefined;
    const exited = new Promise<typeof exit>((resolve) => {
      leave = resolve;
    });
    setImmediate(() => tell({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" }));
    const stream = setInterval(() => {
      const at = piece % PIECES_PER_TURN;
      piece += 1;
      if (at === 0) tell({ type: "prompt.started", sessionId: null });
      tell({ type: "message.grew", sessionId: null, index: 0, kind: "text", delta: "the parser reads a file " });
      if (at !== PIECES_PER_TURN - 1) return;
      tell({ type: "message.finished", sessionId: null, message: { role: "assistant", content: [] } });
      tell({ type: "prompt.finished", sessionId: null });
      tell({ type: "turn.finished", sessionId: null });
    }, PIECE_MS);
    streams.push(stream);
    return {
      ...{ send: () => "delivered", setFlow: () => undefined, exited },
      stop: async () => {
        clearInterval(stream);
        leave(exit);
        return exit;
      },
    };
  };
}

/** One call after the other, each with its reply. */
function serve(part: Part): void {
  process.on("message", ({ id, call, given }: { id: number; call: keyof PartCalls; given: unknown[] }) => {
    const work = async () => (part[call] as (...all: unknown[]) => unknown).apply(part, given);
    work().then(
      (result) => process.send?.({ id, result }),
      (error: unknown) => process.send?.({ id, problem: String(error) }),
    );
  });
  // Without its conductor it has nothing to do.
  process.on("disconnect", () => process.exit());
}

serve(new Part(JSON.parse(process.argv[2] ?? "") as PartSettings));
