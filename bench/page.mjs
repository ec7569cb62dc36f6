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
/** A fast flick: half a screen with every frame. */
const SCROLL_STEP_PX = 400;
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
  const frames = await frameTimesMs(page);
  const p95Ms = frames[Math.floor((frames.length - 1) * 0.95)] ?? 0;
  const longestMs = frames.at(-1) ?? 0;
  const heapMb = await heapMbOf(cdp);
  await stage.prompt(session.id, `ask confirm ${JSON.stringify({ title: "Measured?" })}`);
  await page.goto(`${stage.url}/#home`);
  const firstMs = await firstQuestionMs(page);
  const kB = firstLoadBytes() / 1_000;
  return [
    atMost("first load, gzip", kB, FIRST_LOAD_KB_MAX, "kB"),
    atMost("first question visible", firstMs, FIRST_QUESTION_MS_MAX, "ms"),
    atMost("longest frame, scrolling 100,000 lines", longestMs, FRAME_MS_MAX, "ms"),
    row("  95 % of the frames", `≤ ${p95Ms.toFixed(0)} ms`, "told", true),
    row("heap with all of them loaded", `${heapMb.toFixed(1)} MB`, "told", true),
  ];
}

function row(what, value, goal, met) {
  return { what, value, goal, met };
}

function atMost(what, value, most, unit) {
  return row(what, `${value.toFixed(0)} ${unit}`, `≤ ${most} ${unit}`, value <= most);
}

async function heapMbOf(cdp) {
  await cdp.send("HeapProfiler.collectGarbage");
  await cdp.send("Performance.enable");
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6;
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

function frameTimesMs(page) {
  return page.locator(".transcript").evaluate(
    async (element, [steps, stepPx]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const times = [];
      element.scrollTop = element.scrollHeight / 3;
      await frame();
      let before = await frame();
      for (let step = 0; step < steps; step++) {
        element.scrollTop += stepPx;
        const now = await frame();
        if (step > 2) times.push(now - before);
        before = now;
      }
      return times.sort((a, b) => a - b);
    },
    [SCROLL_STEPS, SCROLL_STEP_PX],
  );
}

async function firstQuestionMs(page) {
  await page.reload({ waitUntil: "commit" });
  await page.locator(".asks .row.ask").waitFor();
  return page.evaluate(() => performance.now());
}
