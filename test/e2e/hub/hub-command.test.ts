// What the administrator of a hub does: `palaver hub` beside real nats-servers that it wrote the configuration for.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasOpenssl, makeAuthority, makeCertificate } from "../../hub/certificates.js";
import { freePort, natsServerProgram, takesConnections } from "../../hub/nats-server.js";
import { runPalaver } from "../run-program.js";

const program = natsServerProgram();

/** A folder for `palaver hub`, and the servers of this test. */
async function newHub() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "palaver-hub-")));
  const [port, folder] = [await freePort(), join(place, "hub")];
  const running: ChildProcess[] = [];
  const ended = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));
  const down = async () => {
    const all = running.splice(0).filter(({ exitCode }) => exitCode === null);
    await Promise.all(all.map((child) => [ended(child), child.kill("SIGKILL")][0]));
  };
  onTestFinished(async () => {
    await down();
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  });
  const inFolder = (name: string) => join(folder, name);
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(inFolder(name), change(readFileSync(inFolder(name), "utf8")));
  const up = async (config = "hub.conf", at = port) => {
    running.push(spawn(program ?? "", ["-c", inFolder(config)], { stdio: "ignore" }));
    await expect.poll(() => takesConnections(at), { timeout: 10_000 }).toBe(true);
  };
  const command = (...args: string[]) => runPalaver(["hub", ...args, "--folder", folder]);
  /** A server that runs, with its streams. */
  const started = async () => {
    expect(await command("init", "--port", String(port))).toMatchObject({ code: 0 });
    await up();
    expect(await command("init")).toMatchObject({ code: 0 });
  };
  return { place, port, folder, inFolder, edit, up, down, command, started };
}

