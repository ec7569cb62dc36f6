// What the page costs in a real Chromium with the CPU slowed down four times: the time to the first question, the longest frame while a
// transcript of 100,000 lines is scrolled, the memory with all of it, and the bytes of the first load.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { browserPath, startStage } from "../scripts/page-stage.mjs";
import { root } from "../scripts/setup.mjs";

export const title = "The page, in Chromium with a CPU four times slower";

const THROTTLE = 4;
const BLOCKS = 25_000;
const BLOCKS_PER_TURN = 500;
const SCROLL_STEPS = 300;
/**
 * Each after a pass that stands still and does as much plain work in each frame as a scroll does: what other programs of the machine add
 * to a frame is seen there, and the goal is beyond it.
 */
const SCROLL_PASSES = 3;
const FRAME_MS = 1_000 / 60;
/** A fast flick: half a screen with every frame. */
const SCROLL_STEP_PX = 400;
const FLOOD_CHARS = 30_000_000;
/** By then the page has let go of a part of the session for the first time. */
const TURNS_BEFORE = 3_000;
const TURNS = 10_000;
const TURNS_AT_ONCE = 500;
const GROWN_MB_MAX = 1;
const FIRST_QUESTION_MS_MAX = 1_000;
const FRAME_MS_MAX = 50;
const FIRST_LOAD_KB_MAX = 120;
const AGENT = fileURLToPath(new URL("../test/e2e/page/page-agent.mjs", import.meta.url));

let stage;

export async function run() {
  if (browserPath() === null) return [row("all of it", "no Chromium", "apt-get install chromium", true)];
  stage = await startStage({ agent: ["node", AGENT] });
  try {
    return await measured();
  } finally {
    await stage.stop();
  }
}

