// Questions that wait at the daemon of the project because nobody sits where they are asked: answered from another command or in
// the attached view, withdrawn when the one who asked is gone. The daemon, the runs and the answers are processes of their own.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import { ask as overHttp, type ReadyProgram, startProgram } from "../daemon/daemon-process.js";
import { palaver, runPalaver } from "../run-program.js";
import { startAlone } from "./alone.js";
import { play, scriptedAgent, Workplace } from "./prompt-terminal.js";

const place = new Workplace();
afterEach(() => place.endAll());
afterAll(() => place.remove());

const project = place.path("project");
const env = { HOME: place.folder, XDG_STATE_HOME: place.path("state"), XDG_CONFIG_HOME: place.path("config") };
const confirm = { ask: "confirm", params: { title: "npm test", opts: { tool: "bash" } } };

const alone = (...args: string[]) => startAlone(args, { cwd: project, env });

const prompt = (...steps: object[]) =>
  alone("prompt", play(...steps), "--on-ask", "wait", "--", process.execPath, scriptedAgent);
const command = (...args: string[]) => runPalaver(args, { cwd: project, env });
const asks = async () => JSON.parse((await overHttp(where(), "/asks")).body) as Ask[];

function where() {
  const { url, token_file } = JSON.parse(daemon.firstLine) as { url: string; token_file: string };
  return { url, token: readFileSync(token_file, "utf8").trim() };
}

let daemon: ReadyProgram;
beforeAll(async () => {
  mkdirSync(project);
  daemon = await startProgram(palaver, { args: ["serve", "--json"], cwd: project, env });
});

describe("a question that waits at the daemon", () => {
  test("is answered from another command, and the run goes on", async () => {
    const run = prompt({ say: "before" }, confirm, { say: "after" });
    const id = await run.waitingId();
    const performer = `${" ".repeat(id.length + 2)}runs outside Palaver, so Palaver cannot check it`;
    expect((await command("asks")).stdout).toBe(`${id}  confirm     npm test\n${performer}\n`);
    expect(await command("answer", id, "--yes", "--by", "ada")).toMatchObject({ code: 0, stderr: "" });
    const { code, stdout, stderr } = await run.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "before\n\nanswer true\n\nafter\n" });
    const records = stderr.split("\n").filter((line) => line.startsWith("{"));
    expect(records.map((line) => JSON.parse(line) as unknown)).toEqual([
      { asked: "permission", title: "npm test", tool: "bash", outcome: "answered", by: "ada", value: true },
    ]);
    const { stdout: history } = await command("asks", "--history", "--json");
    expect(JSON.parse(history)).toMatchObject([
      { title: "npm test", outcome: { kind: "answered", by: "ada" }, delivery: "delivered" },
    ]);
  });

  test("is gone when its run is killed", async () => {
    const run = prompt(confirm);
    const id = await run.waitingId();
    expect((await asks()).map((ask) => ask.id)).toEqual([id]);
    run.child.kill("SIGKILL");
    await expect.poll(asks).toEqual([]);
    expect(await command("answer", id, "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("withdrawn"),
    });
  });

  test("of a shell script is answered in the attached view, or not in time", async () => {
    const late = alone("ask", "input", "Name?", "--on-ask", "wait", "--timeout", "0.1");
    const script = alone("ask", "select", "Which?", "npm", "pnpm", "--on-ask", "wait");
    await script.waitingId();
    const view = place.shell("cd project && palaver attach", { env });
    await view.shows("▌ ❯ npm");
    await view.shows("esc cancel");
    view.type("pn\r");
    expect(await script.ended).toMatchObject({ code: 0, stdout: "pnpm\n" });
    expect(await late.ended).toMatchObject({ code: 124, stderr: expect.stringContaining('"outcome":"expired"') });
  });

  test("about files is answered with several paths, and with none that leads outside", async () => {
    mkdirSync(`${project}/src`, { recursive: true });
    for (const path of ["a.ts", "b.ts"]) writeFileSync(`${project}/src/${path}`, "");
    symlinkSync(place.folder, `${project}/out`);
    const script = alone("ask", "files", "Which?", "--multiple", "--on-ask", "wait");
    const id = await script.waitingId();
    for (const path of ["../a.ts", "src/c.ts", "out"]) {
      expect(await command("answer", id, "src/a.ts", path)).toMatchObject({
        stdout: "",
        stderr: expect.stringMatching(/inside|no such|outside/),
      });
    }
    expect(await command("answer", id, "src/a.ts", "src/b.ts")).toMatchObject({ code: 0 });
    expect(await script.ended).toMatchObject({ code: 0, stdout: "src/a.ts\nsrc/b.ts\n" });
    const other = alone("ask", "files", "Which one?", "--on-ask", "wait");
    await other.waitingId();
    const view = place.shell("cd project && palaver attach", { env });
    await view.shows("▌ ❯ src/");
    await view.shows("esc cancel");
    view.type("b.ts");
    await view.shows("▌ ❯ src/b.ts");
    view.type("\r");
    expect(await other.ended).toMatchObject({ code: 0, stdout: "src/b.ts\n" });
  });

  test("without a daemon it fails, and says what starts one", async () => {
    daemon.child.kill("SIGTERM");
    await daemon.exited;
    const script = alone("ask", "confirm", "Sure?", "--on-ask", "wait");
    const { code, stderr } = await prompt(confirm).ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/^▲ --on-ask wait: no daemon runs for this project; palaver serve starts one\n/);
    expect(stderr).toContain(
      '"outcome":"unanswered","why":"no daemon runs for this project; palaver serve starts one"',
    );
    expect(await script.ended).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("palaver serve") });
  });
});
