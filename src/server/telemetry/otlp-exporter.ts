// Sends traces and metrics to a collector of OpenTelemetry, as JSON over HTTP. Off unless the environment names one, with the variables
// that every program with OpenTelemetry reads. A collector that is away costs the daemon nothing but a line in its log.
import type { Environment } from "../../session/user-folders.js";
import { realTimers, type Timers } from "../../system/timers.js";
import type { Span } from "./ask-telemetry.js";
import { isHistogram, type Metric } from "./metric.js";

type Signal = "traces" | "metrics";

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OtlpExporterOptions {
  readonly environment: Environment;
  readonly version: string;
  /** Where the daemon is, for those who read the traces. */
  readonly project: string;
  readMetrics(): readonly Metric[];
  takeSpans(): readonly Span[];
  /** Once for each new reason. */
  onProblem(words: string): void;
  readonly timers?: Timers;
  readonly send?: typeof fetch;
  readonly wallMs?: () => number;
}

const CLOSE_MS_MAX = 2_000;

export class OtlpExporter {
  private readonly options: Required<OtlpExporterOptions>;
  private readonly targets: Readonly<Record<Signal, Target | null>>;
  private readonly timeoutMs: number;
  private readonly startedMs: number;
  private readonly cancels = new Map<Signal, () => void>();
  private problem = "";

  constructor(options: OtlpExporterOptions) {
    this.options = { timers: realTimers, send: fetch, wallMs: Date.now, ...options };
    const { environment } = options;
    this.targets = { traces: targetOf("traces", environment), metrics: targetOf("metrics", environment) };
    this.timeoutMs = numberIn(environment, "OTEL_EXPORTER_OTLP_TIMEOUT", 10_000);
    this.startedMs = this.options.wallMs();
  }

  start(): void {
    const { environment } = this.options;
    const protocol = environment["OTEL_EXPORTER_OTLP_PROTOCOL"];
    if (!this.isOn) return;
    if (protocol === "grpc") {
      this.report("OpenTelemetry: palaver sends JSON over HTTP (port 4318 of a collector), not grpc");
      return;
    }
    this.repeat("traces", numberIn(environment, "OTEL_BSP_SCHEDULE_DELAY", 5_000));
    this.repeat("metrics", numberIn(environment, "OTEL_METRIC_EXPORT_INTERVAL", 60_000));
  }

  /** Sends what is left, and waits for it a moment. */
  async close(): Promise<void> {
    if (this.cancels.size === 0) return;
    for (const cancel of this.cancels.values()) cancel();
    this.cancels.clear();
    const late = new Promise<void>((resolve) => this.options.timers.after(CLOSE_MS_MAX, resolve));
    await Promise.race([Promise.all([this.export("traces"), this.export("metrics")]), late]);
  }

  private get isOn(): boolean {
    return this.targets.traces !== null || this.targets.metrics !== null;
  }

  private repeat(signal: Signal, everyMs: number): void {
    if (this.targets[signal] === null) return;
    const cancel = this.options.timers.after(everyMs, () => {
      void this.export(signal);
      this.repeat(signal, everyMs);
    });
    this.cancels.set(signal, cancel);
  }

  private async export(signal: Signal): Promise<void> {
    const target = this.targets[signal];
    if (target === null) return;
    const body = signal === "traces" ? this.tracesBody() : this.metricsBody();
    if (body === null) return;
    try {
      const response = await this.options.send(target.url, {
        ...{ method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(this.timeoutMs) },
        headers: { ...target.headers, "content-type": "application/json" },
      });
      await response.arrayBuffer();
      if (response.ok) this.problem = "";
      else this.report(`OpenTelemetry: ${target.url} answers ${response.status}`);
    } catch {
      this.report(`OpenTelemetry: ${target.url} cannot be reached`);
    }
  }

  private report(words: string): void {
    if (words === this.problem) return;
    this.problem = words;
    this.options.onProblem(words);
  }

