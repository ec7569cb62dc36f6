// The machines, agents and people of a chaos run. A machine is what `palaver serve --hub` is, without its HTTP: registry, journal
// and link; killing one drops all of it at once, and the next one has the journal. Each has its own connection and key.
import { join } from "node:path";
import type { Ask, AskOutcome } from "../../../src/contract/asks.js";
import { historyEntryOf } from "../../../src/host/ask-history.js";
import { AskJournal } from "../../../src/host/asks/ask-journal.js";
import type { AskPort } from "../../../src/host/asks/ask-port.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { HubLink } from "../../../src/host/asks/hub-link.js";
import { type HubAsk, storeAnswer, watchHubAsks } from "../../../src/host/asks/hub-view.js";
import type { SessionHost } from "../../../src/host/session-host.js";
import { NatsHub } from "../../../src/hub/nats/nats-hub.js";
import { steadyNowMs } from "../../../src/system/timers.js";
import type { TestServer } from "../../hub/nats-server.js";
import type { CuttableNetwork } from "./network.js";

/** What really happened, as agents and people saw it. */
export interface Ledger {
  readonly asked: Map<string, number>;
  /** When the hub had the question, and that it is open. */
  readonly stored: Map<string, number>;
  readonly opened: Map<string, number>;
  readonly seen: Map<string, number>;
  /** Every outcome that an agent got, in order. */
  readonly outcomes: Map<string, AskOutcome[]>;
  readonly problems: string[];
}

export function emptyLedger(): Ledger {
  const [asked, stored, opened, seen] = Array.from({ length: 4 }, () => new Map<string, number>());
  return { asked, stored, opened, seen, outcomes: new Map(), problems: [] } as Ledger;
}

/** The hub as it is, with a note of when it confirmed a write. */
function noted(hub: NatsHub, { stored, opened }: Ledger): NatsHub {
  const note = (moments: Map<string, number>, id: string) => {
    if (!moments.has(id)) moments.set(id, performance.now());
  };
  const writes: Pick<NatsHub, "put" | "set"> = {
    async put(subject, body) {
      const result = await hub.put(subject, body);
      if (subject.kind === "question") note(stored, subject.ask);
      return result;
    },
    async set(subject, body) {
      await hub.set(subject, body);
      if (subject.kind === "open" && body !== null) note(opened, subject.ask);
    },
  };
  return Object.assign(Object.create(hub) as NatsHub, writes);
}

export function question(id: string): Ask {
  const about = { id, sessionId: null, turnId: null, origin: { kind: "agent" }, deadlineMs: null } as const;
  return { ...about, question: { kind: "confirm", params: { title: `Deploy ${id}?` } } };
}

interface MachineParts {
  readonly server: Pick<TestServer, "connectThrough">;
  readonly network: Pick<CuttableNetwork, "ports">;
  readonly folder: string;
  readonly ledger: Ledger;
  /** Its sessions, where it has any. */
  readonly host?: SessionHost;
}

export class Machine {
  readonly name: string;
  private readonly server: MachineParts["server"];
  private readonly folder: string;
  private readonly ledger: Ledger;
  private readonly network: Pick<CuttableNetwork, "ports">;
  private readonly host: SessionHost | null;
  /** Questions of this machine's agents that have no answer yet. */
  private readonly waiting = new Set<string>();
  private registry: AskRegistry | null = null;
  private hub: NatsHub | null = null;
  private life = 0;

  constructor(name: string, parts: MachineParts) {
    this.name = name;
    this.server = parts.server;
    this.folder = parts.folder;
    this.network = parts.network;
    this.ledger = parts.ledger;
    this.host = parts.host ?? null;
  }

