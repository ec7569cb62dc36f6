// Traces and metrics of asks, as a collector of OpenTelemetry and Prometheus get them. The collector is a real server; what leaves the
// daemon has no word of a question.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { askDaemon } from "../../../src/agents/remote/daemon-request.js";
import type { Ask, AuditRecord } from "../../../src/contract/asks.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { serveDaemon } from "../../../src/server/serve-daemon.js";
import { AskTelemetry } from "../../../src/server/telemetry/ask-telemetry.js";
import { OtlpExporter, type OtlpExporterOptions } from "../../../src/server/telemetry/otlp-exporter.js";
import { createManualTimers } from "../manual-timers.js";
import { temporaryFolder } from "../temporary-folder.js";

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a foreign protocol, whose parts the test names
  readonly body: any;
}

async function createCollector(status = 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) });
      response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent = (path: string) => received.filter((message) => message.path === path);
  return { url, received, sent };
}

const record: AuditRecord = {
  ...{ askId: "q1", sessionId: null, kind: "confirm", title: "Deploy the shop?", about: { command: "deploy --now" } },
  ...{ askedAtMs: 1_000, shownAtMs: 1_500, settledAtMs: 8_000 },
  outcome: { kind: "answered", value: true, by: "hub:ada" },
  delivery: { result: "delivered", atMs: 8_010 },
};

function createExporter(environment: Record<string, string>, more: Partial<OtlpExporterOptions> = {}) {
  const timers = createManualTimers();
  const problems: string[] = [];
  const telemetry = new AskTelemetry({ nowMs: () => 0, wallMs: () => 1_700_000_000_000 });
  const exporter = new OtlpExporter({
    ...{ environment, version: "1.0.0", project: "/shop", timers, onProblem: (words) => problems.push(words) },
    ...{ readMetrics: () => telemetry.metrics(), takeSpans: () => telemetry.takeSpans(), ...more },
  });
  exporter.start();
  return { timers, problems, telemetry, exporter };
}

describe("a collector", () => {
  test("gets a trace for each ask, and nothing of what was asked", async () => {
    const { url, sent } = await createCollector();
    const { timers, telemetry } = createExporter({
      ...{
        OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc,x-team=shop",
      },
      ...{ OTEL_SERVICE_NAME: "shop-agents", OTEL_RESOURCE_ATTRIBUTES: "host.name=build-1" },
    });
    telemetry.finished(record, "claude");
    timers.advance(5_000);
    await expect.poll(() => sent("/v1/traces")).toHaveLength(1);
    const [{ headers, body, text } = expect.unreachable()] = sent("/v1/traces");
    expect(headers).toMatchObject({
      authorization: "Bearer abc",
      "x-team": "shop",
      "content-type": "application/json",
    });
    expect(text).not.toMatch(/Deploy|deploy/);
    const [{ resource, scopeSpans }] = body.resourceSpans;
    expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "shop-agents" } });
    expect(resource.attributes).toContainEqual({ key: "host.name", value: { stringValue: "build-1" } });
    const [ask, deliver] = scopeSpans[0].spans;
    expect(ask).toMatchObject({
      ...{
        name: "ask",
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
      ...{ startTimeUnixNano: "1700000001000000000", endTimeUnixNano: "1700000008000000000", status: { code: 1 } },
      events: [{ name: "shown", timeUnixNano: "1700000001500000000" }],
    });
    expect(ask.attributes).toContainEqual({ key: "palaver.answered_by", value: { stringValue: "hub:ada" } });
    expect(deliver).toMatchObject({ name: "deliver", traceId: ask.traceId, parentSpanId: ask.spanId });
    timers.advance(5_000);
    timers.advance(55_000);
    await expect.poll(() => sent("/v1/metrics")).toHaveLength(1);
    expect(sent("/v1/traces")).toHaveLength(1);
    const [report = expect.unreachable()] = sent("/v1/metrics");
    expect(report.body.resourceMetrics[0].scopeMetrics[0].metrics).toMatchObject([
      { name: "palaver.asks_total", sum: { isMonotonic: true, dataPoints: [{ asDouble: 1 }] } },
      { name: "palaver.ask_seconds", histogram: { dataPoints: [{ count: "1", sum: 7 }] } },
    ]);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ["nothing without a variable", {}, []],
    ["nothing when it is disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_SDK_DISABLED: "true" }, []],
    ["only traces", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_METRICS_EXPORTER: "none" }, ["http://c/v1/traces"]],
    [
      "traces where they have an address of their own",
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t/x" },
      ["http://t/x"],
    ],
  ])("%s", async (_, environment, expected) => {
    const urls: string[] = [];
    const send = async (url: string | URL | Request) => {
      urls.push(String(url));
      return new Response("{}");
    };
    const { telemetry, timers, exporter } = createExporter(environment, { send });
    expect(timers.waitingMs()).toHaveLength(expected.length);
    telemetry.finished(record, "claude");
    await exporter.close();
    expect(urls).toEqual(expected);
  });

  test("that refuses, or cannot be reached, is named once", async () => {
    const { url, received } = await createCollector(503);
    const { problems, timers, telemetry } = createExporter({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url });
    for (const count of [1, 2]) {
      telemetry.finished(record, "claude");
      timers.advance(5_000);
      await expect.poll(() => received).toHaveLength(count);
    }
    await expect.poll(() => problems).toEqual([`OpenTelemetry: ${url} answers 503`]);
    const grpc = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
    expect(createExporter(grpc).problems).toEqual([expect.stringContaining("not grpc")]);
  });
});

test("a daemon sends its metrics and its last spans before it ends, and Prometheus reads the same numbers", async () => {
  const { url, sent } = await createCollector();
  const folder = temporaryFolder();
  const telemetry = new AskTelemetry({ nowMs: () => performance.now() });
  const registry = new AskRegistry({
    nowMs: () => performance.now(),
    onAudit: (done) => telemetry.finished(done, "claude"),
  });
  const daemon = await serveDaemon({
    ...{ tui: null, version: "1.0.0", folder, asks: registry },
    ...{ metrics: () => telemetry.metrics(), takeSpans: () => telemetry.takeSpans() },
    environment: { XDG_STATE_HOME: join(folder, "state"), OTEL_EXPORTER_OTLP_ENDPOINT: url },
  });
  const about = { id: "q1", sessionId: null, turnId: null, origin: { kind: "agent" }, deadlineMs: null } as const;
  const ask: Ask = { ...about, question: { kind: "confirm", params: { title: "Deploy?" } } };
  const outcome = registry.ask(ask);
  registry.answer("q1", { value: true }, "ada");
  await outcome;
  const answer = await askDaemon(daemon, "/metrics", { signal: AbortSignal.timeout(10_000) });
  const body = (await answer.toArray()).join("");
  expect(body).toContain('# TYPE palaver_asks_total counter\npalaver_asks_total{outcome="answered"} 1\n');
  expect(body).toContain('palaver_ask_seconds_bucket{le="1"} 1\n');
  expect(body).toContain('palaver_ask_seconds_bucket{le="+Inf"} 1\n');
  expect(body).toContain("palaver_open_asks 0\n");
  await daemon.stop();
  expect(sent("/v1/traces")).toHaveLength(1);
  expect(sent("/v1/metrics")[0]?.text).toContain("palaver.open_asks");
});
