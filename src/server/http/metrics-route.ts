// What a daemon measures, for Prometheus: plain numbers, read at the moment of the request.
import { type Route, TextAnswer } from "./route.js";

export interface Metric {
  /** Without the prefix. */
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

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

function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, value }) => {
      const full = `palaver_${name}`;
      return `# HELP ${full} ${help}\n# TYPE ${full} gauge\n${full} ${value}\n`;
    })
    .join("");
}
