// The terminal UI with the built-in agent and a model that streams three hundred paragraphs over HTTP: what all processes of Palaver
// cost together, from the prompt to the last row. The model is the bench's own process and is left out.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { childrenOf, withFront } from "./agent-ui/front.mjs";
import { paragraphList, paragraphs } from "./agent-ui/paragraphs.mjs";
import { judge } from "./renderers/judge.mjs";

export const title = "Whole product: UI, built-in agent, model over HTTP (the best of today's agents in brackets)";

const PARAGRAPHS = 300;
const PACE_MS = 10;
const CHUNK_CHARS = 15;
const LIMIT_MS = 120_000;
const TICKS_PER_SECOND = 100;
const LAST = "L000299:";
const IDLE_MS = 30_000;

export async function run() {
  const model = await startModel();
  try {
    const { judged, ratio, cpu, uiCpu, pssMb, idleCpu } = await withFront(streamed, builtIn(model.url));
    const faults = `${judged.lost}·${judged.doubled}·${judged.misordered}·${judged.shellLost}`;
    return [
      row("lost·doubled·misordered·shell", faults, "0·0·0·0", faults === "0·0·0·0"),
      row("bytes per useful byte [6.1]", ratio.toFixed(2), "≤ 4", ratio <= 4),
      row("CPU of all processes for the stream [2.3 s]", `${cpu.toFixed(2)} s`, "≤ 1.6 s", cpu <= 1.6),
      row("  of it in the UI", `${uiCpu.toFixed(2)} s`, "told", true),
      row("memory of all processes (PSS)", `${pssMb.toFixed(0)} MB`, "≤ 90 MB", pssMb <= 90),
      row(`CPU in the first ${IDLE_MS / 1000} s idle`, `${idleCpu.toFixed(2)} s`, "≤ 0.05 s", idleCpu <= 0.05),
    ];
  } finally {
    model.close();
  }
}

function row(what, value, goal, met) {
  return { what, value, goal, met };
}

function builtIn(url) {
  const args = ["run", "palaver", "--model", "compatible:bench", "--base-url", `${url}/v1`];
  return { args, env: { PALAVER_API_KEY: "bench", PALAVER_SANDBOX: "off" } };
}

async function streamed(front) {
  const processes = await withAgent(front);
  const total = () => processes.map(cpuSeconds).reduce((sum, seconds) => sum + seconds, 0);
  front.terminal.startCounting();
  const [before, uiBefore] = [total(), cpuSeconds(front.pid)];
  front.send("tell");
  await front.shows(LAST, LIMIT_MS);
  await front.terminal.waitForQuiet(1_000);
  const [after, uiAfter] = [total(), cpuSeconds(front.pid)];
  const ratio = front.terminal.bytes / Buffer.byteLength(paragraphs(PARAGRAPHS));
  const pssMb = processes.map(pssOf).reduce((sum, size) => sum + size, 0);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const judged = judge(front.terminal.allRows(), paragraphList(PARAGRAPHS), { status: 0, borders: 0 });
  return { judged, ratio, cpu: after - before, uiCpu: uiAfter - uiBefore, pssMb, idleCpu: total() - after };
}

// The agent starts after the first frame and after the shells that clean up, and is settled when nothing is drawn any more.
async function withAgent(front) {
  let found = [];
  for (const fromMs = performance.now(); !found.some(isAgent); ) {
    if (performance.now() - fromMs > LIMIT_MS) throw new Error("the built-in agent did not start");
    await front.settled();
    found = descendantsOf(front.pid);
  }
  await front.settled();
  return [front.pid, ...found];
}

function isAgent(pid) {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes("agent");
}

function descendantsOf(pid) {
  return childrenOf(pid).flatMap((child) => [Number(child), ...descendantsOf(Number(child))]);
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function pssOf(pid) {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1]) / 1024;
}

// An OpenAI-compatible endpoint that answers every request with the same text, at the pace of a model.
async function startModel() {
  const text = paragraphs(PARAGRAPHS);
  const chunk = (choice) =>
    `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "bench", choices: [{ index: 0, ...choice }] })}\n\n`;
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < text.length && !response.destroyed; at += CHUNK_CHARS) {
      response.write(chunk({ delta: { content: text.slice(at, at + CHUNK_CHARS) } }));
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
    response.end(`${chunk({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
