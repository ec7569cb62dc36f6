// A daemon with the showcase agent and a Chromium that is paired with it, for pictures and measurements of the page.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "./setup.mjs";

export const BROWSER_ARGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(
    " ",
  );

export function browserPath() {
  const names = [process.env.CHROME_PATH, "chromium", "google-chrome"].filter(Boolean);
  return names.map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim()).find(Boolean) ?? null;
}

/** `agent` is a command on the lines wire. */
export async function startStage({ agent = ["node", join(root, "examples/showcase/agent.mjs")], env = {} } = {}) {
  const place = mkdtempSync(join(tmpdir(), "palaver-page-"));
  const cwd = join(place, "parser");
  mkdirSync(cwd);
  writeFileSync(join(cwd, ".palaver.toml"), "");
  const args = [
    join(root, "dist", "cli.js"),
    "serve",
    "--json",
    "--allow-start",
    "--protocol",
    "lines",
    "--",
    ...agent,
  ];
  const surroundings = { ...process.env, HOME: place, XDG_STATE_HOME: join(place, "state"), ...env };
  const daemon = spawn(process.execPath, args, { cwd, env: surroundings, stdio: ["ignore", "pipe", "inherit"] });
  const { url, token_file } = JSON.parse(await firstLine(daemon));
  const authorization = `Bearer ${readFileSync(token_file, "utf8").trim()}`;
  const request = async (method, path, body) => {
    const headers = { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const answer = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return answer.json();
  };
  const browser = await chromium.launch({ executablePath: browserPath(), args: BROWSER_ARGS });
  return {
    url,
    request,
    browser,
    prompt: (id, text) => request("POST", `/sessions/${id}/intents?by=terminal`, { intent: { type: "submit", text } }),
    async device(options) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto((await request("POST", "/pair/codes")).url);
      await page.getByLabel("name of this device").fill("phone");
      await page.getByRole("button", { name: "pair this device" }).click();
      await page.locator(".row.session").first().waitFor();
      return page;
    },
    async stop() {
      await browser.close();
      daemon.kill();
      await new Promise((resolve) => daemon.once("close", resolve));
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.once("close", () => reject(new Error("the daemon ended before it was ready")));
  });
}