  private tracesBody(): object | null {
    const spans = this.options.takeSpans();
    if (spans.length === 0) return null;
    return {
      resourceSpans: [{ resource: this.resource, scopeSpans: [{ scope: this.scope, spans: spans.map(spanJson) }] }],
    };
  }

  private metricsBody(): object {
    const moments = { startTimeUnixNano: nanos(this.startedMs), timeUnixNano: nanos(this.options.wallMs()) };
    const metrics = this.options.readMetrics().map((metric) => metricJson(metric, moments));
    return { resourceMetrics: [{ resource: this.resource, scopeMetrics: [{ scope: this.scope, metrics }] }] };
  }

  private get scope(): object {
    return { name: "palaver", version: this.options.version };
  }

  private get resource(): object {
    const { environment, version, project } = this.options;
    const own = {
      ...{ "service.name": "palaver", "service.version": version, "palaver.project": project },
      ...pairsIn(environment["OTEL_RESOURCE_ATTRIBUTES"]),
    };
    const name = environment["OTEL_SERVICE_NAME"];
    return { attributes: attributesJson(name ? { ...own, "service.name": name } : own) };
  }
}

/** Null when this signal is not sent. */
function targetOf(signal: Signal, environment: Environment): Target | null {
  const name = signal.toUpperCase();
  const own = environment[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`];
  const base = environment["OTEL_EXPORTER_OTLP_ENDPOINT"];
  const url = own || (base ? `${base.replace(/\/+$/, "")}/v1/${signal}` : "");
  const isOff = environment["OTEL_SDK_DISABLED"] === "true" || environment[`OTEL_${name}_EXPORTER`] === "none";
  if (isOff || !/^https?:\/\//.test(url)) return null;
  const headers = environment[`OTEL_EXPORTER_OTLP_${name}_HEADERS`] ?? environment["OTEL_EXPORTER_OTLP_HEADERS"];
  return { url, headers: pairsIn(headers) };
}

/** name=value,name=value, percent-encoded. */
function pairsIn(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair));
  return Object.fromEntries(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1], decoded(pair[2] ?? "")]])));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function numberIn(environment: Environment, name: string, fallback: number): number {
  const given = Number(environment[name]);
  return Number.isFinite(given) && given > 0 ? given : fallback;
}

function nanos(ms: number): string {
  return `${Math.round(ms)}000000`;
}

function attributesJson(attributes: Readonly<Record<string, string>>): object[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

const KIND_INTERNAL = 1;
const STATUS = { ok: 1, error: 2 } as const;
const CUMULATIVE = 2;

function spanJson({ startMs, endMs, attributes, events, status, ...span }: Span): object {
  return {
    ...{ ...span, kind: KIND_INTERNAL, startTimeUnixNano: nanos(startMs), endTimeUnixNano: nanos(endMs) },
    ...{ attributes: attributesJson(attributes), status: { code: STATUS[status] } },
    events: events.map(({ name, atMs }) => ({ name, timeUnixNano: nanos(atMs) })),
  };
}

function metricJson(metric: Metric, moments: { startTimeUnixNano: string; timeUnixNano: string }): object {
  const named = { name: `palaver.${metric.name}`, description: metric.help };
  if (isHistogram(metric)) {
    const { bounds, counts, sum } = metric.histogram;
    const count = String(counts.reduce((all, more) => all + more, 0));
    const point = { ...moments, count, sum, bucketCounts: counts.map(String), explicitBounds: bounds };
    return { ...named, unit: "s", histogram: { aggregationTemporality: CUMULATIVE, dataPoints: [point] } };
  }
  const dataPoints = [{ ...moments, asDouble: metric.value, attributes: attributesJson(metric.labels ?? {}) }];
  return metric.kind === "counter"
    ? { ...named, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
    : { ...named, gauge: { dataPoints } };
}
