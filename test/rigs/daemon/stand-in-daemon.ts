// A daemon program for the end-to-end tests and the benchmark: a few handlers of every kind, a flood of log lines on demand, and
// its own memory to look at. It prints one line of JSON when it is ready, and ends when the daemon does.
import { HeadlessTui } from "../../../src/server/handlers/headless-tui.js";
import { serveDaemon } from "../../../src/server/serve-daemon.js";

const { PALAVER_STAND_IN = "{}" } = process.env;
const wishes = JSON.parse(PALAVER_STAND_IN) as {
  program?: string;
  version?: string;
  folder?: string;
  pageFolder?: string;
  handlers?: number;
  /** Has an action that never finishes. */
  hangs?: true;
  headersMs?: number;
  requestMs?: number;
};

const tui = new HeadlessTui();
const section = tui.newTabSection("BUILD", "everything about building");
let mode = "development";
let runs = 0;

tui.addHandler(
  {
    name: () => "Mode",
    label: () => "Mode",
    value: () => mode,
    change(value: string) {
      mode = value;
    },
    shortcuts: () => [{ d: "development" }, { p: "production" }],
  },
  "#0af",
  section,
);
tui.addHandler(
  {
    name: () => "Count",
    label: () => "Runs so far",
    execute() {
      runs += 1;
      tui.logs.publish({ content: `run ${runs}`, kind: "info", tabTitle: "BUILD", handlerName: "Count" });
    },
  },
  "",
  section,
);
tui.addHandler({ name: () => "Runs", content: () => String(runs) }, "", section);
tui.addHandler(
  {
    name: () => "Fails",
    label: () => "Fails",
    execute: () => Promise.reject(new Error("this one always fails")),
  },
  "",
  section,
);
tui.addHandler({ name: () => "Heap", content: heapMegabytes }, "", section);
tui.addHandler(
  { name: () => "Flood", label: () => "Lines", value: () => "", change: (count: string) => flood(Number(count)) },
  "",
  section,
);
for (let number = 0; number < (wishes.handlers ?? 0); number += 1) {
  const name = `handler ${number}`;
  tui.addHandler({ name: () => name, label: () => name, value: () => mode, change: () => {} }, "#888", section);
}

if (wishes.hangs === true) {
  tui.addHandler({ name: () => "Hangs", label: () => "Hangs", execute: () => new Promise(() => {}) }, "", section);
}

const daemon = await serveDaemon({
  tui,
  program: wishes.program ?? "stand-in",
  version: wishes.version ?? "1.0.0",
  folder: wishes.folder ?? ".",
  ...(wishes.pageFolder === undefined ? {} : { pageFolder: wishes.pageFolder }),
  limits: {
    ...(wishes.headersMs === undefined ? {} : { headersMs: wishes.headersMs }),
    ...(wishes.requestMs === undefined ? {} : { requestMs: wishes.requestMs }),
  },
});
process.stdout.write(`${JSON.stringify({ url: daemon.url, token: daemon.token, pid: process.pid })}\n`);
await daemon.ended;

function heapMegabytes(): string {
  globalThis.gc?.();
  // What waits to be sent is not on the heap.
  const { heapUsed, external } = process.memoryUsage();
  return ((heapUsed + external) / 1024 / 1024).toFixed(1);
}

// Lines come in small groups with room between them, as a build prints them; nobody prints a million in one breath.
async function flood(count: number): Promise<void> {
  for (let line = 0; line < count; line += 1) {
    const content = `line ${line} of ${count} ${"·".repeat(60)}`;
    tui.logs.publish({ content, kind: "normal", tabTitle: "BUILD", handlerName: "Flood" });
    if (line % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
  }
}
