// One number that a program measures, or the distribution of many: for OpenTelemetry, and for Prometheus as a route.
import { type Route, TextAnswer } from "../http/route.js";

interface Named {
  /** Without the prefix. */
  readonly name: string;
  readonly help: string;
}

/** So many values up to each bound, and the rest. */
export interface Histogram {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  readonly sum: number;
}

interface NumberMetric extends Named {
  readonly value: number;
  /** A counter never goes down while the program runs; a gauge if missing. */
  readonly kind?: "counter";
  readonly labels?: Readonly<Record<string, string>>;
}

interface HistogramMetric extends Named {
  readonly histogram: Histogram;
}

export type Metric = NumberMetric | HistogramMetric;

export function isHistogram(metric: Metric): metric is HistogramMetric {
  return "histogram" in metric;
}

// What a daemon measures, for Prometheus: plain numbers, read at the moment of the request.

export function metricsRoute(read: () => readonly Metric[]): Route {
  return {
    method: "GET",
    path: "/metrics",
    access: "owner",
    summary: "What the daemon measures, in the text format of Prometheus",
    answers: { 200: { description: "The metrics", contentType: "text/plain" } },
    handle: () => new TextAnswer(200, metricsText(read()), { "content-type": "text/plain; version=0.0.4" }),
  };
}

// A name stands once, with all its labels below it.
function metricsText(metrics: readonly Metric[]): string {
  let before = "";
  return metrics
    .map((metric) => {
      const full = `palaver_${metric.name}`;
      const type = isHistogram(metric) ? "histogram" : (metric.kind ?? "gauge");
      const head = full === before ? "" : `# HELP ${full} ${metric.help}\n# TYPE ${full} ${type}\n`;
      before = full;
      return `${head}${linesOf(full, metric)}`;
    })
    .join("");
}

function linesOf(name: string, metric: Metric): string {
  if (!isHistogram(metric)) return `${name}${labelsText(metric.labels ?? {})} ${metric.value}\n`;
  const { bounds, counts, sum } = metric.histogram;
  let count = 0;
  const buckets = counts.map((more, at) => {
    count += more;
    return `${name}_bucket${labelsText({ le: String(bounds[at] ?? "+Inf") })} ${count}\n`;
  });
  return `${buckets.join("")}${name}_sum ${sum}\n${name}_count ${count}\n`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, "_")}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
