// `/pair` in a running terminal UI, in a real pty: a browser pairs with the address on the screen, follows the session, prompts and
// answers; the terminal shows it, and everything ends with the terminal.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { qrRows } from "../../../src/cli/commands/pair-commands.js";
import { overviewSnapshotSchema } from "../../../src/contract/page.js";
import { Browser } from "../../rigs/daemon/browser.js";
import { temporaryPlace } from "../daemon/daemon-process.js";
import { browserPath, PageStage } from "../page/page-rig.js";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

const agent = fileURLToPath(new URL("../../host/scripted-agent.mjs", import.meta.url));
const start = (env: Readonly<Record<string, string>> = {}) =>
  new PtySession(process.execPath, [palaver, "run", "--no-mcp", "--", process.execPath, agent], {
    ...{ columns: 100, rows: 50, env },
  });

test("opens the session to a browser without restarting it", async () => {
  const session = start();
  await session.shows("›");
  session.type("say before the browser came\r");
  await session.shows(/before the browser came[\s\S]*before the browser came/);
  session.type("/pair\r");
  await session.shows("It works once, for two minutes.");
  const text = await session.text();
  const [, origin = "", code = ""] = /(http:\/\/127\.0\.0\.1:\d+)\/#pair=([\w-]{22})/.exec(text) ?? [];
  for (const row of qrRows(`${origin}/#pair=${code}`, "plain")) expect(text).toContain(row.trimEnd());

  const browser = new Browser(origin);
  expect((await browser.json("POST", "/pair", { code, name: "phone" })).status).toBe(200);
  await session.shows("paired: phone");
  const home = await browser.stream("/overview");
  const snapshot = overviewSnapshotSchema.parse((await home.event("snapshot")).data);
  expect(snapshot.sessions).toMatchObject([{ id: "run", state: "idle" }]);
  const changes = await browser.stream("/sessions/run/changes");
  await changes.event("caught-up");
  const history = JSON.stringify(changes.named("history"));
  expect(history).toContain("before the browser came");
  expect(history).not.toContain(code);

  await browser.json("POST", "/sessions/run/intents", { intent: { type: "submit", text: "confirm" } });
  const { ask } = (await home.change("ask.raised")) as unknown as { ask: { ask: { id: string }; asked_at_ms: number } };
  // Both are moments of one clock, however late the browser looks.
  const { at_ms } = (await home.event("hello")).data as { at_ms: number };
  expect(ask.asked_at_ms).toBeGreaterThanOrEqual(at_ms);
  await session.shows("Deploy?");
  const intent = { type: "answer", askId: ask.ask.id, value: true };
  expect((await browser.json("POST", "/sessions/run/intents", { intent })).body).toEqual({ result: "delivered" });
  await session.shows("you said true");
  expect((await browser.json("DELETE", "/sessions/run")).status).toBe(403);
  expect((await browser.json("POST", "/sessions", { agent: "claude" })).status).toBe(403);

  session.type("/quit\r");
  expect(await session.ended).toBe(0);
  await Promise.all([home.ended, changes.ended]);
  await expect(browser.json("GET", "/device")).rejects.toThrow();
});

test("shows the address of a proxy that the settings name, and refuses one without TLS with words", async () => {
  const config = temporaryPlace();
  mkdirSync(join(config, "palaver"));
  const file = join(config, "palaver", "config.toml");
  writeFileSync(file, '[pair]\npublic_url = "https://box.example"\n');
  const session = start({ XDG_CONFIG_HOME: config });
  await session.shows("›");
  session.type("/pair\r");
  await session.shows("https://box.example/#pair=");
  expect(await session.text()).not.toContain("Only this machine");
  session.type("/quit\r");
  await session.ended;
  writeFileSync(file, '[pair]\npublic_url = "http://box.example"\n');
  const plain = start({ XDG_CONFIG_HOME: config });
  await plain.shows("›");
  plain.type("/pair\r");
  await plain.shows('not "http://box.example"');
  plain.type("/quit\r");
  await plain.ended;
});

test.skipIf(browserPath() === null)(
  "the page shows the one session, and offers no others (needs Chromium)",
  async () => {
    const session = start();
    await session.shows("›");
    session.type("/pair\r");
    await session.shows("It works once, for two minutes.");
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]{22}/.exec(await session.text()) ?? [];
    const stage = await PageStage.start();
    onTestFinished(() => stage.stop());
    const { page, faults } = await stage.visitor(undefined, new URL(url).origin);
    await page.goto(url);
    await page.getByLabel("name of this device").fill("phone");
    await page.getByRole("button", { name: "pair this device" }).click();
    await page.waitForURL(/#session=run$/);
    await page.getByLabel("message").fill("confirm");
    await page.getByRole("button", { name: "send" }).click();
    await page.locator(".open-ask").click();
    // Ages are those of this minute.
    expect(await page.locator(".question .where").textContent()).toMatch(/· \d+(?:\.\d)? s/);
    await page.goBack();
    await page.getByRole("link", { name: "back" }).click();
    expect(await page.locator(".home-links a").allTextContents()).toEqual(["this device"]);
    expect(faults).toEqual([]);
    session.type("/quit\r");
    await session.ended;
  },
);
