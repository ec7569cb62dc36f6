// Metrics and traces of asks: how many ended in which way, how long they waited, and one trace for each. Telemetry is read by
// other people than the questions, so it contains no title, command, path or answer.
//
//   ask       raised ───────────────── outcome          all traces of one ask have the same id
//   deliver                            outcome ── agent has it
import { createHash } from "node:crypto";
import type { AuditRecord } from "../../contract/asks.js";
import type { Metric } from "./metric.js";

/** A part of a trace; its moments are on the wall clock. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly events: readonly { readonly name: string; readonly atMs: number }[];
  readonly status: "ok" | "error";
}

export interface AskTelemetryOptions {
  /** The clock of the records. */
  readonly nowMs: () => number;
  readonly wallMs?: () => number;
}

const BOUNDS_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];
/** Nothing is sent where no collector is configured; then old spans make room. */
const SPANS_MAX = 2_048;

export class AskTelemetry {
  private readonly nowMs: () => number;
  private readonly wallMs: () => number;
  private readonly outcomes = new Map<string, number>();
  private readonly counts: number[] = [...BOUNDS_SECONDS, Number.POSITIVE_INFINITY].map(() => 0);
  private sumSeconds = 0;
  private spans: Span[] = [];

  constructor({ nowMs, wallMs = Date.now }: AskTelemetryOptions) {
    this.nowMs = nowMs;
    this.wallMs = wallMs;
  }

  finished(record: AuditRecord, agent: string): void {
    const seconds = (record.settledAtMs - record.askedAtMs) / 1_000;
    const { kind } = record.outcome;
    this.outcomes.set(kind, (this.outcomes.get(kind) ?? 0) + 1);
    const at = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound);
    const bucket = at === -1 ? BOUNDS_SECONDS.length : at;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sumSeconds += seconds;
    this.spans.push(...spansOf(record, agent, this.wallMs() - this.nowMs()));
    if (this.spans.length > SPANS_MAX) this.spans = this.spans.slice(-SPANS_MAX);
  }

  metrics(): Metric[] {
    const histogram = { bounds: BOUNDS_SECONDS, counts: [...this.counts], sum: this.sumSeconds };
    return [
      ...[...this.outcomes].map(([outcome, value]) => ({
        ...{ name: "asks_total", help: "Questions that ended, by outcome", value },
        ...{ kind: "counter" as const, labels: { outcome } },
      })),
      { name: "ask_seconds", help: "From a question to its outcome", histogram },
    ];
  }

  /** Each span is given out once. */
  takeSpans(): readonly Span[] {
    const taken = this.spans;
    this.spans = [];
    return taken;
  }
}

function spansOf(record: AuditRecord, agent: string, offsetMs: number): Span[] {
  const { askId, kind, askedAtMs, shownAtMs, settledAtMs, outcome, delivery } = record;
  const traceId = digest(`trace ${askId}`, 32);
  const spanId = digest(`ask ${askId}`, 16);
  const events = shownAtMs === null ? [] : [{ name: "shown", atMs: shownAtMs + offsetMs }];
  const who = "by" in outcome ? { "palaver.answered_by": outcome.by } : {};
  const ask: Span = {
    ...{ traceId, spanId, name: "ask", events, status: outcome.kind === "answered" ? "ok" : "error" },
    ...{ startMs: askedAtMs + offsetMs, endMs: settledAtMs + offsetMs },
    attributes: {
      ...{ "palaver.ask.id": askId, "palaver.ask.kind": kind, "palaver.ask.outcome": outcome.kind },
      ...{ "palaver.agent": agent, ...who },
    },
  };
  if (delivery === null) return [ask];
  const { result, atMs } = delivery;
  const deliver: Span = {
    ...{ traceId, spanId: digest(`deliver ${askId}`, 16), parentSpanId: spanId, name: "deliver", events: [] },
    ...{ startMs: settledAtMs + offsetMs, endMs: atMs + offsetMs, attributes: { "palaver.delivery": result } },
    status: result === "lost" ? "error" : "ok",
  };
  return [ask, deliver];
}

function digest(text: string, hexChars: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, hexChars);
}
