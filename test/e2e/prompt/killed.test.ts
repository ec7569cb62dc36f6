// Questions that wait at the daemon, while daemon, run, agent and view are killed with SIGKILL in every order. The question is open
// again under its id, or it has ended with a reason; a run that comes back finds what was answered meanwhile.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { AskHistoryEntry } from "../../../src/contract/ask-history.js";
import type { Ask } from "../../../src/contract/asks.js";
import {
  endPrograms,
  ask as overHttp,
  type ReadyProgram,
  startProgram,
  temporaryPlace,
} from "../daemon/daemon-process.js";
import { palaver, runPalaver } from "../run-program.js";
import { startAlone } from "./alone.js";
import { play, scriptedAgent, Workplace } from "./prompt-terminal.js";

const terminals = new Workplace();
afterEach(async () => {
  terminals.endAll();
  await endPrograms();
});

const confirm = { ask: "confirm", params: { title: "npm test", opts: { tool: "bash" } } };

/** A project of its own, with a daemon that can be killed and started again. */
async function createProject() {
  const place = temporaryPlace();
  const project = join(place, "project");
  mkdirSync(project);
  const env = {
    ...{ HOME: place, XDG_STATE_HOME: join(place, "state"), XDG_CONFIG_HOME: join(place, "config") },
    ...{ PALAVER_MODEL: "offline", PALAVER_SANDBOX: "off" },
  };
  let daemon: ReadyProgram | null = null;
  const where = () => {
    const { url, token_file } = JSON.parse(daemon?.firstLine ?? "") as { url: string; token_file: string };
    return { url, token: readFileSync(token_file, "utf8").trim() };
  };
  const command = (...args: string[]) => runPalaver(args, { cwd: project, env });
  return {
    command,
    project,
    env,
    where,
    async serve(...args: string[]) {
      daemon = await startProgram(palaver, { args: ["serve", "--json", ...args], cwd: project, env });
    },
    async killDaemon() {
      daemon?.child.kill("SIGKILL");
      await daemon?.exited;
    },
    alone: (...args: string[]) => startAlone(args, { cwd: project, env }),
    openIds: async () => (JSON.parse((await overHttp(where(), "/asks")).body) as Ask[]).map(({ id }) => id),
    history: async () => JSON.parse((await command("asks", "--history", "--json")).stdout) as AskHistoryEntry[],
  };
}

type Project = Awaited<ReturnType<typeof createProject>>;

/** The built-in agent asks before it runs a command, and can resume its session. */
const promptBuiltIn = ({ alone }: Project) => alone("prompt", "run echo from-the-shell", "--on-ask", "wait");

async function resumed(project: Project) {
  return project.command("prompt", "--continue", "--on-ask", "wait", "--no-input");
}

describe("the daemon is killed", () => {
  test("and started again: the question is open under the same id, and the run gets its answer", async () => {
    const project = await createProject();
    await project.serve();
    const run = project.alone("prompt", play(confirm), "--on-ask", "wait", "--", process.execPath, scriptedAgent);
    const id = await run.waitingId();
    await project.killDaemon();
    await project.serve();
    expect(await project.openIds()).toEqual([id]);
    expect(await project.command("answer", id, "--yes", "--by", "ada")).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ code: 0, stdout: "answer true\n" });
    expect(await project.history()).toMatchObject([
      { title: "npm test", outcome: { by: "ada" }, delivery: "delivered" },
    ]);
  });

  test("with an agent in it that asks: the history says that the question was lost", async () => {
    const project = await createProject();
    await project.serve("--", process.execPath, scriptedAgent);
    const [session] = JSON.parse((await overHttp(project.where(), "/sessions")).body) as { id: string }[];
    const body = JSON.stringify({ intent: { type: "submit", text: play(confirm) } });
    await overHttp(project.where(), `/sessions/${session?.id}/intents`, { method: "POST", body });
    await expect.poll(project.openIds, { timeout: 20_000 }).toHaveLength(1);
    const [id] = await project.openIds();
    await project.killDaemon();
    await project.serve();
    expect(await project.openIds()).toEqual([]);
    expect(await project.history()).toMatchObject([
      { askId: id, title: "npm test", outcome: { kind: "withdrawn", reason: "disconnected" }, delivery: "none" },
    ]);
  });

  test("after the answer and before the run came back: the answer is still there", async () => {
    const project = await createProject();
    await project.serve();
    const run = promptBuiltIn(project);
    const id = await run.waitingId();
    await run.kill();
    expect(await project.command("answer", id, "--yes", "--by", "ada")).toMatchObject({ code: 0 });
    await project.killDaemon();
    await project.serve();
    const { code, stdout, stderr } = await resumed(project);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('"by":"ada"') });
    expect(stdout).toContain("from-the-shell");
  });
});

describe("the run is killed, and its agent with it", () => {
  test.each(["while it is away", "after it came back"])("an answer %s is what it goes on with", async (when) => {
    const project = await createProject();
    await project.serve();
    const run = promptBuiltIn(project);
    const id = await run.waitingId();
    await run.kill();
    const answer = () => project.command("answer", id, "--yes", "--by", "ada");
    if (when === "while it is away") expect(await answer()).toMatchObject({ code: 0 });
    const back = project.alone("prompt", "--continue", "--on-ask", "wait");
    if (when === "after it came back") {
      expect(await back.waitingId()).toBe(id);
      expect(await answer()).toMatchObject({ code: 0 });
    }
    expect(await back.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("from-the-shell") });
    const history = JSON.parse((await project.command("asks", "--history", "--json")).stdout) as AskHistoryEntry[];
    expect(history).toMatchObject([{ askId: id, outcome: { by: "ada" }, delivery: "delivered" }]);
  });

  test.each([
    ["view, daemon, run", ["view", "daemon", "run"]],
    ["run, view, daemon", ["run", "view", "daemon"]],
    ["daemon, run, view", ["daemon", "run", "view"]],
  ] as const)("and so are daemon and view, in the order %s: nothing is lost", async (_, order) => {
    const project = await createProject();
    await project.serve();
    const run = promptBuiltIn(project);
    const id = await run.waitingId();
    const view = terminals.shell(`cd ${project.project} && exec "${process.execPath}" "${palaver}" attach`, {
      env: project.env,
    });
    await view.shows("echo from-the-shell");
    const kill = { view: () => view.kill(), run: () => run.kill(), daemon: () => project.killDaemon() };
    for (const victim of order) await kill[victim]();
    await project.serve();
    expect(await project.openIds()).toEqual([id]);
    expect(await project.command("answer", id, "--yes")).toMatchObject({ code: 0 });
    expect(await resumed(project)).toMatchObject({ code: 0, stdout: expect.stringContaining("from-the-shell") });
    expect(await project.openIds()).toEqual([]);
  });

  test("a question that was withdrawn meanwhile ends the run with that reason", async () => {
    const project = await createProject();
    await project.serve();
    const run = promptBuiltIn(project);
    const id = await run.waitingId();
    await run.kill();
    await overHttp(project.where(), `/asks/${id}`, { method: "DELETE" });
    expect(await resumed(project)).toMatchObject({ code: 3, stderr: expect.stringContaining("withdrawn") });
  });
});
