// What the user is asked before a tool changes something: in which order it arrives, what each answer means, and what
// happens when nobody is there.
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allCapabilities, freshFolder, startAgent, startWithModel } from "../rig.js";

const writeCall = { calls: [{ name: "write", args: { path: "a.txt", content: "new\n" }, id: "w1" }] };

function workspace(): string {
  const folder = freshFolder();
  writeFileSync(join(folder, "a.txt"), "old\n");
  return folder;
}

describe("a tool call that has to be asked about", () => {
  test("is previewed with the real diff, announced, and only then asked", async () => {
    const { agent, model } = await startWithModel({ folder: workspace() });
    model.play(writeCall, { text: "Done." });
    agent.send({ type: "prompt", text: "write it" });
    const question = await agent.question();
    const before = agent.frames.slice(0, agent.frames.indexOf(question));
    const order = before.flatMap((frame) => (frame.type === "event" ? [frame.event.type] : [frame.type]));
    expect(order.slice(-2)).toEqual(["permission.preview", "permission.ready"]);
    expect(order).not.toContain("tool_execution_start");
    const [preview] = agent.events().flatMap((event) => (event.type === "permission.preview" ? [event] : []));
    expect(preview).toMatchObject({ tool: "write", tool_call_id: "w1", file_path: "a.txt" });
    expect((preview as { diff: string }).diff).toMatch(/^-old$[\s\S]*^\+new$/m);
    expect(question).toMatchObject({
      method: "confirm",
      params: {
        title: "write a.txt",
        message: "",
        opts: { tool: "write", tool_call_id: "w1", allow_remember: true, allow_reason: true },
      },
    });
    expect(question.timeout_ms).toBeUndefined();
    agent.answer(question, { ok: true });
    await agent.event("agent_end");
  });

  test("says nothing twice: its title names the tool and its diff the change; words are for what neither shows", async () => {
    const folder = workspace();
    symlinkSync("a.txt", join(folder, "link.txt"));
    const { agent, model } = await startWithModel({ folder });
    const write = (path: string) => ({ calls: [{ name: "write", args: { path, content: `${path}\n` } }] });
    model.play(write("a.txt"), write("b.txt"), write("link.txt"), { text: "Done." });
    agent.send({ type: "prompt", text: "write them" });
    const asked: unknown[] = [];
    for (const answer of [true, true, false]) {
      const question = await agent.question();
      const { title, message } = question.params as { title: string; message?: string };
      asked.push([title, message, question.origin]);
      agent.answer(question, answer);
    }
    expect(asked).toEqual([
      ["write a.txt", "", undefined],
      ["write b.txt", "create b.txt", undefined],
      ["write a.txt", "change a.txt (written as link.txt)", undefined],
    ]);
    await agent.event("agent_end");
  });

  test("runs when it is allowed, and the user is asked again the next time", async () => {
    const folder = workspace();
    const { agent, model } = await startWithModel({ folder });
    model.play(
      writeCall,
      { text: "Done." },
      { calls: [{ name: "write", args: { path: "a.txt", content: "newer\n" } }] },
    );
    agent.send({ type: "prompt", text: "write it" });
    agent.answer(await agent.question(), true);
    await agent.event("agent_end");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new\n");
    agent.send({ type: "prompt", text: "again" });
    await agent.question();
  });

  test("denied without a reason ends the turn, and calls behind it do not run", async () => {
    const folder = workspace();
    const { agent, model } = await startWithModel({ folder });
    model.play({ calls: [...writeCall.calls, { name: "bash", args: { command: "touch b" }, id: "b1" }] });
    agent.send({ type: "prompt", text: "write it" });
    agent.answer(await agent.question(), false);
    const end = await agent.event("agent_end");
    expect(model.requests).toHaveLength(1);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("old\n");
    expect(existsSync(join(folder, "b"))).toBe(false);
    expect(end.messages?.filter(({ role }) => role === "tool_result")).toHaveLength(2);
  });

  test("denied with a reason tells the model, which goes on", async () => {
    const { agent, model } = await startWithModel({ folder: workspace() });
    model.play(writeCall, { text: "Then I leave it." });
    agent.send({ type: "prompt", text: "write it" });
    agent.answer(await agent.question(), { ok: false, reason: "use another name" });
    await agent.event("agent_end");
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain("Denied by the user: use another name");
    expect(agent.said().at(-1)).toBe("Then I leave it.");
  });

  test("a front end that fails to answer counts as a no", async () => {
    const folder = workspace();
    const { agent, model } = await startWithModel({ folder });
    model.play(writeCall);
    agent.send({ type: "prompt", text: "write it" });
    const { id } = await agent.question();
    agent.send({ type: "ui_response", id, result: true, error: "the screen is gone" });
    await agent.event("agent_end");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("old\n");
  });

  test("always is remembered for the project, outside of it, and holds in the next run", async () => {
    const folder = workspace();
    mkdirSync(join(folder, "src"));
    const state = join(freshFolder(), "state");
    const call = (content: string) => ({ calls: [{ name: "write", args: { path: "src/x.txt", content } }] });
    const first = await startWithModel({ folder, environment: { XDG_STATE_HOME: state } });
    first.model.play(call("one"), { text: "ok" });
    first.agent.send({ type: "prompt", text: "write it" });
    const question = await first.agent.question();
    expect(question.params.opts?.rule).toBe("write(src/**)");
    first.agent.answer(question, { ok: true, remember: true });
    await first.agent.event("agent_end");

    const byAnotherName = join(freshFolder(), "link");
    symlinkSync(folder, byAnotherName);
    const second = await startWithModel({ folder: byAnotherName, environment: { XDG_STATE_HOME: state } });
    second.model.play(call("two"), { text: "ok" });
    await second.agent.prompt("again");
    expect(readFileSync(join(folder, "src", "x.txt"), "utf8")).toBe("two");
    expect(existsSync(join(folder, ".palaver"))).toBe(false);
    expect(statSync(join(state, "palaver", "permissions.json")).mode & 0o777).toBe(0o600);

    const elsewhere = await startWithModel({ folder: workspace(), environment: { XDG_STATE_HOME: state } });
    elsewhere.model.play(call("three"));
    elsewhere.agent.send({ type: "prompt", text: "there" });
    await elsewhere.agent.question();
  });

  test("something dangerous says what is dangerous, shows the whole command, and cannot be allowed for good", async () => {
    const { agent, model } = await startWithModel();
    const command = `rm -rf build\n${"echo a very long line; ".repeat(20)}true`;
    model.play({ calls: [{ name: "bash", args: { command } }] });
    agent.send({ type: "prompt", text: "clean up" });
    const { params } = await agent.question();
    expect(params.opts).toMatchObject({ danger_level: "danger", allow_remember: false, command });
    expect(String(params.opts?.danger)).not.toBe("");
    expect((params as { message: string }).message).toContain(command);
    expect(params.title.length).toBeLessThan(80);
  });
});

