// Plays the agent's side of a recorded conversation to our machine, and the user's side as it was recorded: prompts,
// answers, stops. What the machine wants done is answered from the recording too. In the end there is the transcript that
// a person would have seen, and a count of everything that should have found its end.

import { createAcpDialect } from "../../../src/agents/dialects/acp/acp-dialect.js";
import type { AcpEffect } from "../../../src/agents/dialects/acp/acp-effect.js";
import type { Dialect, DialectStep, EffectResult, LinkEffect } from "../../../src/agents/dialects/dialect.js";
import type { JsonObject } from "../../../src/agents/dialects/frames/json-frame.js";
import { readLine } from "../../../src/agents/dialects/frames/json-frame.js";
import type { Ask } from "../../../src/contract/asks.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { commandFor, paramsOf, recordedAnswers, resumedSession } from "./recorded-client.js";
import { blocksOf, fieldsOf, type Replayed } from "./replayed.js";
import type { TraceEntry } from "./trace.js";

const SHORT_WAIT_MS = 200;
const SHORT_WAITS_MAX = 50;

export function replayAcpTrace(entries: readonly TraceEntry[]): Replayed {
  const replay = new AcpReplay(entries);
  return replay.run();
}

class AcpReplay {
  private readonly entries: readonly TraceEntry[];
  private readonly dialect: Dialect<AcpEffect>;
  private readonly answers: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  private readonly events: SessionEvent[] = [];
  private readonly asks: Ask[] = [];
  private readonly openAsks: Ask[] = [];
  private readonly sent: JsonObject[] = [];
  private readonly answerCounts = new Map<string, number>();
  /** Ids of the recorded client's requests, as the machine numbered its own. */
  private readonly ourIds = new Map<string, unknown>();
  /** Names that we gave to what the recording calls otherwise, such as terminals. */
  private readonly ourNames = new Map<string, string>();
  /** What the machine waits for; nothing that is short outlasts the recorded client's next step. */
  private waits: string[] = [];
  private reading: string | null = null;
  private nowMs = 0;

  constructor(entries: readonly TraceEntry[]) {
    this.entries = entries;
    this.answers = recordedAnswers(entries);
    const resume = resumedSession(entries);
    this.dialect = createAcpDialect({
      workspace: workspaceOf(entries),
      clientVersion: "0",
      command: { command: "agent", args: [] },
      hasVariable: () => true,
      ...(resume === undefined ? {} : { resume }),
    });
  }

  run(): Replayed {
    this.take(this.dialect.open(this.nowMs));
    for (const entry of this.entries) {
      this.nowMs += 1;
      if (entry.from === "client") this.client(entry);
      else this.agent(entry);
    }
    this.passTime();
    this.take(this.dialect.close(this.nowMs, 0));
    const { events, asks, answerCounts, sent } = this;
    return { events, asks, answerCounts, sent, ...blocksOf(events) };
  }

  private client({ frame }: TraceEntry): void {
    this.passTime();
    if (frame === null) return;
    if ("method" in frame) this.clientWants(frame);
    else this.clientAnswers(frame);
  }

  private passTime(): void {
    for (let rounds = 0; this.waits.length > 0 && rounds < SHORT_WAITS_MAX; rounds += 1) {
      for (const id of this.waits.splice(0)) {
        this.take(this.dialect.performed(id, { ok: true, value: null }, this.nowMs));
      }
    }
  }

  // The machine greets and opens its first session by itself; everything else is a command.
  private clientWants(frame: Readonly<Record<string, unknown>>): void {
    const known = this.sent.length;
    const unpaired = this.sent.findLast(({ method, id }) => method === frame["method"] && !this.isPaired(id));
    const command = unpaired === undefined ? commandFor(frame) : null;
    if (frame["method"] === "authenticate") this.signIn(paramsOf(frame)["methodId"]);
    if (command !== null) this.command(command);
    const request =
      unpaired ?? this.sent.slice(known).find(({ method, id }) => method !== undefined && id !== undefined);
    if ("id" in frame && request !== undefined) this.ourIds.set(JSON.stringify(frame["id"]), request["id"]);
  }

  private isPaired(id: unknown): boolean {
    return [...this.ourIds.values()].includes(id);
  }

  private signIn(methodId: unknown): void {
    const ask = this.openAsks.find(({ question }) => question.kind === "select");
    if (ask !== undefined) this.answer(ask, methodId);
  }

  // Files and commands were answered when they were wanted; what is left are the user's answers.
  private clientAnswers(frame: Readonly<Record<string, unknown>>): void {
    const { outcome, action, content } = fieldsOf(frame["result"]);
    const ask = this.openAsks.find(({ question }) => (question.kind === "permission") === (action === undefined));
    if (ask === undefined) return;
    const { outcome: word, optionId } = fieldsOf(outcome);
    if (word !== undefined) this.answer(ask, word === "selected" ? { choiceId: optionId } : null);
    else if (action === "accept") this.answer(ask, ask.question.kind === "form" ? content : true);
    else if (action !== undefined) this.answer(ask, action === "decline" ? false : null);
  }

