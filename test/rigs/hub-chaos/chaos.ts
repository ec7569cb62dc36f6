// A seeded run of a whole team on a real hub, with kills of brokers, daemons, agents and views, and a checker over all logs: every
// question ends once, the answer that was taken is the first in the log, and it is the one that the agent got.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { hubEndSchema } from "../../../src/contract/hub-bodies.js";
import { parsed } from "../../../src/host/asks/hub-link.js";
import { hubAsks } from "../../../src/host/asks/hub-view.js";
import { NatsHub } from "../../../src/hub/nats/nats-hub.js";
import { natsServerProgram, TestServer } from "../../hub/nats-server.js";
import { SeededRandom } from "../simulator/seeded-random.js";
import { CuttableNetwork } from "./network.js";
import { PowerDisk } from "./power-disk.js";
import { pause, retried, shareOf } from "./waits.js";
import { emptyLedger, Machine, Person } from "./world.js";

export interface ChaosOptions {
  readonly seed: number;
  readonly agents: number;
  readonly machines: number;
  readonly people: number;
  readonly servers: number;
  /** Of each: brokers, daemons, agents, views, and cuts of the network between machines and brokers. */
  readonly kills: number;
  /** Power failures of all brokers and machines at once: what was not synced is lost. */
  readonly powerCuts: number;
  /** "never": the brokers sync now and then, to see that the checker finds what is lost. */
  readonly sync: "always" | "never";
  readonly perSecond: number;
  readonly limitMs: number;
}

export interface ChaosReport {
  readonly findings: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** The disks whose power fails are small. */
const STREAM_BYTES_MAX = 8 * 1024 * 1024;

/** Null where no nats-server can be had. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport | null> {
  const program = natsServerProgram();
  if (program === null) return null;
  // The disks of twenty machines are not this machine's one disk.
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "palaver-chaos-"));
  const disks: PowerDisk[] = [];
  const diskAt = (path: string) => disks.push(new PowerDisk(path, join(folder, `disk${disks.length}`)));
  const machinesFolder = join(folder, "machines");
  mkdirSync(machinesFolder);
  const beforeStart = (server: TestServer) => {
    if (options.sync === "never") {
      for (const at of server.nodes.keys())
        server.changeConfig((text) => text.replace("sync_interval: always", ""), at);
    }
    if (options.powerCuts === 0) return;
    for (const { name } of server.nodes) diskAt(join(server.folder, name));
    diskAt(machinesFolder);
  };
  const small = options.powerCuts === 0 ? {} : { bytesMax: STREAM_BYTES_MAX };
  let server: TestServer | null = null;
  let network: CuttableNetwork | null = null;
  try {
    server = await TestServer.start(program, { nodes: options.servers, beforeStart, ...small });
    network = await CuttableNetwork.before(server.nodes.map(({ port }) => port));
    return await new Chaos(options, { server, network, folder: machinesFolder, disks }).run();
  } finally {
    network?.close();
    await server?.stopAll();
    for (const disk of disks) disk.unmount();
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The rest is asked when everything runs again. */
const SHARE_DURING_HARM = 0.8;

interface ChaosParts {
  readonly server: TestServer;
  readonly network: CuttableNetwork;
  /** Of the machines' journals. */
  readonly folder: string;
  readonly disks: readonly PowerDisk[];
}

class Chaos {
  private readonly options: ChaosOptions;
  private readonly server: TestServer;
  private readonly random: SeededRandom;
  private readonly ledger = emptyLedger();
  private readonly machines: Machine[];
  private readonly people: Person[];

  private readonly network: CuttableNetwork;
  private readonly disks: readonly PowerDisk[];
  /** When the last harm was over, every process was started again, and every stream had a leader. */
  private allUpMs = 0;
  /** Of the event loop, from then on. */
  private readonly late = monitorEventLoopDelay({ resolution: 10 });
  /** How long the brokers needed for that, once they ran. */
  private electedAfterMs = 0;

  constructor(options: ChaosOptions, { server, network, folder, disks }: ChaosParts) {
    this.options = options;
    this.disks = disks;
    this.server = server;
    this.network = network;
    this.random = new SeededRandom(options.seed);
    const { ledger } = this;
    this.machines = many(options.machines, (at) => new Machine(`m${at}`, { server, network, folder, ledger }));
    this.people = many(options.people, (at) => new Person(`p${at}`, { server, ledger }));
  }

