// A hub under load: agents that each ask once a minute, and sessions that stream all the time, on many machines in this process, each
// with its own connection and key; views that see every question, and people who answer after a while. Time can run faster. Before
// it, the machines rest, and what a machine costs that does nothing is counted.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { bytesOf } from "../../../src/host/asks/hub-link.js";
import { type HubAsk, storeAnswer, watchHubAsks } from "../../../src/host/asks/hub-view.js";
import type { OpenAgentLink } from "../../../src/host/hosted-agent.js";
import { SessionHost } from "../../../src/host/session-host.js";
import { NatsHub } from "../../../src/hub/nats/nats-hub.js";
import { createRedactor } from "../../../src/text/redact.js";
import { natsServerProgram, TestServer } from "../../hub/nats-server.js";
import { emptyLedger, Machine, question } from "./world.js";

export interface LoadOptions {
  readonly agents: number;
  readonly machines: number;
  readonly views: number;
  readonly sessions: number;
  readonly servers: number;
  /** Of simulated time. */
  readonly minutes: number;
  /** So many simulated seconds are one second. */
  readonly speed: number;
  readonly idleSeconds: number;
  /** So many questions were asked, answered and ended at the hub before. */
  readonly filled: number;
  say(words: string): void;
}

export interface LoadReport {
  readonly counts: Readonly<Record<string, number>>;
  /** Of each tenth of the run. */
  readonly tenthsP99Ms: readonly number[];
}

const THINK_MS = 2_000;
const FILLING_AT_ONCE = 100;
const PIECE_MS = 100;
const PIECES_PER_TURN = 100;

