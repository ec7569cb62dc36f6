// `npm run page-pictures`: the page in Chromium at three sizes, dark and light, into docs/pictures. A daemon with two sessions of the
// showcase agent stands behind it, and a question waits in each.
import "./script-help.mjs";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { browserPath, startStage } from "./page-stage.mjs";
import { root, setup } from "./setup.mjs";

if (browserPath() === null) {
  console.error("pictures of the page need Chromium: apt-get install chromium");
  process.exit(2);
}
await setup();
const folder = process.env.PICTURES_FOLDER ?? join(root, "docs", "pictures");
mkdirSync(folder, { recursive: true });
const sizes = { phone: [360, 740], tablet: [768, 1024], desk: [1440, 900] };
const stage = await startStage({ env: { SHOWCASE_PACE_MS: "2" } });
try {
  const [first] = await stage.request("GET", "/sessions");
  const command = ["node", join(root, "examples/showcase/agent.mjs")];
  const second = await stage.request("POST", "/sessions", { command, protocol: "lines", name: "infra" });
  await stage.prompt(first.id, "fix the failing test");
  await stage.prompt(second.id, "set it up");
  for (const [name, [width, height]] of Object.entries(sizes)) {
    for (const colorScheme of ["dark", "light"])
      await take(`page-${name}-${colorScheme}`, { width, height, colorScheme }, first);
  }
} finally {
  await stage.stop();
}

async function take(name, { width, height, colorScheme }, session) {
  const page = await stage.device({
    viewport: { width, height },
    deviceScaleFactor: width < 500 ? 2 : 1,
    hasTouch: width < 500,
    colorScheme,
    reducedMotion: "reduce",
  });
  const shot = async (what) => {
    await page.screenshot({ path: join(folder, `${name}-${what}.png`) });
    console.log(join(folder, `${name}-${what}.png`));
  };
  await page.locator(".asks .row.ask").nth(1).waitFor();
  await shot("home");
  await page.goto(`${stage.url}/#session=${encodeURIComponent(session.id)}`);
  await page.locator(".md table").waitFor();
  await shot("session");
  await page.goto(`${stage.url}/#home`);
  await page.locator(".asks .row.ask", { hasText: "parser.ts" }).click();
  await page.locator("[data-answers]").waitFor();
  await page.locator("[data-answers] .answer.settling").first().waitFor({ state: "detached" });
  await shot("question");
  await page.context().close();
}