  private agent({ frame, raw }: TraceEntry): void {
    if (frame === null) {
      const content = readLine({ kind: "line", text: raw });
      if (content.kind === "text" || content.kind === "fault") this.take(this.dialect.read(content, this.nowMs));
      return;
    }
    const isResponse = !("method" in frame) && "id" in frame;
    const id = isResponse ? this.ourIds.get(JSON.stringify(frame["id"])) : frame["id"];
    if (isResponse && id === undefined && frame["id"] !== null) return;
    if (!isResponse && "id" in frame) this.answerCounts.set(JSON.stringify(frame["id"]), 0);
    this.reading = isResponse ? null : JSON.stringify(frame["id"] ?? null);
    const renamed = this.renamed({ ...frame, ...("id" in frame ? { id } : {}) }) as JsonObject;
    this.take(this.dialect.read({ kind: "frame", frame: renamed }, this.nowMs));
  }

  private renamed(value: unknown): unknown {
    if (typeof value === "string") return this.ourNames.get(value) ?? value;
    if (Array.isArray(value)) return value.map((item) => this.renamed(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.renamed(item)]));
  }

  private command(command: LinesCommand): void {
    this.take(this.dialect.command(command, this.nowMs));
  }

  private answer(ask: Ask, result: unknown): void {
    this.openAsks.splice(this.openAsks.indexOf(ask), 1);
    this.command({ type: "ui_response", id: ask.id, result, error: null });
  }

  private take({ events, frames, effects }: DialectStep<AcpEffect>): void {
    for (const frame of frames) this.heardByAgent(frame);
    for (const event of events) this.heardByPerson(event);
    for (const effect of effects) this.perform(effect);
  }

  private heardByAgent(frame: JsonObject): void {
    this.sent.push(frame);
    if ("method" in frame) return;
    const key = JSON.stringify(frame["id"]);
    this.answerCounts.set(key, (this.answerCounts.get(key) ?? 0) + 1);
    const ours = fieldsOf(frame["result"])["terminalId"];
    const theirs = fieldsOf(this.answers.get(key)?.["result"])["terminalId"];
    if (typeof ours === "string" && typeof theirs === "string") this.ourNames.set(theirs, ours);
  }

  // Our own gate asks what the recorded client never asked: it let everything pass.
  private heardByPerson(event: SessionEvent): void {
    this.events.push(event);
    if (event.type === "ask.withdrawn") {
      const index = this.openAsks.findIndex(({ id }) => id === event.askId);
      if (index >= 0) this.openAsks.splice(index, 1);
    }
    if (event.type !== "ask.raised") return;
    this.asks.push(event.ask);
    this.openAsks.push(event.ask);
    const { question } = event.ask;
    const isGate = question.kind === "permission" && question.params.performedBy === "palaver";
    if (isGate) this.answer(event.ask, { choiceId: "once" });
  }

  private perform(effect: AcpEffect | LinkEffect): void {
    if (effect.type === "wait" && effect.delayMs <= SHORT_WAIT_MS) this.waits.push(effect.id);
    if (effect.type === "wait" || effect.type === "hang-up") return;
    const recorded = this.answers.get(this.reading ?? "") ?? {};
    if (effect.type === "terminal.run") this.runTerminal(effect.id);
    else this.take(this.dialect.performed(effect.id, resultOf(effect, recorded), this.nowMs));
  }

  private runTerminal(id: string): void {
    const outputs = [...this.answers.values()].map(({ result }) => fieldsOf(result)["output"]);
    const text = outputs.findLast((output) => typeof output === "string") ?? "";
    this.take(this.dialect.progressed(id, { kind: "started" }, this.nowMs));
    this.take(this.dialect.progressed(id, { kind: "output", text }, this.nowMs));
    this.take(this.dialect.performed(id, { ok: true, value: { exitCode: 0, signal: null } }, this.nowMs));
  }
}

function resultOf(effect: AcpEffect, recorded: Readonly<Record<string, unknown>>): EffectResult {
  if (effect.type === "file.read" && recorded["error"] !== undefined) {
    return { ok: false, message: "not found", code: "ENOENT" };
  }
  if (effect.type === "file.read") {
    return { ok: true, value: { text: String(fieldsOf(recorded["result"])["content"] ?? "") } };
  }
  if (effect.type === "path.locate" || effect.type === "file.inspect") {
    const { path: realPath, workspace } = effect;
    const place = { realPath, exists: true, workspace, place: "inside", looksSecret: false };
    return { ok: true, value: { ...place, oldText: null, isText: true } };
  }
  return { ok: true, value: effect.type === "mentions.find" ? [] : null };
}

function workspaceOf(entries: readonly TraceEntry[]): string {
  const first = entries.find(({ from, frame }) => from === "client" && "cwd" in paramsOf(frame));
  return String(paramsOf(first?.frame)["cwd"] ?? "/");
}