test("on a machine without the administrator's folder, hub check does not lead to a second hub", async () => {
  const { command } = await newHub();
  const { code, stderr } = await command("check");
  expect(code).toBe(1);
  expect(stderr).toMatch(/there is no key .*system\.nk; run this on the administrator's machine.*--folder/);
});

describe.skipIf(program === null)("with a nats-server", () => {
  test("a hub is checked, and refused where it would lose data", async () => {
    const { command, started, up, down, edit } = await newHub();
    await started();
    expect(await command("check")).toMatchObject({ code: 0, stdout: "This hub keeps what it is given.\n" });
    // Without options nothing that was chosen is lost.
    expect((await command("init")).stdout).toContain("nothing had to be changed.\nRecords are kept 30 days, ");
    expect((await command("init", "--days", "40")).stdout).toContain("kept 40 days, up to 2 GB each, on 1 server.");
    expect((await command("init", "--gigabytes", "3")).stdout).toContain("kept 40 days, up to 3 GB each, on 1 server.");
    expect((await command("init")).stdout).toContain("kept 40 days, up to 3 GB each, on 1 server.");
    expect((await command("init", "--days", "50")).stdout).toContain(
      "PV_ENDS: max_age is 50 days now; it was 40 days\n",
    );
    for (const args of [
      ["--replicas", "3"],
      ["--days", "6"],
      ["--gigabytes", "0"],
      ["--cert", "a.pem"],
    ]) {
      expect((await command("init", ...args)).code).not.toBe(0);
    }
    expect(await command("users", "add", "ada")).toMatchObject({ code: 0 });
    // A name can be given again, with a new key.
    expect(await command("users", "add", "eve")).toMatchObject({ code: 0 });
    expect(await command("users", "remove", "eve")).toMatchObject({ code: 0 });
    expect(await command("users", "add", "eve", "--site", "ada,nobody")).toMatchObject({ code: 2 });
    expect(await command("users", "add", "eve")).toMatchObject({ code: 0 });
    expect(await command("users", "remove", "eve")).toMatchObject({ code: 0 });
    expect((await command("users")).stdout).toBe("ada  member\n");
    await down();
    edit("hub.conf", (config) => config.replace("sync_interval: always", ""));
    await up();
    expect(await command("check")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("sync_interval: always"),
    });
  });

  test("each server that is named has to be there, and to be one with the others", async () => {
    const { command, started, port, edit, inFolder, up } = await newHub();
    await started();
    const here = `nats://127.0.0.1:${port}`;
    const other = await freePort();
    const both = `${here},nats://127.0.0.1:${other}`;
    expect(await command("check", "--url", both)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`the server at nats://127.0.0.1:${other} cannot be reached: connection refused`),
    });
    writeFileSync(inFolder("other.conf"), readFileSync(inFolder("hub.conf")));
    edit("other.conf", (config) => config.replaceAll(String(port), String(other)).replace("hub/store", "hub/other"));
    await up("other.conf", other);
    expect(await command("check", "--url", both)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `the server at nats://127.0.0.1:${other} does not see the one at ${here}: they have to be one cluster`,
      ),
    });
  });

  test("a removed user of a site: the files that have to be copied are named, and check finds the leaf node that has the old one", async () => {
    const { command, started, edit, inFolder, up, down } = await newHub();
    const [leafPort, port] = [await freePort(), await freePort()];
    await started();
    for (const args of [["ada"], ["bob"], ["laptop", "--machine"]]) await command("users", "add", ...args);
    const site = ["users", "add", "berlin", "--site", "ada,bob"];
    // Nothing is written before all is known.
    expect(await command(...site)).toMatchObject({ code: 2, stderr: expect.stringContaining("--site needs --url") });
    const far = await command(...site, "--url", "nats://hub.example.org:7422");
    expect(far).toMatchObject({ code: 2, stderr: expect.stringContaining("--url tls://hub.example.org:7422") });
    expect(await command("users", "add", "hub", "--site", "ada", "--url", "tls://hub.example.org")).toMatchObject({
      code: 2,
    });
    const url = `nats://127.0.0.1:${leafPort}`;
    expect(await command(...site, "--url", url, "--port", String(port))).toMatchObject({ code: 0 });
    // Again, with other users: the rest stays.
    expect(await command("users", "add", "berlin", "--site", "ada,bob,laptop")).toMatchObject({ code: 0 });
    expect((await command("users")).stdout).toContain("berlin  site     ada, bob, laptop\n");
    await command("reload");
    expect(await command("check")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("it takes no leaf nodes"),
    });
    edit("hub.conf", (config) => `${config}leafnodes { listen: "127.0.0.1:${leafPort}" }\n`);
    await down();
    await up();
    const old = readFileSync(inFolder("berlin.conf"), "utf8");
    writeFileSync(inFolder("at-berlin.conf"), old);
    await up("at-berlin.conf", port);
    await expect.poll(() => command("check"), { timeout: 20_000 }).toMatchObject({ code: 0 });
    const { stdout } = await command("users", "remove", "ada");
    expect(stdout).toContain("copy users.conf to every other server of the hub");
    expect(stdout).toContain("copy berlin.conf to berlin and restart its nats-server");
    expect(readFileSync(inFolder("berlin.conf"), "utf8").split("\n").length).toBe(old.split("\n").length - 2);
    expect(await command("check")).toMatchObject({ code: 1, stderr: expect.stringContaining("it has other users") });
    expect(await command("reload")).toMatchObject({ code: 0 });
    const stale = "the leaf node of berlin has other users than berlin.conf here";
    await expect
      .poll(() => command("check"), { timeout: 20_000 })
      .toMatchObject({
        code: 1,
        stderr: expect.stringMatching(new RegExp(`^\\S ${stale}; .*\\n$`)),
      });
    await down();
    await up();
    await up("berlin.conf", port);
    await expect.poll(() => command("check"), { timeout: 20_000 }).toMatchObject({ code: 0 });
  });

  test.skipIf(!hasOpenssl)(
    "with a certificate, the commands reach the server as the folder says, and its name is given to users",
    async () => {
      const { place, port, command, edit, inFolder, up } = await newHub();
      makeAuthority(place, "team");
      makeCertificate(place, "server", "team", "DNS:hub.example.org");
      makeCertificate(place, "other", "team", "DNS:hub.example.org");
      const files = (key: string) =>
        ["--cert", "server.pem", "--cert-key", key, "--ca", "team.pem"].map((word) =>
          word.startsWith("--") ? word : join(place, word),
        );
      const init = (key: string) => command("init", "--port", String(port), ...files(key));
      expect(await init("other.key")).toMatchObject({ code: 2, stderr: expect.stringContaining("is not the key of") });
      expect(await init("missing.key")).toMatchObject({ code: 2, stderr: expect.stringContaining("missing.key") });
      const made = await command("init", "--days", "60", "--port", String(port), ...files("server.key"));
      expect(made.stdout).toContain(`palaver hub init --folder ${inFolder("")}`.replace(/\/$/, " --days 60\n"));
      edit("hub.conf", (config) => config.replace("0.0.0.0", "127.0.0.1"));
      await up();
      expect(await command("init")).toMatchObject({ code: 0 });
      expect(await command("check")).toMatchObject({ code: 0, stderr: "" });
      const { stdout } = await command("users", "add", "ada");
      expect(stdout).toContain(`palaver config set hub.url tls://hub.example.org:${port}\n`);
      expect(stdout).toContain("palaver config set hub.ca");
      expect(stdout).toContain(`palaver hub reload --folder ${inFolder("")}`.replace(/\/$/, ""));
      expect(await command("reload")).toMatchObject({ code: 0, stdout: "1 server has read the users again.\n" });
      // Where the servers are elsewhere, the next commands name them, too.
      const url = "tls://hub-1.example.org:4222,tls://hub-2.example.org:4222";
      const removed = await command("users", "remove", "ada", "--url", url);
      expect(removed.stdout).toMatch(new RegExp(`hub reload --folder \\S+ --url ${url}\n`));
    },
  );
});
