// `palaver pair` and `palaver devices` as a person and a script use them, with a real daemon process behind them.
import { createECDH } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Browser } from "../../rigs/daemon/browser.js";
import { palaver, runPalaver } from "../run-program.js";
import { startProgram, temporaryPlace } from "./daemon-process.js";

function createPlace() {
  const root = temporaryPlace();
  const cwd = join(root, "project");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, ".palaver.toml"), "");
  const config = join(root, "config");
  mkdirSync(join(config, "palaver"), { recursive: true });
  writeFileSync(join(config, "palaver", "config.toml"), '[notify]\npush_hosts = ["127.0.0.1"]\n');
  const env = { XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: config };
  return {
    run: (...args: string[]) => runPalaver(args, { env, cwd }),
    start: (...args: string[]) => startProgram(palaver, { args, env, cwd }),
  };
}

test("a browser pairs with the address that is shown, is listed, and is revoked", async () => {
  const { run, start } = createPlace();
  const daemon = await start("serve", "--json");
  const pair = await start("pair", "--json");
  const { url } = JSON.parse(pair.firstLine) as { url: string };
  const [origin = "", code = ""] = url.split("/#pair=");
  const browser = new Browser(origin);
  expect((await browser.json("POST", "/pair", { code, name: "my phone" })).status).toBe(200);
  expect(await pair.exited).toBe(0);
  expect(pair.stdout()).toContain('"name":"my phone"');
  // What encrypts push messages was bundled whole: nothing listens at this address, and that is all that is wrong.
  const keys = { p256dh: createECDH("prime256v1").generateKeys("base64url"), auth: "A".repeat(22) };
  await browser.json("POST", "/push", { endpoint: "https://127.0.0.1:1/x", keys });
  expect((await browser.json("POST", "/push/test")).body).toMatchObject({
    problem: expect.stringContaining("ECONNREFUSED"),
  });
  const { stdout } = await run("devices");
  expect(stdout).toMatch(/^d[0-9a-f]{8} {2}my phone {2}paired just now {2}seen just now\n$/);
  expect(await run("devices", "revoke", "my phone")).toMatchObject({ code: 0, stdout: "revoked: my phone\n" });
  expect((await browser.json("GET", "/device")).status).toBe(401);
  expect((await run("devices")).stdout).toBe("no device is paired; palaver pair pairs one\n");
  expect(await run("devices", "revoke", "x")).toMatchObject({ code: 2 });
  await run("stop");
  await daemon.exited;
});

test("the address is also shown as a QR code, and the user is told how far it reaches", async () => {
  const { run, start } = createPlace();
  const daemon = await start("serve", "--json", "--public-url", "https://box.example/");
  const pair = await start("pair");
  await expect.poll(() => pair.stdout(), { timeout: 20_000 }).toContain("It works once, for two minutes.");
  expect(pair.stdout()).toMatch(/ {2}https:\/\/box\.example\/#pair=[\w-]{22}\n/);
  expect(pair.stdout().match(/^ {2}[█▀▄ ]{20,}$/gm)?.length).toBeGreaterThan(14);
  pair.child.kill();
  await pair.exited;
  await run("stop");
  await daemon.exited;
});

test.each([
  [["--public-url", "http://box.example"], "--public-url takes an address such as https://box.example"],
  [["--public-url", "https://box.example/x"], "--public-url takes an address such as https://box.example"],
  [["--tls-cert", "a.pem"], "--tls-cert and --tls-key go together"],
  [["--tls-cert", "a.pem", "--tls-key", "b.pem"], "a.pem cannot be read"],
  [["--host", "0.0.0.0"], "--tls-cert FILE --tls-key FILE"],
])("serve %s says what is wrong", async (args, words) => {
  expect(await createPlace().run("serve", ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