test("a front end without permission events gets the same as plain texts, in the old words", async () => {
  const { supports_permission_preflight_events: _, ...capabilities } = allCapabilities;
  const { agent, model } = await startWithModel({ folder: workspace(), capabilities });
  model.play(writeCall, { text: "Done." });
  agent.send({ type: "prompt", text: "write it" });
  const question = await agent.question();
  expect(agent.types()).not.toContain("permission.preview");
  const [, raw, planned, ready] = agent.said();
  expect(raw).toBe('Permission request raw args (write):\n{"path":"a.txt","content":"new\\n"}');
  expect(planned).toMatch(/^Planned write diff preview:\n[\s\S]*\+new/);
  expect(ready).toBe("Permission preflight ready for write.");
  agent.answer(question, true);
  await agent.event("agent_end");
  expect(JSON.stringify(model.requests[1]?.body.messages)).not.toContain("Permission preflight");
});

describe("an agent without a person", () => {
  test("asks nothing and denies what no rule allows, in words for the model", async () => {
    const folder = workspace();
    const { agent, model } = await startWithModel({ folder, ui: "none" });
    model.play(writeCall, { text: "I may not." });
    await agent.prompt("write it");
    expect(agent.frames.map(({ type }) => type)).not.toContain("ui_request");
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain("no one can be asked");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("old\n");
  });

  test("does what a rule allows", async () => {
    const folder = workspace();
    const rule = { decision: "allow" as const, tool: "write", pattern: null };
    const { agent, model } = await startWithModel({ folder, ui: "none", rules: [{ layer: "headless", rule }] });
    model.play(writeCall, { text: "Done." });
    await agent.prompt("write it");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new\n");
  });
});

