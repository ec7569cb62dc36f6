// Commands of the built-in agent in the sandbox: what the user and the model hear when it stops one, and who may let it out.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { openSandbox, Sandbox } from "../../src/system/sandbox/sandbox.js";
import { boxTest, PLACE, whereItWorks } from "../system/sandbox/boxed.js";
import { verifies } from "../verifies.js";
import { type AgentSetup, startWithModel } from "./rig.js";

function folders(): { folder: string; outside: string } {
  const top = realpathSync(mkdtempSync(join(PLACE, "palaver-boxed-agent-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true, maxRetries: 5 }));
  const [folder, outside] = [join(top, "ws"), join(top, "outside")];
  for (const each of [folder, outside]) mkdirSync(each);
  return { folder, outside };
}

const bash = (command: string) => ({ calls: [{ name: "bash", args: { command }, id: "b1" }] });

const sandboxFor: NonNullable<AgentSetup["sandboxFor"]> = (folder) =>
  openSandbox({ folder, environment: process.env, network: "none", secrets: "secrets-out" });

/** The first commands meet a path that is gone. */
function failingFirst(times: number): NonNullable<AgentSetup["sandboxFor"]> {
  let left = times;
  return async (folder, ...rest) => {
    const sandbox = await sandboxFor(folder, ...rest);
    if (!(sandbox instanceof Sandbox)) throw new Error("there is no sandbox");
    const wrap = sandbox.wrap.bind(sandbox);
    sandbox.wrap = async (...given) => {
      const boxed = await wrap(...given);
      left -= 1;
      return left < 0 ? boxed : { ...boxed, args: ["--ro-bind", join(folder, "gone"), "/mnt", ...boxed.args] };
    };
    return sandbox;
  };
}

async function started(setup: AgentSetup & { folder: string }) {
  const { agent, model } = await startWithModel({ sandboxFor, ...setup });
  /** What the model heard of its call. */
  const heard = () => JSON.stringify(model.requests.at(-1));
  return { agent, model, heard };
}

describe(`a command of the built-in agent${whereItWorks}`, () => {
  boxTest("runs in the sandbox, and the front end is told that it does", async () => {
    const { folder, outside } = folders();
    const { agent, model } = await started({ folder });
    expect(agent.frames).toContainEqual(
      expect.objectContaining({ type: "ui_status", params: { key: "sandbox", text: "sandbox" } }),
    );
    model.play(bash(`echo inside > made; ls ${outside} && echo seen`), { text: "Done." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(readFileSync(join(folder, "made"), "utf8")).toBe("inside\n");
  });

  boxTest("leaves the sandbox after an approval of its own: the same command, whole, never remembered", async () => {
    const { folder, outside } = folders();
    const { agent, model, heard } = await started({ folder });
    const command = `echo once > ${outside}/made`;
    model.play(bash(command), { text: "Done." });
    agent.send({ type: "prompt", text: "go" });
    const first = await agent.question();
    expect(first.params).toMatchObject({ opts: { tool: "bash" } });
    agent.answer(first, { ok: true });
    const second = await agent.question();
    expect(existsSync(join(outside, "made"))).toBe(false);
    expect(second.params).toMatchObject({
      title: expect.stringContaining("run outside the sandbox: echo once"),
      message: expect.stringContaining(
        "It failed in the sandbox, probably because it wanted to write outside the workspace",
      ),
      opts: {
        tool: "bash_outside_sandbox",
        command,
        danger_level: "danger",
        danger: expect.stringContaining("outside the sandbox"),
        allow_remember: false,
      },
    });
    agent.answer(second, { ok: true, remember: true });
    await agent.event("agent_end");
    expect(readFileSync(join(outside, "made"), "utf8")).toBe("once\n");
    expect(heard()).toContain("run outside the sandbox, as the user allowed");
    model.play(bash(command), { text: "Done." });
    agent.send({ type: "prompt", text: "again" });
    agent.answer(await agent.question(), true);
    expect((await agent.question()).params).toMatchObject({ opts: { tool: "bash_outside_sandbox" } });
  });

  boxTest("stays inside when the user says no, and the model hears the reason", async () => {
    const { folder, outside } = folders();
    const { agent, model, heard } = await started({ folder });
    model.play(bash(`touch ${outside}/made`), { text: "Understood." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    agent.answer(await agent.question(), { ok: false, reason: "write it here" });
    await agent.event("agent_end");
    expect(existsSync(join(outside, "made"))).toBe(false);
    expect(heard()).toContain("The user denied running it outside. They said: write it here");
  });

  for (const ui of ["none", "away"] as const) {
    boxTest(`never leaves the sandbox while no one is there (${ui}), also when a rule allows every tool`, async () => {
      const { folder, outside } = folders();
      writeFileSync(join(folder, "go.sh"), `touch ${outside}/made`);
      const allow = (tool: string, pattern: string | null) =>
        ({ layer: "user", rule: { decision: "allow", tool, pattern } }) as const;
      const rules = [allow("*", null), allow("bash", "sh go.sh")];
      const { agent, model, heard } = await started({ folder, ui, rules });
      model.play(bash("sh go.sh"), { text: "Understood." });
      await agent.prompt("go");
      expect(existsSync(join(outside, "made"))).toBe(false);
      expect(agent.frames.filter(({ type }) => type === "ui_request")).toEqual([]);
      expect(heard()).toContain("It cannot leave the sandbox, because no one can be asked");
    });
  }

  boxTest("offers nothing when it fails for reasons of its own", async () => {
    const { folder } = folders();
    const { agent, model } = await started({ folder });
    model.play(bash("echo wrong; exit 3"), { text: "It failed." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(agent.frames.filter(({ type }) => type === "ui_request")).toHaveLength(1);
  });

  boxTest("runs once, when a path went away while the sandbox was set up", async () => {
    const { folder } = folders();
    const { agent, model, heard } = await started({ folder, sandboxFor: failingFirst(1) });
    model.play(bash("echo ran >> runs; echo fine"), { text: "Done." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(readFileSync(join(folder, "runs"), "utf8")).toBe("ran\n");
    expect(heard()).toContain("fine");
    expect(heard()).not.toContain("bwrap");
    expect(agent.frames.filter(({ type }) => type === "ui_request")).toHaveLength(1);
  });

  boxTest("does not run where the sandbox cannot be set up, and is not offered to run outside for that", async () => {
    const { folder } = folders();
    const { agent, model, heard } = await started({ folder, sandboxFor: failingFirst(9) });
    model.play(bash("echo ran >> runs"), { text: "It failed." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(existsSync(join(folder, "runs"))).toBe(false);
    expect(heard()).toContain("The sandbox could not be set up, so the command did not run: bwrap: ");
    expect(agent.frames.filter(({ type }) => type === "ui_request")).toHaveLength(1);
  });

  boxTest("runs once, also when it fails in the words of the sandbox", async () => {
    const { folder } = folders();
    const { agent, model } = await started({ folder });
    model.play(bash("echo ran >> runs; echo 'bwrap: all is lost'; exit 1"), { text: "It failed." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(readFileSync(join(folder, "runs"), "utf8")).toBe("ran\n");
  });

  boxTest("may put its things away when it is stopped, and everything it started is gone then", async () => {
    const { folder } = folders();
    const { agent, model } = await started({ folder });
    model.play(bash("trap 'echo clean > cleaned; exit' TERM; (setsid sleep 97 &); sleep 97 & echo ready; wait"));
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    // A shell may print a warning first, before it has set its trap.
    await agent.next("event", ({ event }) => JSON.stringify(event["output"] ?? "").includes("ready"));
    // The pauses of the rig take no time: without this, the command would be given up at once.
    agent.clock.holdPauses();
    agent.send({ type: "abort" });
    await agent.event("agent_end");
    expect(readFileSync(join(folder, "cleaned"), "utf8")).toBe("clean\n");
  });

  boxTest("cannot read what a rule denies, whatever the file is called", async () => {
    const { folder } = folders();
    mkdirSync(join(folder, "private"));
    writeFileSync(join(folder, "private", "diary.txt"), "DEAR-DIARY");
    const rules = [{ layer: "project", rule: { decision: "deny", tool: "read", pattern: "private/**" } }] as const;
    const { agent, model, heard } = await started({ folder, rules });
    model.play(bash("cat pri*/di*; grep -r DEAR .; echo looked"), { text: "Done." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(heard()).toContain("looked");
    expect(heard()).not.toContain("DEAR-DIARY");
  });

  boxTest("that names a hidden file says that it was hidden, and one that does not says nothing", async () => {
    const { folder } = folders();
    writeFileSync(join(folder, ".env"), "KEY=hunter2");
    mkdirSync(join(folder, "deploy"));
    writeFileSync(join(folder, "deploy", "id_rsa"), "KEY");
    const { agent, model, heard } = await started({ folder });
    const note = (name: string) => `[the sandbox hid ${name} from this command, which saw it empty]`;
    for (const [command, notesSoFar] of [
      ["ls", []],
      ["cat .env", [note(".env")]],
      ["grep KEY < ./.env | sort deploy/id_rsa", [note(".env"), note(".env"), note("deploy/id_rsa")]],
    ] as const) {
      model.play(bash(command), { text: "Done." });
      agent.send({ type: "prompt", text: "go" });
      agent.answer(await agent.question(), true);
      await agent.event("agent_end");
      expect(heard().match(/\[the sandbox hid [^\]]*\]/g) ?? [], command).toEqual(notesSoFar);
      expect(heard()).not.toContain("hunter2");
    }
  });

  boxTest("does not run where a link of the project cannot be protected, and the user hears why", async () => {
    verifies("sandbox.never-unboxed");
    const { folder, outside } = folders();
    symlinkSync("missing", join(folder, ".husky"));
    const { agent, model, heard } = await started({ folder });
    expect(JSON.stringify(agent.frames)).toContain("commands do not run, because the sandbox cannot be set up");
    model.play(bash(`touch ${outside}/made`), { text: "Understood." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(existsSync(join(outside, "made"))).toBe(false);
    expect(heard()).toContain("so the command did not run");
  });

  boxTest("cannot make what could run code later, and the user is asked whether it may outside", async () => {
    const { folder } = folders();
    const { agent, model } = await started({ folder });
    model.play(bash("mkdir -p .vscode; echo {} > .vscode/tasks.json"), { text: "Done." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    const leave = await agent.question();
    expect(leave.params).toMatchObject({
      message: expect.stringContaining("or to a file that is protected there"),
      opts: { tool: "bash_outside_sandbox" },
    });
    expect(existsSync(join(folder, ".vscode"))).toBe(false);
    agent.answer(leave, false);
    await agent.event("agent_end");
    expect(existsSync(join(folder, ".vscode"))).toBe(false);
  });

  boxTest("runs without one where it does not work, and the user hears why", async () => {
    const { folder } = folders();
    const { agent } = await started({ folder, sandboxFor: async () => ({ why: "it is not installed", advice: null }) });
    expect(JSON.stringify(agent.frames)).toContain("commands run without a sandbox: it is not installed");
  });

  boxTest("runs as it is, and the front end is told so, where the sandbox is off", async () => {
    const { folder, outside } = folders();
    const off: typeof sandboxFor = async () => "off";
    const { agent, model } = await started({ folder, sandboxFor: off });
    expect(agent.frames).toContainEqual(
      expect.objectContaining({ type: "ui_status", params: { key: "sandbox", text: "no sandbox" } }),
    );
    model.play(bash(`touch ${outside}/made`), { text: "Done." });
    agent.send({ type: "prompt", text: "go" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(existsSync(join(outside, "made"))).toBe(true);
  });
});
