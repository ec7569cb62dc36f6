// One number that a program measures, or the distribution of many: for Prometheus and for OpenTelemetry.

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