test("a read-only session changes and runs nothing, and can be opened up", async () => {
  const folder = workspace();
  const { agent, model } = await startWithModel({ folder, mode: "read-only" });
  expect(agent.frames[0]).toMatchObject({ type: "ready", modes: { current: "read-only" } });
  model.play(writeCall, { text: "I may not." }, writeCall, { text: "Done." });
  await agent.prompt("write it");
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain("read-only");
  agent.send({ type: "set_config", key: "mode", value: "ask" }, { type: "prompt", text: "now?" });
  expect(await agent.next("config_state")).toMatchObject({ config: { read_only: false }, modes: { current: "ask" } });
  agent.answer(await agent.question(), true);
  await agent.event("agent_end");
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new\n");
});

test("a rule about reading holds for every tool that looks: the search, the pattern and the list", async () => {
  const folder = workspace();
  mkdirSync(join(folder, "private"));
  writeFileSync(join(folder, "b.txt"), "needle here\n");
  writeFileSync(join(folder, "hush.txt"), "needle there\n");
  writeFileSync(join(folder, "private", "c.txt"), "needle beyond\n");
  const rules = ["hush.txt", "private/**"].map((pattern) => {
    return { layer: "user" as const, rule: { decision: "deny" as const, tool: "read", pattern } };
  });
  const { agent, model } = await startWithModel({ folder, rules });
  const calls = [
    { name: "grep", args: { pattern: "needle" } },
    { name: "glob", args: { pattern: "**/*.txt" } },
    { name: "ls", args: {} },
    { name: "ls", args: { path: "private" } },
  ];
  model.play({ calls }, { text: "ok" });
  await agent.prompt("look around");
  const told = model.requests[1]?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(told).toHaveLength(4);
  for (const { content } of told.slice(0, 3)) {
    expect(content).toContain("b.txt");
    expect(content).not.toMatch(/there|hush|beyond|c\.txt/);
  }
  expect(told[3]?.content).toMatch(/Not allowed: your rules deny read\(private/);
});

test("what changed since the user looked is not overwritten", async () => {
  const folder = workspace();
  const { agent, model } = await startWithModel({ folder });
  model.play(writeCall, { text: "ok" });
  agent.send({ type: "prompt", text: "write it" });
  const question = await agent.question();
  writeFileSync(join(folder, "a.txt"), "somebody else was here\n");
  agent.answer(question, { ok: true });
  await agent.event("agent_end");
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("somebody else was here\n");
});

test("a damaged memory of rules is told, kept, and not believed", async () => {
  const state = join(freshFolder(), "state");
  mkdirSync(join(state, "palaver"), { recursive: true });
  const memory = join(state, "palaver", "permissions.json");
  writeFileSync(memory, "{");
  const { agent, model } = await startWithModel({ folder: workspace(), environment: { XDG_STATE_HOME: state } });
  model.play(writeCall, { text: "Done." });
  agent.send({ type: "prompt", text: "write it" });
  agent.answer(await agent.question(), { ok: true, remember: true });
  await agent.event("agent_end");
  expect(agent.notices()).toEqual([
    expect.stringMatching(/applies to this session only.*permissions\.json is damaged/),
  ]);
  expect(readFileSync(memory, "utf8")).toBe("{");
});

test("the agent of this process leaves no question open when it goes", async () => {
  const agent = await startAgent();
  agent.send("ask me something");
  const { id } = await agent.question();
  agent.send({ type: "quit" });
  await agent.done;
  expect(agent.frames).toContainEqual({ type: "ui_cancel", id, reason: "shutdown" });
  expect(agent.types().at(-1)).toBe("agent_end");
});
