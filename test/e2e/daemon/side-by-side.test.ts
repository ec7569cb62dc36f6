// The daemons of several programs in one project: neither ends the other, the commands show and address all of them, and each
// has its own cookie.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Attached, compilePalaver } from "../attach/attach-rig.js";
import { palaver, runPalaver } from "../run-program.js";
import {
  ask,
  compile,
  type ReadyProgram,
  standIn,
  startDaemon,
  startProgram,
  temporaryPlace,
} from "./daemon-process.js";

const KEY = `ghp_${"a1B2".repeat(9)}`;

let script = "";
beforeAll(async () => {
  script = await compile(standIn);
});

function createPlace() {
  const root = temporaryPlace();
  const project = join(root, "project");
  mkdirSync(project);
  writeFileSync(join(project, ".palaver.toml"), "");
  const env = { XDG_STATE_HOME: join(root, "state"), XDG_CONFIG_HOME: join(root, "config"), HOME: root };
  return {
    project,
    env,
    run: (...args: string[]) => runPalaver(args, { env, cwd: project }),
    serve: (...args: string[]): Promise<ReadyProgram> =>
      startProgram(palaver, { args: ["serve", "--json", ...args], env, cwd: project }),
    daemonOf: (program: string, more: { hangs?: true } = {}) =>
      startDaemon(script, { env: { ...env, PALAVER_STAND_IN: JSON.stringify({ program, folder: project, ...more }) } }),
  };
}

type Place = ReturnType<typeof createPlace>;

const jsonOf = async ({ run }: Place, ...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);

describe("a program's own daemon", () => {
  test("an action that has not finished is no success", async () => {
    const { run, daemonOf } = createPlace();
    await daemonOf("dev.mjs", { hangs: true });
    expect(await run("action", "Hangs", "--wait", "0.1")).toMatchObject({
      code: 124,
      stderr: "Hangs is still running: palaver logs -f\n",
    });
  });

  test("a no is answered with its reason, where the asker can take one", async () => {
    const { run, daemonOf } = createPlace();
    const own = await daemonOf("dev.mjs");
    const post = (id: string, opts: object) => {
      const body = { id, question: { kind: "confirm", params: { title: "Deploy?", opts } } };
      return ask(own, "/asks", { method: "POST", body: JSON.stringify(body) });
    };
    const [taken, plain] = ["p0123456789abcdef", "p1123456789abcdef"];
    const asked = [post(taken ?? "", { allow_reason: true }), post(plain ?? "", {})];
    await expect.poll(async () => JSON.parse((await run("asks", "--json")).stdout).length).toBe(2);
    const why = ["--reason", "not on a Friday"];
    expect(await run("answer", plain ?? "", "--no", ...why)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the agent takes no reason with this question"),
    });
    expect(await run("answer", taken ?? "", "--yes", ...why)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--reason goes with a no"),
    });
    expect(await run("answer", taken ?? "", "--no", ...why)).toMatchObject({ code: 0 });
    expect(await run("answer", plain ?? "", "--no")).toMatchObject({ code: 0 });
    const [withReason, without] = await Promise.all(asked);
    expect(withReason?.body).toContain('"value":{"ok":false,"reason":"not on a Friday"}');
    expect(without?.body).toContain('"value":false');
  });
});