  /** A daemon of an earlier try that came up meanwhile ends first: a machine has one for a project. */
  async up(): Promise<void> {
    const ended = this.kill();
    const { life } = this;
    await ended;
    if (life !== this.life) return;
    const journal = new AskJournal({
      path: join(this.folder, `${this.name}.jsonl`),
      nowMs: steadyNowMs,
      onProblem: (words) => this.ledger.problems.push(words),
    });
    const registry: AskRegistry = new AskRegistry({
      journal,
      onAudit: (record) => {
        if (life !== this.life) return;
        link.finished(historyEntryOf(record, { agent: "chaos", workFolder: this.name, nowMs: registry.nowMs }));
      },
    });
    const link = new HubLink({
      ...{
        address: { machine: this.name, daemon: "chaos" },
        asks: this.asksOf(registry, life),
        project: this.name,
        program: "chaos",
      },
      sessions: () => this.host?.list() ?? [],
      // An ask that ended under an earlier daemon is in its journal.
      earlierRecord: (askId) => earlier(askId, journal.outcomeOf(askId)),
      redacted: (value) => value,
      onProblem: () => undefined,
    });
    registry.restore(journal.open().open);
    this.registry = registry;
    for (const id of this.waiting) this.wait(id, registry, life);
    const connection = await this.server.connectThrough(this.name, this.network.ports);
    this.host?.follow((_, changes) => {
      if (changes.some((change) => change.type === "facts" && change.facts.phase !== undefined)) void link.sync();
    });
    if (life !== this.life) return void connection.close();
    const hub = noted(await NatsHub.open(connection, { user: this.name, rereadMs: 5_000 }), this.ledger);
    // A daemon that was killed meanwhile writes nothing any more.
    if (life !== this.life) return hub.close();
    this.hub = hub;
    await link.start(hub);
  }

  /** As SIGKILL would: nothing is said to anyone, and nothing is finished. */
  async kill(): Promise<void> {
    this.life += 1;
    this.registry = null;
    const { hub } = this;
    this.hub = null;
    await hub?.close();
  }

  ask(id: string): void {
    this.ledger.asked.set(id, performance.now());
    this.waiting.add(id);
    if (this.registry !== null) this.wait(id, this.registry, this.life);
  }

  /** An agent that is killed and started again asks for the outcome of its question under the same id. */
  restartAgent(at: number): void {
    const id = [...this.waiting][at % Math.max(1, this.waiting.size)];
    if (id !== undefined && this.registry !== null) this.wait(id, this.registry, this.life);
  }

  // What a killed daemon had begun does not go on.
  private asksOf(registry: AskRegistry, life: number): AskPort {
    return {
      nowMs: registry.nowMs,
      openAsks: () => registry.openAsks(),
      subscribe: (listener) => registry.subscribe(listener),
      shown: (askId) => registry.shown(askId),
      answer: (...given) => (life === this.life ? registry.answer(...given) : { kind: "unknown" }),
    };
  }

  private wait(id: string, registry: AskRegistry, life: number): void {
    void registry.ask(question(id), { asker: "returns", history: "asker" }).then((outcome) => {
      const isTakenOver = outcome.kind === "withdrawn" && outcome.reason === "disconnected";
      if (life !== this.life || isTakenOver || !this.waiting.delete(id)) return;
      this.ledger.outcomes.set(id, [...(this.ledger.outcomes.get(id) ?? []), outcome]);
    });
  }
}

function earlier(askId: string, outcome: AskOutcome | null) {
  if (outcome === null) return null;
  const at = new Date(0).toISOString();
  return {
    ...{ askId, sessionId: null, kind: "confirm", title: askId, about: {}, outcome, agent: "chaos", folder: "" },
    ...{ askedAt: at, shownAt: null, settledAt: at, deliveredAt: null, delivery: "none" as const },
  };
}

/** Follows the hub in a view, and answers everything that opens there. */
export class Person {
  readonly name: string;
  private readonly server: TestServer;
  private readonly ledger: Ledger;
  private readonly answered = new Set<string>();
  private hub: NatsHub | null = null;
  private state: "here" | "gone" = "here";

  constructor(name: string, { server, ledger }: { server: TestServer; ledger: Ledger }) {
    this.name = name;
    this.server = server;
    this.ledger = ledger;
  }

  /** Resolves when the view follows the hub. */
  async openView(): Promise<void> {
    const hub = await NatsHub.open(await this.server.connect(this.name), { user: this.name, rereadMs: 5_000 });
    await this.killView();
    if (this.state === "gone") return hub.close();
    this.hub = hub;
    const onOpen = (ask: HubAsk) => void this.answer(hub, ask);
    await watchHubAsks(hub, { onOpen, onClosed: () => undefined });
  }

  /** As SIGKILL would: what was on its way is lost. */
  async killView(): Promise<void> {
    const { hub } = this;
    this.hub = null;
    await hub?.close();
  }

  async leave(): Promise<void> {
    this.state = "gone";
    await this.killView();
  }

  private async answer(hub: NatsHub, ask: HubAsk): Promise<void> {
    const { id } = ask.ask;
    if (!this.ledger.seen.has(id)) this.ledger.seen.set(id, performance.now());
    if (this.answered.has(id)) return;
    const stored = await storeAnswer(hub, ask, { value: true }, { person: this.name }).catch(() => null);
    if (stored !== null) this.answered.add(id);
  }
}
