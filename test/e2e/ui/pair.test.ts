// `/pair` in a running terminal UI, in a real pty: a browser pairs with the address on the screen, follows the session, prompts and
// answers; the terminal shows it, and everything ends with the terminal.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { qrRows } from "../../../src/cli/qr-rows.js";
import { overviewSnapshotSchema } from "../../../src/contract/page.js";
import { Browser } from "../../rigs/daemon/browser.js";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

const agent = fileURLToPath(new URL("../../host/scripted-agent.mjs", import.meta.url));
const start = () =>
  new PtySession(process.execPath, [palaver, "run", "--no-mcp", "--", process.execPath, agent], {
    columns: 100,
    rows: 50,
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
  const { ask } = (await home.change("ask.raised")) as unknown as { ask: { ask: { id: string } } };
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