  async run(): Promise<ChaosReport> {
    const startedMs = performance.now();
    for (const { name } of this.machines) this.server.addUser("machine", name);
    for (const { name } of this.people) this.server.addUser("member", name);
    await retried(() => this.server.connect(`p${this.options.people - 1}`).then((connection) => connection.close()));
    await Promise.all(this.machines.map((machine) => retried(() => machine.up())));
    await Promise.all(this.people.map((person) => retried(() => person.openView())));
    const untilHarmless = Math.floor(this.options.agents * SHARE_DURING_HARM);
    await Promise.all([this.askAll(0, untilHarmless), this.harm()]);
    await this.askAll(untilHarmless, this.options.agents);
    const isOver = await this.until(() => this.ledger.outcomes.size === this.options.agents);
    const endedMs = performance.now();
    const findings = isOver ? await this.checked() : [this.unfinished(), ...(await this.checked())];
    await Promise.all([
      ...this.people.map((person) => person.leave()),
      ...this.machines.map((machine) => machine.kill()),
    ]);
    return { findings, counts: { ...this.latencies(), seconds: Math.round((endedMs - startedMs) / 1_000) } };
  }

  private async askAll(from: number, to: number): Promise<void> {
    for (let at = from; at < to; at += 1) {
      this.machines[at % this.machines.length]?.ask(`q${at}`);
      await pause(this.below(2_000 / this.options.perSecond));
    }
  }

  private async harm(): Promise<void> {
    const kinds: ("broker" | "daemon" | "agent" | "view" | "network" | "power")[] = [
      ...(["broker", "daemon", "agent", "view", "network"] as const).flatMap((kind) =>
        many(this.options.kills, () => kind),
      ),
      ...many(this.options.powerCuts, () => "power" as const),
    ];
    while (kinds.length > 0) {
      const [kind] = kinds.splice(this.below(kinds.length), 1);
      if (kind === "broker") await this.harmBroker();
      else if (kind === "daemon") await this.harmDaemon();
      else if (kind === "agent") this.machines[this.below(this.machines.length)]?.restartAgent(this.below(1_000));
      else if (kind === "network") await this.harmNetwork();
      else if (kind === "power") await this.harmPower();
      else await this.harmView();
      await pause(this.below(150));
    }
    const startedMs = performance.now();
    await retried(() => this.hubAnswers());
    this.allUpMs = performance.now();
    this.late.enable();
    this.electedAfterMs = this.allUpMs - startedMs;
  }

  /** In the background; what never comes up again is a finding. */
  private restart(work: () => Promise<void>): void {
    retried(work).catch((error: unknown) => this.ledger.problems.push(String(error)));
  }

  private async hubAnswers(): Promise<void> {
    const connection = await this.server.connect("p0");
    await NatsHub.open(connection, { user: "p0" }).finally(() => connection.close());
  }

  private async harmNetwork(): Promise<void> {
    this.network.cut();
    await pause(this.below(500));
    this.network.mend(this.below(2) === 0 ? "continues" : "reset");
  }

  // Nothing of this process runs until the copies are made, so nothing is written or confirmed meanwhile.
  private async harmPower(): Promise<void> {
    for (const at of this.server.nodes.keys()) this.server.signal(at, "SIGSTOP");
    for (const disk of this.disks) disk.failPower();
    await this.server.stopAll();
    await Promise.all(this.machines.map((machine) => machine.kill()));
    for (const disk of this.disks) disk.restore();
    await Promise.all([...this.server.nodes.keys()].map((at) => this.server.up(at)));
    for (const machine of this.machines) this.restart(() => machine.up());
  }

  private async harmView(): Promise<void> {
    const person = this.people[this.below(this.people.length)];
    await person?.killView();
    if (person !== undefined) this.restart(() => person.openView());
  }

  private async harmBroker(): Promise<void> {
    const at = this.below(this.options.servers);
    if (this.below(2) === 0) {
      this.server.signal(at, "SIGSTOP");
      await pause(this.below(500));
      this.server.signal(at, "SIGCONT");
      return;
    }
    await this.server.kill(at);
    await pause(this.below(300));
    await this.server.up(at);
  }

  private async harmDaemon(): Promise<void> {
    const machine = this.machines[this.below(this.machines.length)];
    await machine?.kill();
    await pause(this.below(200));
    if (machine !== undefined) this.restart(() => machine.up());
  }