async function measured() {
  const [session] = await stage.request("GET", "/sessions");
  const page = await stage.device({ viewport: { width: 1280, height: 900 } });
  const cdp = await page.context().newCDPSession(page);
  for (let done = 0; done < BLOCKS; done += BLOCKS_PER_TURN) await turn(session.id, `turns ${BLOCKS_PER_TURN}`);
  await page.goto(`${stage.url}/#session=${encodeURIComponent(session.id)}`);
  await page.getByText(`Line one of block ${BLOCKS_PER_TURN}.`).last().waitFor();
  await loadAll(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
  const work = await frameWorkMs(page, cdp);
  const usualMs = Number(part(work, 0.5));
  const [still, frames] = [[], []];
  for (let pass = 1; pass <= SCROLL_PASSES; pass++) {
    still.push(...(await frameTimesMs(page, pass / 4, { stepPx: 0, workMs: usualMs })));
    frames.push(...(await frameTimesMs(page, pass / 4, { stepPx: SCROLL_STEP_PX, workMs: 0 })));
  }
  // Quiet, such a frame takes as many ticks of the screen as its work needs.
  const noiseMs = Math.max(0, Math.max(...still) - Math.ceil((usualMs + 1) / FRAME_MS) * FRAME_MS);
  const heapMb = await heapMbOf(cdp);
  const floodMs = await floodFrameMs(page, session.id);
  await stage.prompt(session.id, `ask confirm ${JSON.stringify({ title: "Measured?" })}`);
  await page.goto(`${stage.url}/#home`);
  const firstMs = await firstQuestionMs(page);
  const kB = firstLoadBytes() / 1_000;
  const grownMb = await heapGrowthMb(page, cdp, session.id);
  return [
    atMost("first load, gzip", kB, FIRST_LOAD_KB_MAX, "kB"),
    atMost("first question visible", firstMs, FIRST_QUESTION_MS_MAX, "ms"),
    row(
      `longest frame, still, with ${usualMs} ms of plain work`,
      `${Math.max(...still).toFixed(0)} ms`,
      "told: the noise of the machine",
      true,
    ),
    atMost("longest frame, scrolling 100,000 lines", Math.max(...frames), FRAME_MS_MAX + noiseMs, "ms"),
    row("  95 % and 99 % of the frames", `≤ ${part(frames, 0.95)}, ${part(frames, 0.99)} ms`, "told", true),
    row("  frames over 50 ms, still and scrolling", `${slow(still)}, ${slow(frames)}`, "told", true),
    atMost("  work of the main thread in the longest of them", Math.max(...work), FRAME_MS_MAX, "ms"),
    row("longest frame in a flood of 30 MB", `${floodMs.toFixed(0)} ms`, "told", true),
    row("heap with all of them loaded", `${heapMb.toFixed(1)} MB`, "told", true),
    row(
      `heap, grown from turn ${TURNS_BEFORE} to ${TURNS}`,
      `${grownMb.toFixed(2)} MB`,
      `≤ ${GROWN_MB_MAX} MB`,
      grownMb <= GROWN_MB_MAX,
    ),
  ];
}

function part(times, share) {
  return times.sort((a, b) => a - b)[Math.floor((times.length - 1) * share)].toFixed(0);
}

function slow(times) {
  return `${times.filter((ms) => ms > FRAME_MS_MAX).length} of ${times.length}`;
}

function row(what, value, goal, met) {
  return { what, value, goal, met };
}

function atMost(what, value, most, unit) {
  return row(what, `${value.toFixed(0)} ${unit}`, `≤ ${most.toFixed(0)} ${unit}`, value <= most);
}

async function heapMbOf(cdp) {
  await cdp.send("HeapProfiler.collectGarbage");
  await cdp.send("Performance.enable");
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6;
}

/** A view that follows a session, turn after turn. The heap is what is left after a collection. */
async function heapGrowthMb(page, cdp, id) {
  // The measured question ends with its turn.
  await stage.request("POST", `/sessions/${id}/intents?by=terminal`, { intent: { type: "abort" } });
  await turn(id, "say before the turns");
  await page.goto(`${stage.url}/#session=${encodeURIComponent(id)}`);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  let beforeMb = 0;
  for (let turns = 0; turns < TURNS; turns += TURNS_AT_ONCE) {
    if (turns === TURNS_BEFORE) beforeMb = await heapMbOf(cdp);
    await turn(id, `talk ${TURNS_AT_ONCE}`);
    await turn(id, `say ${turns + TURNS_AT_ONCE} turns`);
    await page
      .locator(".transcript")
      .getByText(`${turns + TURNS_AT_ONCE} turns`, { exact: true })
      .waitFor();
  }
  return (await heapMbOf(cdp)) - beforeMb;
}

// The page, its style, and the script with what it imports before anything is shown.
function firstLoadBytes() {
  const folder = join(root, "dist", "page");
  const names = readdirSync(folder);
  const script = names.find((name) => /^app-.*\.js$/.test(name));
  const imported = readFileSync(join(folder, script), "utf8").matchAll(/from"\.\/([\w-]+\.js)"/g);
  const first = [
    script,
    ...[...imported].map(([, name]) => name),
    "index.html",
    ...names.filter((name) => name.endsWith(".css")),
  ];
  return first.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
}

async function turn(id, text) {
  await stage.prompt(id, text);
  for (;;) {
    const session = (await stage.request("GET", "/sessions")).find((one) => one.id === id);
    if (session.state === "idle") return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Scrolls to the beginning until all of it is here. */
async function loadAll(page) {
  const box = page.locator(".transcript");
  for (let at = 0; at < 400; at++) {
    if ((await page.getByText("earlier parts load as you scroll up").count()) === 0) return;
    await box.evaluate((element) => element.scrollTo(0, 0));
    await page.waitForTimeout(40);
  }
}

function frameTimesMs(page, from, { stepPx, workMs }) {
  return page.locator(".transcript").evaluate(
    async (element, [steps, px, share, work]) => {
      const loop = (count) => {
        let sum = 0;
        for (let at = 0; at < count; at++) sum = (sum * 31 + at) | 0;
        return sum;
      };
      const took = Array.from({ length: work > 0 ? 15 : 0 }, () => {
        const startMs = performance.now();
        loop(3_000_000);
        return performance.now() - startMs;
      });
      // The shortest is the one that nothing interrupted.
      const count = work > 0 ? (3_000_000 * work) / Math.min(...took) : 0;
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const times = [];
      element.scrollTop = element.scrollHeight * share;
      await frame();
      let before = await frame();
      for (let step = 0; step < steps; step++) {
        element.scrollTop += px;
        performance.mark("scrolled");
        loop(count);
        const now = await frame();
        if (step > 2) times.push(now - before);
        before = now;
      }
      return times;
    },
    [SCROLL_STEPS, stepPx, from, workMs],
  );
}

/** The CPU time of the page's own thread between two frames: other programs of the machine do not lengthen it. */
async function frameWorkMs(page, cdp) {
  const events = [];
  const collect = ({ value }) => events.push(...value);
  const ended = new Promise((resolve) => cdp.once("Tracing.tracingComplete", resolve));
  cdp.on("Tracing.dataCollected", collect);
  const includedCategories = ["disabled-by-default-devtools.timeline", "blink.user_timing"];
  await cdp.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories } });
  await frameTimesMs(page, 0.4, { stepPx: SCROLL_STEP_PX, workMs: 0 });
  await cdp.send("Tracing.end");
  await ended;
  cdp.off("Tracing.dataCollected", collect);
  const frames = events.filter(({ name }) => name === "scrolled").sort((a, b) => a.ts - b.ts);
  const [{ tid, pid }] = frames;
  const tasks = events.filter((event) => event.name === "RunTask" && event.tid === tid && event.pid === pid);
  const workMs = frames.slice(1).map(({ ts }, at) => {
    const own = tasks.filter((task) => task.ts >= frames[at].ts && task.ts < ts);
    return own.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000;
  });
  return workMs;
}

/** The daemon and its agent take their part of the machine meanwhile. */
async function floodFrameMs(page, id) {
  await page.locator(".transcript").evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.evaluate(() => {
    globalThis.longestMs = 0;
    let before = performance.now();
    const look = (now) => {
      globalThis.longestMs = Math.max(globalThis.longestMs, now - before);
      before = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await stage.prompt(id, `flood ${FLOOD_CHARS}`);
  await page.locator(".transcript").getByText("The flood is over.", { exact: true }).waitFor({ timeout: 120_000 });
  return page.evaluate(() => globalThis.longestMs);
}

async function firstQuestionMs(page) {
  await page.reload({ waitUntil: "commit" });
  await page.locator(".asks .row.ask").waitFor();
  return page.evaluate(() => performance.now());
}