describe("palaver serve beside a program's own daemon", () => {
  test("starts before or after it, ends neither, and state, logs and stop name both", async () => {
    const place = createPlace();
    const { project, run, serve, daemonOf } = place;
    const own = await daemonOf("dev.mjs");
    const served = await serve();
    const other = await daemonOf("other.mjs");
    const state = await run("state");
    expect(state).toMatchObject({ code: 0, stderr: "" });
    expect(state.stdout).toMatch(/^palaver\nDAEMON\n.*\n\ndev\.mjs\nBUILD\n {2}Mode.*\n[\s\S]*\nother\.mjs\nBUILD\n/);
    const entries = (await jsonOf(place, "state")) as { program: string; handler_name: string }[];
    expect(new Set(entries.map(({ program }) => program))).toEqual(new Set(["palaver", "dev.mjs", "other.mjs"]));
    expect((await run("logs")).stdout).toMatch(
      / dev\.mjs\/daemon the daemon listens [\s\S]* palaver\/daemon the daemon listens [\s\S]* other\.mjs\/daemon the daemon /,
    );
    expect((await run("logs", "--program", "dev.mjs")).stdout).toMatch(/^\d\d:\d\d:\d\d daemon {3}the daemon listens/);
    expect(await run("stop")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^palaver: several daemons run for this project: palaver, dev\.mjs, other\.mjs\n {2}Name one: --program palaver · all of them: --all\n/,
      ),
    });
    expect(await run("stop", "--program", "dev.mjs")).toMatchObject({ code: 0 });
    expect(await own.exited).toBe(0);
    expect(await run("stop", "--program", "dev.mjs")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`no daemon of dev.mjs runs for ${project}`),
    });
    expect((await run("stop", "--all")).stdout).toBe(
      `The daemon of ${project} (palaver) has ended\nThe daemon of ${project} (other.mjs) has ended\n`,
    );
    expect([await served.exited, await other.exited]).toEqual([0, 0]);
  });

  test("an action goes to the one that has the key, and where several have it one is named", async () => {
    const place = createPlace();
    const { run, serve, daemonOf } = place;
    await serve();
    await daemonOf("dev.mjs");
    const valueIn = async (program: string) => {
      const entries = (await jsonOf(place, "state")) as { program: string; handler_name: string; value: string }[];
      return entries.find((entry) => entry.program === program && entry.handler_name === "Mode")?.value;
    };
    expect(await run("action", "Mode", "production")).toMatchObject({ code: 0 });
    expect(await valueIn("dev.mjs")).toBe("production");
    expect(await run("action", "Nothing")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no daemon has an action "Nothing"; palaver state lists all actions'),
    });
    expect(await run("action", "quit")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Name one: --program"),
    });
    await daemonOf("other.mjs");
    expect(await run("action", "Mode", "x")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('several daemons have "Mode": dev.mjs, other.mjs'),
    });
    expect(await run("action", "Mode", "staging", "--program", "other.mjs")).toMatchObject({ code: 0 });
    expect([await valueIn("dev.mjs"), await valueIn("other.mjs")]).toEqual(["production", "staging"]);
  });

  test("questions of both are listed and answered, and sessions are those of both", async () => {
    const place = createPlace();
    const { run, serve, daemonOf } = place;
    await serve();
    const own = await daemonOf("dev.mjs");
    const waiting = place.run("ask", "confirm", "Deploy?", "--on-ask", "wait");
    const question = { kind: "input", params: { title: "Which port?" } };
    const posted = ask(own, "/asks", { method: "POST", body: JSON.stringify({ question }) });
    const titles = async () => {
      const asks = (await jsonOf(place, "asks")) as {
        id: string;
        program: string;
        question: { params: { title: string } };
      }[];
      return Object.fromEntries(asks.map(({ id, program, question: { params } }) => [params.title, { id, program }]));
    };
    await expect.poll(async () => Object.keys(await titles()).length).toBe(2);
    const { "Deploy?": deploy, "Which port?": port } = await titles();
    expect([deploy?.program, port?.program]).toEqual(["palaver", "dev.mjs"]);
    expect((await run("asks")).stdout).toMatch(
      /Deploy\?\n.*\n? *in palaver\n[\s\S]*Which port\?\n[\s\S]*in dev\.mjs\n/,
    );
    expect(await run("answer", port?.id ?? "", `8080 ${KEY}`)).toMatchObject({ code: 0 });
    expect((await posted).body).toContain(`8080 ${KEY}`);
    expect(await run("answer", port?.id ?? "", "8081")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("answered"),
    });
    expect(await run("answer", deploy?.id ?? "", "--yes")).toMatchObject({ code: 0 });
    expect(await waiting).toMatchObject({ code: 0, stdout: "yes\n" });
    // Kept by the daemon of the program, as palaver serve keeps its own, without the key.
    const { stdout: history } = await run("asks", "--history");
    expect(history).toMatch(/"8080 •+", by .*\n {2}input {2}Which port\?\n {2}dev\.mjs in /);
    expect(await run("sessions")).toMatchObject({ code: 0, stdout: "no sessions yet\n" });
  });

  test("palaver attach has the tabs of both and changes a value of either", async () => {
    const place = createPlace();
    await place.serve();
    const own = await place.daemonOf("dev.mjs");
    const compiled = await compilePalaver("side-by-side");
    const attached = new Attached(process.execPath, [compiled, "attach", "--project", place.project], {
      env: place.env,
    });
    await attached.shows(/DAEMON {2}dev\.mjs BUILD/);
    attached.type("\t");
    await attached.shows("Mode  [ development ]");
    attached.type(`:dev.mjs/Mode production\r`);
    await attached.shows("Mode  [ production ]");
    attached.type(`:Mode staging\r`);
    await attached.shows("Mode  [ staging ]");
    attached.type("?");
    await attached.shows("p  production, Mode in dev.mjs BUILD");
    attached.type("?p");
    await attached.shows("Mode  [ p ]");
    await ask(own, "/action?key=quit", { method: "POST" });
    await attached.shows("the daemon of dev.mjs is gone");
    attached.type("\x03");
    expect(await attached.ended).toBe(0);
    expect(await attached.window()).toContain("the daemons keep running");
  });

  test("an MCP client of palaver mcp reads the state of both and acts on either", async () => {
    const place = createPlace();
    await place.serve();
    await place.daemonOf("dev.mjs");
    const client = new Client({ name: "an agent", version: "1" });
    const env = { ...process.env, ...place.env } as Record<string, string>;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [palaver, "mcp"], env, cwd: place.project }),
    );
    onTestFinished(() => client.close());
    const state = await client.callTool({ name: "state", arguments: {} });
    const { entries } = state.structuredContent as { entries: { program: string; handler_name: string }[] };
    expect(entries.map(({ program, handler_name }) => `${program} ${handler_name}`)).toEqual(
      expect.arrayContaining(["palaver daemon", "dev.mjs Mode"]),
    );
    expect(await client.callTool({ name: "action", arguments: { key: "Mode", value: "production" } })).toMatchObject({
      structuredContent: { applied: "Mode" },
    });
    const logs = await client.callTool({ name: "logs", arguments: { lines: 5 } });
    const lines = (logs.structuredContent as { entries: { program: string }[] }).entries;
    expect(new Set(lines.map(({ program }) => program))).toEqual(new Set(["palaver", "dev.mjs"]));
  });
});