/** Null where no nats-server can be had. */
export async function runLoad(options: LoadOptions): Promise<LoadReport | null> {
  const program = natsServerProgram();
  if (program === null) return null;
  const server = await TestServer.start(program, { nodes: options.servers });
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "palaver-load-"));
  const load = new Load(options, { server, folder });
  try {
    return await load.run();
  } finally {
    await load.close();
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Load {
  private readonly options: LoadOptions;
  private readonly server: TestServer;
  private readonly ledger = emptyLedger();
  private readonly machines: Machine[];
  private readonly hosts: SessionHost[];
  private readonly views: NatsHub[] = [];
  /** When each view saw a question, one after the other. */
  private readonly delaysMs: { readonly atMs: number; readonly delayMs: number }[] = [];
  private readonly streams: NodeJS.Timeout[] = [];
  /** Of the event loop during the questions. */
  private readonly late = monitorEventLoopDelay({ resolution: 10 });

  constructor(options: LoadOptions, { server, folder }: { server: TestServer; folder: string }) {
    this.options = options;
    this.server = server;
    const network = { ports: server.nodes.map(({ port }) => port) };
    const link = streamingAgent(this.streams);
    this.hosts = Array.from({ length: options.machines }, (_, at) => createHost(join(folder, `h${at}`), link));
    this.machines = this.hosts.map(
      (host, at) => new Machine(`m${at}`, { server, network, folder, ledger: this.ledger, host }),
    );
  }

  async run(): Promise<LoadReport> {
    for (const { name } of this.machines) this.server.addUser("machine", name);
    for (let at = 0; at < this.options.views; at += 1) this.server.addUser("member", `v${at}`);
    await retried(() => this.server.connect(`v${this.options.views - 1}`).then((connection) => connection.close()));
    for (const machine of this.machines) await machine.up();
    const idle = await this.rest();
    for (let at = 0; at < this.options.views; at += 1) await this.openView(`v${at}`, at === 0 ? "answers" : "looks");
    await this.stream();
    await this.fill();
    const before = this.costs();
    const startedMs = performance.now();
    this.late.enable();
    await this.askAll(startedMs);
    await this.untilAnswered();
    this.late.disable();
    const seconds = (performance.now() - startedMs) / 1_000;
    return { counts: { ...this.latency(), ...this.costsSince(before, seconds), ...idle }, tenthsP99Ms: this.tenths() };
  }

  async close(): Promise<void> {
    for (const stream of this.streams) clearInterval(stream);
    await Promise.all([...this.views.map((hub) => hub.close()), ...this.machines.map((machine) => machine.kill())]);
    await Promise.all(this.hosts.map((host) => host.stop()));
  }

  private async rest(): Promise<Record<string, number>> {
    const sum = () => this.machines.reduce((all, { traffic }) => all + traffic().outBytes + traffic().inBytes, 0);
    const messages = () => this.machines.reduce((all, { traffic }) => all + traffic().outMsgs, 0);
    const [bytes, sent] = [sum(), messages()];
    await pause(this.options.idleSeconds * 1_000);
    const perMachine = (value: number) => Math.round(value / this.machines.length);
    return { idleBytesPerMachine: perMachine(sum() - bytes), idleMessagesPerMachine: perMachine(messages() - sent) };
  }

  private async openView(name: string, does: "answers" | "looks"): Promise<void> {
    const hub = await NatsHub.open(await this.server.connect(name), { user: name });
    this.views.push(hub);
    const onOpen = (ask: HubAsk) => {
      const atMs = performance.now();
      this.delaysMs.push({ atMs, delayMs: atMs - (this.ledger.asked.get(ask.ask.id) ?? atMs) });
      const answer = () => void storeAnswer(hub, ask, { value: true }, { person: name }).catch(() => undefined);
      if (does === "answers") setTimeout(answer, THINK_MS / this.options.speed);
    };
    await watchHubAsks(hub, { onOpen, onClosed: () => undefined });
  }

  private async stream(): Promise<void> {
    const agent = { name: "load", command: { command: "load", args: [] }, protocol: "lines", memory: "none" } as const;
    for (let at = 0; at < this.options.sessions; at += 1) {
      await this.hosts[at % this.hosts.length]?.startNew(agent, { cwd: tmpdir() });
    }
  }

  // What an earlier time has left in the streams.
  private async fill(): Promise<void> {
    const { filled, say } = this.options;
    if (filled === 0) return;
    const [person] = this.views;
    const machine = await NatsHub.open(await this.server.connect("m0"), { user: "m0" });
    let next = 0;
    const fillOne = async () => {
      for (let at = next++; at < filled; at = next++) {
        const address = { machine: "m0", daemon: "before", ask: `b${at}` };
        const { ask, answer, end } = earlierRecords(address.ask);
        await machine.put({ kind: "question", ...address }, bytesOf(ask));
        await person?.put({ kind: "answer", ...address, person: "v0" }, bytesOf(answer));
        await machine.put({ kind: "end", ...address }, bytesOf(end));
      }
    };
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: FILLING_AT_ONCE }, fillOne));
    say(`${filled} earlier questions were written in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
    await machine.close();
  }

  // Evenly over the minute, as a thousand agents that know nothing of each other.
  private async askAll(startedMs: number): Promise<void> {
    const { agents, minutes, speed } = this.options;
    const gapMs = 60_000 / agents / speed;
    for (let at = 0; at < agents * minutes; at += 1) {
      const waitMs = startedMs + at * gapMs - performance.now();
      if (waitMs > 1) await pause(waitMs);
      this.machines[at % this.machines.length]?.ask(`q${at}`);
      if ((at + 1) % Math.ceil((agents * minutes) / 10) === 0) {
        this.options.say(`${at + 1} questions asked, 99 % seen within ${this.latency()["p99Ms"]} ms so far`);
      }
    }
  }

  private async untilAnswered(): Promise<void> {
    const untilMs = performance.now() + 60_000;
    while (this.ledger.outcomes.size < this.ledger.asked.size && performance.now() < untilMs) await pause(50);
  }

  private latency(): Record<string, number> {
    const delays = this.delaysMs.map(({ delayMs }) => delayMs);
    return {
      ...{ questions: this.ledger.asked.size, answered: this.ledger.outcomes.size, seen: delays.length },
      ...{ p50Ms: shareOf(delays, 0.5), p99Ms: shareOf(delays, 0.99), maxMs: shareOf(delays, 1) },
      // This process is all machines and views: what it is late, they are.
      loopLateP99Ms: Math.round(this.late.percentile(99) / 1e6),
    };
  }

  private tenths(): number[] {
    const sorted = this.delaysMs.toSorted((one, other) => one.atMs - other.atMs);
    const [first, last] = [sorted[0]?.atMs ?? 0, sorted.at(-1)?.atMs ?? 0];
    const tenth = ({ atMs }: { atMs: number }) => Math.min(9, Math.floor((10 * (atMs - first)) / (last - first + 1)));
    return Array.from({ length: 10 }, (_, at) =>
      shareOf(
        sorted.filter((delay) => tenth(delay) === at).map(({ delayMs }) => delayMs),
        0.99,
      ),
    );
  }

  private costs() {
    const pids = this.server.nodes.map(({ child }) => child?.pid ?? 0);
    const messages = this.machines.reduce((all, { traffic }) => all + traffic().outMsgs, 0);
    return { cpuMs: pids.reduce((all, pid) => all + cpuMsOf(pid), 0), diskBytes: this.server.storeBytes(), messages };
  }

  private costsSince(before: ReturnType<typeof this.costs>, seconds: number): Record<string, number> {
    const after = this.costs();
    const each = (value: number) => Math.round((100 * value) / this.ledger.asked.size) / 100;
    const [pid = 0] = this.server.nodes.map(({ child }) => child?.pid ?? 0);
    return {
      ...{ seconds: Math.round(seconds), diskBytesPerQuestion: Math.round(each(after.diskBytes - before.diskBytes)) },
      ...{ serverCpuMsPerQuestion: each(after.cpuMs - before.cpuMs), serverMemoryMb: memoryMbOf(pid) },
      // This process: all machines with their sessions, and all views; and what of it is in use.
      ...{ machinesMemoryMb: memoryMbOf(process.pid), machinesHeapMb: heapMb() },
      machineMessagesPerQuestion: each(after.messages - before.messages),
    };
  }
}

/** The records of one question, as large as those of the run. */
function earlierRecords(id: string) {
  const at = new Date().toISOString();
  const about = { tool: "", command: "", paths: [] };
  const outcome = { kind: "answered", value: true, by: "hub:v0" };
  const entry = {
    ...{ askId: id, sessionId: null, kind: "confirm", title: `Deploy ${id}?`, about, outcome, agent: "chaos" },
    ...{ folder: "m0", askedAt: at, shownAt: null, settledAt: at, deliveredAt: at, delivery: "delivered" },
  };
  return {
    ask: { version: 1, ask: question(id), project: "m0", askedAt: at, onlyThere: null },
    answer: { version: 1, nonce: id.padEnd(24), from: "here", question: "0".repeat(64), answer: { value: true } },
    end: { version: 1, taken: { person: "v0", seq: 1, from: "here" }, entry, shown: [] },
  };
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

function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function memoryMbOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024);
}

/** After a collection: without what is not needed any more. */
function heapMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return Math.round(process.memoryUsage().heapUsed / 1024 ** 2);
}

export function shareOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > 400) throw error;
      await pause(50);
    }
  }
}