  private async checked(): Promise<string[]> {
    const hub = await NatsHub.open(await retried(() => this.server.connect("p0")), { user: "p0" });
    const findings: string[] = [...this.ledger.problems];
    await this.until(async () => (await hubAsks(hub)).length === 0);
    for (const { ask } of await hubAsks(hub)) findings.push(`${ask.id} is still open at the hub`);
    const ends = new Map(
      (await hub.ends(this.options.agents * 2)).map(({ subject, body }) => [subject.ask, { subject, body }]),
    );
    for (const id of this.ledger.asked.keys()) {
      const end = ends.get(id);
      if (end === undefined) findings.push(`${id} has no end`);
      else findings.push(...(await this.checkedEnd(hub, id, end)));
    }
    await hub.close();
    return findings;
  }

  private async checkedEnd(
    hub: NatsHub,
    id: string,
    { subject, body }: { subject: { machine: string; daemon: string }; body: Uint8Array },
  ): Promise<string[]> {
    const { taken, entry } = hubEndSchema.parse(parsed(body));
    const outcomes = this.ledger.outcomes.get(id) ?? [];
    const first = await hub.nextAnswer({ ...subject, ask: id }, 0);
    const findings: string[] = [];
    if (outcomes.length !== 1) findings.push(`${id}: the agent got ${outcomes.length} outcomes`);
    const [outcome] = outcomes;
    const by = outcome?.kind === "answered" ? outcome.by : outcome?.kind;
    if (first === null) findings.push(`${id}: the log has no answer`);
    else if (by !== `hub:${first.subject.person}`)
      findings.push(`${id}: ${by} was taken, the first is ${first.subject.person}`);
    if (taken !== null && taken.seq !== first?.seq)
      findings.push(`${id}: the end names answer ${taken.seq}, not ${first?.seq}`);
    if (taken === null && entry === null) findings.push(`${id}: the end does not say how`);
    return findings;
  }

  private below(limit: number): number {
    return this.random.integer(0, limit - 1);
  }

  private latencies(): Record<string, number> {
    const { asked, stored, opened, seen, outcomes } = this.ledger;
    const times = [...asked].map(([id, askedMs]) => {
      const fromMs = Math.max(askedMs, this.allUpMs);
      const storedMs = Math.max(fromMs, stored.get(id) ?? 0);
      const openMs = Math.max(storedMs, opened.get(id) ?? 0);
      return { askedMs, fromMs, storedMs, openMs, seenMs: seen.get(id) ?? Number.POSITIVE_INFINITY };
    });
    const all = shares(times.map(({ askedMs, seenMs }) => seenMs - askedMs));
    // A question that was asked during the harm counts from the moment when everything was up again.
    const later = times.filter(({ seenMs }) => seenMs > this.allUpMs);
    const recovered = shares(later.map(({ fromMs, seenMs }) => seenMs - fromMs));
    return {
      ...{ questions: asked.size, outcomes: outcomes.size, seenP50Ms: all.p50, seenP99Ms: all.p99 },
      ...{ recoveredQuestions: later.length, recoveredP50Ms: recovered.p50, recoveredP99Ms: recovered.p99 },
      // Where the time went: until the hub had the question, until it was open, until a view had read it.
      recoveredStoredP99Ms: shareOf(
        later.map(({ fromMs, storedMs }) => storedMs - fromMs),
        0.99,
      ),
      recoveredOpenP99Ms: shareOf(
        later.map(({ storedMs, openMs }) => openMs - storedMs),
        0.99,
      ),
      recoveredReadP99Ms: shareOf(
        later.map(({ openMs, seenMs }) => Math.max(0, seenMs - openMs)),
        0.99,
      ),
      electedAfterMs: Math.round(this.electedAfterMs),
      // This process is all machines and views: what it is late, they are.
      loopLateP99Ms: Math.round(this.late.percentile(99) / 1e6),
      loopLateMaxMs: Math.round(this.late.max / 1e6),
    };
  }

  private unfinished(): string {
    const left = [...this.ledger.asked.keys()].filter((id) => !this.ledger.outcomes.has(id));
    return `${left.length} questions have no outcome: ${left.slice(0, 5).join(", ")} …`;
  }

  private async until(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
    const untilMs = performance.now() + this.options.limitMs;
    while (performance.now() < untilMs) {
      if (await isSo()) return true;
      await pause(50);
    }
    return false;
  }
}

function shares(ms: readonly number[]): { p50: number; p99: number } {
  return { p50: shareOf(ms, 0.5), p99: shareOf(ms, 0.99) };
}

function many<Item>(count: number, make: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
