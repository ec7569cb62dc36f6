// A hub under load: agents that each ask once a minute, and sessions that stream all the time, on many machines, each with its own
// connection and key; views that see every question, and people who answer after a while. Time can run faster. Machines and views are
// in processes of their own, so that one does not make the other late. Before it, the machines rest, and what a machine costs that
// does nothing is counted.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf } from "../../../src/host/asks/hub-link.js";
import { NatsHub } from "../../../src/hub/nats/nats-hub.js";
import { natsServerProgram, TestServer } from "../../hub/nats-server.js";
import type { PartMeasure } from "./load-part.js";
import { PartProcess } from "./part-process.js";
import { pause, retried, sharedNowMs, shareOf } from "./waits.js";
import { question } from "./world.js";

export interface LoadOptions {
  readonly agents: number;
  readonly machines: number;
  /** The machines are in so many processes. */
  readonly processes: number;
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
  /** The program of one process. */
  readonly partPath: string;
  say(words: string): void;
}

/** CPU is per question that was asked in it, with what the sessions need; messages are those of one view. */
interface Tenth {
  readonly p99Ms: number;
  readonly viewMessages: number;
  readonly machinesLateP99Ms: number;
  readonly viewsLateP99Ms: number;
  readonly serverCpuMs: number;
  readonly machinesCpuMs: number;
  readonly viewsCpuMs: number;
}

type LoadReport = Readonly<Record<string, number>>;

const FILLING_AT_ONCE = 100;
const ANSWERED_MS_MAX = 60_000;
/** Until all processes have heard that they begin. */
const HEAD_START_MS = 500;

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

/** What the processes measured since the last time. */
interface Measure {
  readonly machines: readonly PartMeasure[];
  readonly views: PartMeasure;
  readonly serverCpuMs: number;
}

class Load {
  private readonly options: LoadOptions;
  private readonly server: TestServer;
  private readonly machines: PartProcess[];
  private readonly views: PartProcess;
  private readonly delaysMs: number[] = [];
  private readonly latesMs: number[] = [];
  private serverCpuMs = 0;
  private viewsReceived = 0;

