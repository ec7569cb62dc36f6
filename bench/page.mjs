// `node bench/page.mjs`: what the page costs in a real Chromium with the CPU slowed down four times: the time to the first question, the
// longest frame while a transcript of 100,000 lines is scrolled, and the memory after many turns.
import { fileURLToPath } from "node:url";
import { browserPath, startStage } from "../scripts/page-stage.mjs";
import { setup } from "../scripts/setup.mjs";

const THROTTLE = 4;
const BLOCKS = 25_000;
const BLOCKS_PER_TURN = 500;
const SCROLL_STEPS = 300;
/** A fast flick: half a screen with every frame. */
const SCROLL_STEP_PX = 400;
const FIRST_QUESTION_MS_MAX = 1_000;
const FRAME_MS_MAX = 50;
const AGENT = fileURLToPath(new URL("../test/e2e/page/page-agent.mjs", import.meta.url));

if (browserPath() === null) throw new Error("the page is measured in Chromium: apt-get install chromium");
await setup();
const stage = await startStage({ agent: ["node", AGENT] });
try {
  const [session] = await stage.request("GET", "/sessions");
  const page = await stage.device({ viewport: { width: 1280, height: 900 } });
  const cdp = await page.context().newCDPSession(page);
  for (let done = 0; done < BLOCKS; done += BLOCKS_PER_TURN) await turn(session.id, `turns ${BLOCKS_PER_TURN}`);
  await page.goto(`${stage.url}/#session=${encodeURIComponent(session.id)}`);
  await page.getByText(`Line one of block ${BLOCKS_PER_TURN}.`).last().waitFor();
  await loadAll(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
  const frames = await frameTimesMs(page);
  const at = (part) => (frames[Math.floor((frames.length - 1) * part)] ?? 0).toFixed(0);
  console.log(
    `frames while 100,000 lines are scrolled: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms`,
  );
  report("longest frame", frames.at(-1) ?? 0, FRAME_MS_MAX, "ms");
  await cdp.send("HeapProfiler.collectGarbage");
  const { JSHeapUsedSize } = Object.fromEntries(
    (await cdp.send("Performance.enable").then(() => cdp.send("Performance.getMetrics"))).metrics.map(
      ({ name, value }) => [name, value],
    ),
  );
  console.log(`heap with ${BLOCKS.toLocaleString("en")} blocks loaded: ${(JSHeapUsedSize / 1e6).toFixed(1)} MB`);
  await stage.prompt(session.id, `ask confirm ${JSON.stringify({ title: "Measured?" })}`);
  await page.goto(`${stage.url}/#home`);
  report("first question visible", await firstQuestionMs(page), FIRST_QUESTION_MS_MAX, "ms");
} finally {
  await stage.stop();
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

function report(what, value, most, unit) {
  const verdict = value <= most ? "ok" : "TOO MUCH";
  console.log(`${what}: ${value.toFixed(0)} ${unit} (at most ${most}) ${verdict}`);
  if (value > most) process.exitCode = 1;
}