  constructor(options: LoadOptions, { server, folder }: { server: TestServer; folder: string }) {
    this.options = options;
    this.server = server;
    const { machines, processes, views, speed, partPath } = options;
    for (let at = 0; at < machines; at += 1) server.addUser("machine", `m${at}`);
    for (let at = 0; at < views; at += 1) server.addUser("member", `v${at}`);
    const ports = server.nodes.map(({ port }) => port);
    const common = { keysFolder: join(server.folder, "keys"), ports, folder, speed };
    const names = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at}`);
    this.machines = Array.from({ length: processes }, (_, part) => {
      const own = names("m", machines).filter((_, at) => at % processes === part);
      return new PartProcess(partPath, { ...common, does: "machines", names: own });
    });
    this.views = new PartProcess(partPath, { ...common, does: "views", names: names("v", views) });
  }

  async run(): Promise<LoadReport> {
    const { sessions, processes, views } = this.options;
    await retried(() => this.server.connect(`v${views - 1}`).then((connection) => connection.close()));
    await this.each((part) => part.call("up"));
    const idle = await this.rest();
    await this.views.call("up");
    await this.each((part, at) => part.call("stream", Math.floor((sessions + at) / processes)));
    await this.fill();
    const first = await this.measure();
    this.viewsReceived = first.views.receivedMessages;
    const before = this.costs(first);
    const startedMs = performance.now();
    await this.askAll();
    const last = await this.untilAnswered();
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    const costs = costsEach(before, this.costs(last), askedIn(last));
    return { seconds, ...this.latency(last), ...costs, ...(await this.memory()), ...idle };
  }

  async close(): Promise<void> {
    await Promise.all([this.views, ...this.machines].map((part) => part.close()));
  }

  private each<Result>(work: (part: PartProcess, at: number) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.machines.map(work));
  }

  private async rest(): Promise<Record<string, number>> {
    const [bytes, sent] = await this.traffic();
    await pause(this.options.idleSeconds * 1_000);
    const [bytesAfter, sentAfter] = await this.traffic();
    const perMachine = (value: number) => Math.round(value / this.options.machines);
    return {
      idleBytesPerMachine: perMachine(bytesAfter - bytes),
      idleMessagesPerMachine: perMachine(sentAfter - sent),
    };
  }

  private async traffic(): Promise<[bytes: number, messages: number]> {
    const measured = await this.each((part) => part.call("measure"));
    return [sum(measured, ({ bytes }) => bytes), sum(measured, ({ sentMessages }) => sentMessages)];
  }

  // What an earlier time has left in the streams.
  private async fill(): Promise<void> {
    const { filled, say } = this.options;
    if (filled === 0) return;
    const person = await NatsHub.open(await this.server.connect("v0"), { user: "v0" });
    const machine = await NatsHub.open(await this.server.connect("m0"), { user: "m0" });
    let next = 0;
    const fillOne = async () => {
      for (let at = next++; at < filled; at = next++) {
        const address = { machine: "m0", daemon: "before", ask: `b${at}` };
        const { ask, answer, end } = earlierRecords(address.ask);
        await machine.put({ kind: "question", ...address }, bytesOf(ask));
        await person.put({ kind: "answer", ...address, person: "v0" }, bytesOf(answer));
        await machine.put({ kind: "end", ...address }, bytesOf(end));
      }
    };
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: FILLING_AT_ONCE }, fillOne));
    say(`${filled} earlier questions were written in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
    await Promise.all([machine.close(), person.close()]);
  }

  // Evenly over the minute, as a thousand agents that know nothing of each other.
  private async askAll(): Promise<void> {
    const { agents, minutes, speed, processes } = this.options;
    const questions = agents * minutes;
    const gapMs = 60_000 / agents / speed;
    const startMs = sharedNowMs() + HEAD_START_MS;
    const asking = this.each((part, first) => {
      const count = Math.ceil((questions - first) / processes);
      return part.call("ask", { first, step: processes, count, startMs, gapMs });
    });
    for (let tenth = 1, asked = 0; tenth <= 10; tenth += 1) {
      await (tenth === 10 ? asking : pause(startMs + (tenth * questions * gapMs) / 10 - sharedNowMs()));
      const measured = await this.measure();
      const found = this.tenthOf(measured, askedIn(measured) - asked);
      asked = askedIn(measured);
      this.options.say(`${asked} questions asked: ${tenthWords(found)}`);
    }
  }

  private async measure(): Promise<Measure> {
    const [machines, views] = await Promise.all([
      this.each((part) => part.call("measure")),
      this.views.call("measure"),
    ]);
    const before = this.serverCpuMs;
    this.serverCpuMs = sum(this.server.nodes, ({ child }) => cpuMsOf(child?.pid ?? 0));
    return { machines, views, serverCpuMs: this.serverCpuMs - before };
  }

  private tenthOf({ machines, views, serverCpuMs }: Measure, asked: number): Tenth {
    const lates = { machines: Math.max(...machines.map(({ lateP99Ms }) => lateP99Ms)), views: views.lateP99Ms };
    this.latesMs.push(lates.machines, lates.views);
    this.delaysMs.push(...views.delaysMs);
    const viewMessages = (views.receivedMessages - this.viewsReceived) / this.options.views;
    this.viewsReceived = views.receivedMessages;
    const each = (value: number) => Math.round((100 * value) / asked) / 100;
    return {
      p99Ms: shareOf(views.delaysMs, 0.99),
      viewMessages: each(viewMessages),
      ...{ machinesLateP99Ms: lates.machines, viewsLateP99Ms: lates.views, serverCpuMs: each(serverCpuMs) },
      ...{ machinesCpuMs: each(sum(machines, ({ cpuMs }) => cpuMs)), viewsCpuMs: each(views.cpuMs) },
    };
  }

  private async untilAnswered(): Promise<Measure> {
    const untilMs = performance.now() + ANSWERED_MS_MAX;
    for (;;) {
      const measured = await this.measure();
      this.delaysMs.push(...measured.views.delaysMs);
      const isOver = measured.machines.every(({ asked, answered }) => asked === answered);
      if (isOver || performance.now() > untilMs) return measured;
      await pause(50);
    }
  }

  private latency(last: Measure): Record<string, number> {
    return {
      ...{ questions: askedIn(last), answered: sum(last.machines, ({ answered }) => answered) },
      ...{ seen: this.delaysMs.length, p50Ms: shareOf(this.delaysMs, 0.5), p99Ms: shareOf(this.delaysMs, 0.99) },
      // What a process is late, its machines and views are.
      ...{ maxMs: shareOf(this.delaysMs, 1), loopLateP99MsMax: Math.max(...this.latesMs) },
    };
  }

  private costs({ machines }: Measure): Costs {
    const messages = sum(machines, ({ sentMessages }) => sentMessages);
    return { messages, serverCpuMs: this.serverCpuMs, diskBytes: this.server.storeBytes() };
  }

  private async memory(): Promise<Record<string, number>> {
    const [views, ...machines] = await Promise.all([this.views, ...this.machines].map((part) => part.call("memory")));
    const [pid = 0] = this.server.nodes.map(({ child }) => child?.pid ?? 0);
    return {
      serverMemoryMb: memoryMbOf(pid),
      ...{ viewsMemoryMb: views?.residentMb ?? 0, viewsHeapMb: views?.heapMb ?? 0 },
      machinesMemoryMb: sum(machines, ({ residentMb }) => residentMb),
      machinesHeapMb: sum(machines, ({ heapMb }) => heapMb),
    };
  }
}

interface Costs {
  readonly messages: number;
  readonly serverCpuMs: number;
  readonly diskBytes: number;
}

function costsEach(before: Costs, after: Costs, questions: number): Record<string, number> {
  const each = (of: keyof Costs) => Math.round((100 * (after[of] - before[of])) / questions) / 100;
  return {
    diskBytesPerQuestion: Math.round(each("diskBytes")),
    serverCpuMsPerQuestion: each("serverCpuMs"),
    machineMessagesPerQuestion: each("messages"),
  };
}

function askedIn({ machines }: Measure): number {
  return sum(machines, ({ asked }) => asked);
}

function tenthWords(tenth: Tenth): string {
  const { p99Ms, machinesLateP99Ms, viewsLateP99Ms, serverCpuMs, machinesCpuMs, viewsCpuMs, viewMessages } = tenth;
  const late = `late: machines ${machinesLateP99Ms}, views ${viewsLateP99Ms} ms`;
  const cpu = `server ${serverCpuMs}, machines ${machinesCpuMs}, views ${viewsCpuMs} ms of CPU`;
  return `99 % seen within ${p99Ms} ms; ${late}; each: ${cpu}, ${viewMessages} messages to a view`;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((all, item) => all + of(item), 0);
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

function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function memoryMbOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024);
}
