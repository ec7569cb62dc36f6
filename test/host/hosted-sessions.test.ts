// Sessions that live in a daemon, over real HTTP with a real process: several front ends, late ones, slow ones, dead ones, and a
// daemon that is started again.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryOf, openAgentLink } from "../../src/host/hosted-agent.js";
import { temporaryFolder } from "../server/temporary-folder.js";
import { verifies } from "../verifies.js";
import { openStage, scripted, slow } from "./session-stage.js";

describe("a hosted session", () => {
  test("is seen by several views at once, each with every change", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const [one, two] = [stage.attach(id, "one"), stage.attach(id, "two")];
    await Promise.all([one.isCaughtUp(), two.isCaughtUp()]);
    one.prompt("say hello there");
    await Promise.all([one.heard("hello there"), two.heard("hello there")]);
    expect([one.prompts(), two.prompts()]).toEqual([["say hello there"], ["say hello there"]]);
    expect((await stage.sessions())[0]?.front_ends.sort()).toEqual(["one", "two"]);
  });

  test("gives a late front end the transcript in one piece, and every open ask", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const early = stage.attach(id, "early");
    early.prompt("stream 40");
    await early.isCaughtUp();
    early.prompt("ask");
    const ask = await early.asked();
    const late = stage.attach(id, "late");
    await late.isCaughtUp();
    expect(late.of("block").map(({ change }) => change.type)).not.toContain("grew");
    expect(late.said()).toEqual(early.said());
    expect(late.prompts()).toEqual(["stream 40", "ask"]);
    expect(late.of("ask.raised").map((change) => change.ask.id)).toEqual([ask.id]);
    expect((await stage.ask("GET", "/asks")).body).toMatchObject([{ id: ask.id, sessionId: id }]);
  });

  test("takes the first answer, tells the others who gave it, and the second that it is late", async () => {
    verifies("asks.first-answer-wins");
    const stage = await openStage();
    const id = await stage.start();
    const [ada, bob] = [stage.attach(id, "ada"), stage.attach(id, "bob")];
    ada.prompt("ask");
    const [ask] = await Promise.all([ada.asked(), bob.asked()]);
    ada.answer(ask, "pnpm");
    await expect
      .poll(() => bob.settled, slow)
      .toEqual([{ askId: ask.id, outcome: { kind: "answered", value: "pnpm", by: "ada" } }]);
    await bob.heard('you chose "pnpm"');
    const late = await stage.send(id, { type: "answer", askId: ask.id, value: "npm" }, "carol");
    expect(late).toMatchObject({ status: 409, body: { result: "refused", why: "late", outcome: { by: "ada" } } });
    expect(ada.said()).toEqual(['you chose "pnpm"']);
  });

  test("takes an answer from a script, and one that does not fit leaves the ask open", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    front.prompt("ask");
    const ask = await front.asked();
    expect((await stage.ask("POST", `/asks/${ask.id}/answer`, { value: "cargo", by: "script" })).status).toBe(400);
    expect((await stage.ask("POST", `/asks/${ask.id}/answer`, { value: "npm", by: "script" })).status).toBe(200);
    await front.heard('you chose "npm"');
    expect(front.settled).toMatchObject([{ outcome: { by: "script" } }]);
  });

  test("withdraws its questions everywhere when the turn ends or the agent goes", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    front.prompt("ask");
    const first = await front.asked();
    front.session.dispatch({ type: "abort" });
    const withdrawn = (reason: string) => ({ kind: "withdrawn", reason });
    await expect.poll(() => front.settled, slow).toEqual([{ askId: first.id, outcome: withdrawn("turn_ended") }]);
    front.prompt("ask");
    await expect.poll(() => front.of("ask.raised").length, slow).toBe(2);
    await stage.ask("DELETE", `/sessions/${id}`);
    await expect
      .poll(() => front.settled.map(({ outcome }) => outcome), slow)
      .toEqual([withdrawn("turn_ended"), withdrawn("session_closed")]);
    expect(stage.board.openAsks()).toEqual([]);
  });

  test("tells front ends how the agent ended, keeps the transcript, and can be started again", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    front.prompt("say before");
    await front.heard("before");
    front.prompt("die 3");
    expect(await front.ended()).toBe("the agent ended with code 3");
    expect((await stage.sessions())[0]).toMatchObject({ state: "ended", exit_code: 3 });
    expect((await stage.send(id, { type: "abort" })).status).toBe(410);
    expect((await stage.ask("POST", "/sessions", { session: id })).status).toBe(201);
    const again = stage.attach(id, "ada");
    await again.isCaughtUp();
    expect(again.said()).toEqual(["before"]);
    again.prompt("memory");
    await again.heard("started with --session-file s1");
  });

  test("reports a turn that was cut off because the agent asked to be started again", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    await front.isCaughtUp();
    front.prompt("die 75");
    await expect
      .poll(() => front.notices(), slow)
      .toContain("the turn was cut off: the agent ended with code 75 and is being restarted");
  });

  test("shows a misspelt end of a turn, and ends with words when the agent closes its output", async () => {
    const stage = await openStage();
    const [misspelt, mute] = [await stage.start(), await stage.start()].map((id) => stage.attach(id, "ada"));
    misspelt?.prompt("misspell");
    mute?.prompt("mute");
    await expect
      .poll(() => misspelt?.notices(), slow)
      .toEqual([
        expect.stringContaining("from the agent: unknown event: agentEnd; did you mean agent_end? The line: {"),
      ]);
    await mute?.ended();
    expect(mute?.notices()).toContain("the agent closed its standard output, so Palaver can no longer read from it");
  });

  test("is ended by a first delete and forgotten by a second", async () => {
    const stage = await openStage();
    const id = await stage.start();
    expect((await stage.ask("DELETE", `/sessions/${id}`)).body).toEqual({ state: "ended" });
    expect((await stage.ask("DELETE", `/sessions/${id}`)).body).toEqual({ state: "forgotten" });
    expect((await stage.ask("DELETE", `/sessions/${id}`)).status).toBe(404);
    expect(await stage.sessions()).toEqual([]);
    const gone = stage.attach(id, "ada");
    expect(await gone.ended()).toBe("the daemon no longer has this session");
  });

  test("gives the prompts of several people to the agent one after the other", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const [ada, bob] = [stage.attach(id, "ada"), stage.attach(id, "bob")];
    await Promise.all([ada.isCaughtUp(), bob.isCaughtUp()]);
    ada.prompt("ask");
    const ask = await ada.asked();
    bob.prompt("say second");
    await expect.poll(async () => (await stage.sessions())[0]?.state, slow).toBe("working");
    ada.answer(ask, "npm");
    await bob.heard("second");
    expect(bob.said()).toEqual(['you chose "npm"', "second"]);
  });

  test("answers a front end's own questions to that front end alone", async () => {
    const stage = await openStage();
    const id = await stage.start();
    // The answer to the host's own greeting may come while they are there.
    const pongs = (view: ReturnType<typeof stage.attach>) =>
      view.of("reply").filter(({ command }) => command === "pong");
    const [ada, bob] = [stage.attach(id, "ada"), stage.attach(id, "bob")];
    await Promise.all([ada.isCaughtUp(), bob.isCaughtUp()]);
    ada.session.dispatch({ type: "command", command: { type: "ping" } });
    await expect.poll(() => pongs(ada), slow).toHaveLength(1);
    bob.session.dispatch({ type: "command", command: { type: "ping" } });
    await expect.poll(() => pongs(bob), slow).toHaveLength(1);
    expect(pongs(ada)).toHaveLength(1);
  });

  test("does what is wanted once, however often it is sent under its name", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    const send = () =>
      fetch(`${stage.url}/sessions/${id}/intents`, {
        method: "POST",
        headers: { authorization: `Bearer ${stage.daemon.token}`, "idempotency-key": "k1" },
        body: JSON.stringify({ intent: { type: "submit", text: "say once" } }),
      });
    const statuses = [await send(), await send(), await send()].map(({ status }) => status);
    await front.heard("once");
    front.prompt("say done");
    await front.heard("done");
    expect([statuses, front.said()]).toEqual([
      [200, 200, 200],
      ["once", "done"],
    ]);
  });
});

describe("secrets", () => {
  test("are neither sent to front ends nor written, and the agent gets them all the same", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    front.prompt("secret");
    const ask = await front.asked();
    front.answer(ask, "correct-horse-battery");
    await expect.poll(() => front.said().length, slow).toBe(1);
    expect(front.said()[0]).toMatch(/^the key is .+ indeed$/);
    const late = stage.attach(id, "late");
    await late.isCaughtUp();
    await stage.daemon.stop();
    const path = join(stage.daemon.logPath, "..", "sessions", id, "transcript.jsonl");
    const seen = JSON.stringify([front.changes, late.changes]) + readFileSync(path, "utf8");
    expect(seen).toContain("the key is");
    expect(seen).not.toContain("correct-horse");
    expect(statSync(path).mode & 0o077).toBe(0);
  });
});

describe("starting over HTTP", () => {
  test.each<[string, unknown, number]>([
    ["an agent by its name", { agent: "scripted" }, 201],
    ["an agent that nobody knows", { agent: "nope" }, 404],
    ["a command, which the owner did not allow", { command: ["sh", "-c", "true"] }, 403],
    ["a folder outside of the project", { agent: "scripted", cwd: "/" }, 403],
    ["a folder that is not there", { agent: "scripted", cwd: "nowhere" }, 400],
    ["a folder with NUL in its name", { agent: "scripted", cwd: "a\0b" }, 400],
    ["a folder with a name that is too long", { agent: "scripted", cwd: "a".repeat(9_000) }, 400],
    ["a folder below a file", { agent: "scripted", cwd: "/dev/null/x" }, 403],
    ["nothing", {}, 400],
    ["two things at once", { agent: "scripted", session: "x" }, 400],
    ["a session that nobody knows", { session: "x" }, 404],
  ])("%s", async (_what, body, status) => {
    const stage = await openStage();
    expect((await stage.ask("POST", "/sessions", body)).status).toBe(status);
    expect(await stage.sessions()).toHaveLength(status === 201 ? 1 : 0);
  });

  test("judges a folder by where it really is", async () => {
    const stage = await openStage();
    const { project } = stage.daemon;
    const outside = mkdtempSync(join(tmpdir(), "palaver-outside-"));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true, maxRetries: 5 }));
    mkdirSync(join(project, "..inside"));
    symlinkSync("..inside", join(project, "near"));
    symlinkSync(outside, join(project, "far"));
    symlinkSync("loop", join(project, "loop"));
    const start = (cwd: string) => stage.ask("POST", "/sessions", { agent: "scripted", cwd });
    expect(await start("near")).toMatchObject({ status: 201, body: { cwd: join(realpathSync(project), "..inside") } });
    expect(await start("..inside")).toMatchObject({ status: 201 });
    expect(await start("far")).toMatchObject({ status: 403 });
    expect(await start(join(project, "far"))).toMatchObject({ status: 403 });
    expect(await start("loop")).toMatchObject({ status: 400 });
  });

  test("does not start a session again when its folder has become a link out of the project", async () => {
    const stage = await openStage();
    const folder = join(stage.daemon.project, "work");
    mkdirSync(folder);
    expect((await stage.ask("POST", "/sessions", { agent: "scripted", cwd: "work" })).status).toBe(201);
    const id = (await stage.sessions())[0]?.id;
    await stage.ask("DELETE", `/sessions/${id}`);
    await expect.poll(async () => (await stage.sessions())[0]?.state, slow).toBe("ended");
    rmdirSync(folder);
    symlinkSync("/", folder);
    expect((await stage.ask("POST", "/sessions", { session: id })).status).toBe(403);
  });

  test("refuses a command with NUL in it where the owner allows any", async () => {
    const stage = await openStage({ starts: "anything" });
    expect((await stage.ask("POST", "/sessions", { command: ["sh", "-c", "a\0b"] })).status).toBe(400);
    expect((await stage.ask("POST", "/sessions", { command: ["s\0h"] })).status).toBe(400);
  });

  test("takes any command where the owner allows it", async () => {
    const stage = await openStage({ starts: "anything" });
    const [program = "", ...args] = [scripted.command.command, ...scripted.command.args];
    expect((await stage.ask("POST", "/sessions", { command: [program, ...args], cwd: "/" })).body).toMatchObject({
      agent: null,
      cwd: "/",
      state: "starting",
    });
  });

  test("refuses what is no intent, and commands that have one of their own", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const send = async (intent: unknown) => (await stage.send(id, intent)).status;
    expect(await send({ type: "explode" })).toBe(400);
    expect(await send({ type: "submit" })).toBe(400);
    expect(await send({ type: "answer", askId: "nope", value: 1 })).toBe(404);
    for (const command of [
      { type: "prompt", text: "x" },
      { type: "ui_response", id: "q", result: 1 },
      { type: "quit" },
    ]) {
      expect(await send({ type: "command", command })).toBe(400);
    }
    expect((await stage.send("nope", { type: "abort" })).status).toBe(404);
    expect((await stage.ask("GET", "/sessions/nope/changes")).status).toBe(404);
  });

  test("tells views of an older Palaver that what they look for is gone", async () => {
    const stage = await openStage();
    const id = await stage.start();
    const events = await stage.ask("GET", `/sessions/${id}/events`);
    expect([events.status, (await stage.ask("POST", `/sessions/${id}/commands`, { type: "ping" })).status]).toEqual([
      410, 410,
    ]);
    expect(JSON.stringify(events.body)).toContain("attach with the Palaver version that started it");
  });
});

describe("a daemon that is started again", () => {
  test("has the transcripts of its sessions, and starts those that ran with their memory", async () => {
    const first = await openStage();
    const id = await first.start();
    const ended = await first.start();
    const front = first.attach(id, "ada");
    front.prompt("say the first word");
    await front.heard("the first word");
    await first.ask("DELETE", `/sessions/${ended}`);
    await first.daemon.stop();
    const second = await openStage({ folder: first.folder });
    await expect
      .poll(async () => (await second.sessions()).map(({ state }) => state).sort(), slow)
      .toEqual(["ended", "idle"]);
    const again = second.attach(id, "ada");
    await again.isCaughtUp();
    expect([again.prompts(), again.said()]).toEqual([["say the first word"], ["the first word"]]);
    again.prompt("memory");
    await again.heard("started with --session-file s1");
  });

  test("resumes the session of a codelia agent over its wire", async () => {
    const script = fileURLToPath(new URL("../rigs/codelia-agent/codelia-agent.mjs", import.meta.url));
    const command = { command: process.execPath, args: [script] };
    const codelia = { name: "codelia", command, protocol: "codelia", memory: memoryOf("codelia") } as const;
    const resumed: (string | null)[] = [];
    const options = {
      findAgent: () => codelia,
      openLink: (...args: Parameters<typeof openAgentLink>) => {
        resumed.push(args[2]);
        return openAgentLink(...args);
      },
    };
    const first = await openStage(options);
    const id = await first.start(codelia);
    const front = first.attach(id, "ada");
    front.prompt("hello");
    await expect.poll(() => front.said().length, slow).toBeGreaterThan(0);
    await front.isIdle();
    await first.daemon.stop();
    const second = await openStage({ folder: first.folder, ...options });
    const again = second.attach(id, "ada");
    await again.isCaughtUp();
    expect(resumed).toEqual([null, "s1"]);
    expect(again.notices()).toEqual([]);
  });

  test("resumes the session of an agent on the lines wire that has sessions", async () => {
    const notesAgent = fileURLToPath(new URL("../e2e/prompt/notes-agent.mjs", import.meta.url));
    const store = join(temporaryFolder(), "store");
    const command = { command: process.execPath, args: [notesAgent, store] };
    const notes = { name: "notes", command, protocol: "detect", memory: memoryOf("detect") } as const;
    const findAgent = () => notes;
    const first = await openStage({ findAgent });
    const id = await first.start(notes);
    const front = first.attach(id, "ada");
    front.prompt("one");
    await front.heard("prompt 1: one");
    await front.isIdle();
    await first.daemon.stop();
    const second = await openStage({ folder: first.folder, findAgent });
    const again = second.attach(id, "ada");
    await again.isCaughtUp();
    again.prompt("two");
    await again.heard("prompt 2: two");
    expect([again.said(), again.notices()]).toEqual([["prompt 1: one", "prompt 2: two"], []]);
  });

  test("says so when an agent cannot go on where it was", async () => {
    const forgetful = { ...scripted, memory: "none" } as const;
    const findAgent = () => forgetful;
    const first = await openStage({ findAgent });
    const id = await first.start(forgetful);
    await first.daemon.stop();
    const second = await openStage({ folder: first.folder, findAgent });
    const front = second.attach(id, "ada");
    await expect
      .poll(() => front.notices(), slow)
      .toEqual(["the agent was restarted; it does not remember the earlier conversation"]);
  });

  test("keeps a front end that stayed: it goes on without a word lost or doubled", async () => {
    const first = await openStage();
    const id = await first.start();
    let address = { url: first.url, token: first.daemon.token };
    const front = first.attach(id, "ada", { find: async () => address });
    front.prompt("say one");
    await front.heard("one");
    await first.daemon.stop();
    const second = await openStage({ folder: first.folder });
    address = { url: second.url, token: second.daemon.token };
    front.prompt("say two");
    await front.heard("two");
    expect([front.said(), front.notices()]).toEqual([["one", "two"], []]);
    expect(front.facts.status.filter(({ key }) => key === "daemon")).toEqual([]);
  });

  test("does not keep a command line that holds a secret", async () => {
    const line = [scripted.command.command, ...scripted.command.args, "--key=sk-ant-api03-abcdefghijklmnopqrstuvwx"];
    const agent = { ...scripted, name: null, command: { command: line[0] ?? "", args: line.slice(1) } };
    const first = await openStage();
    const id = await first.start(agent);
    await first.daemon.stop();
    const record = readFileSync(join(first.daemon.logPath, "..", "sessions", id, "session.json"), "utf8");
    expect(record).not.toContain("sk-ant");
    const second = await openStage({ folder: first.folder });
    expect(await second.attach(id, "ada").ended()).toContain("contained a secret");
  });
});

test("two hundred sessions are listed, and each can still be read", async () => {
  const stage = await openStage();
  const openLink: NonNullable<Parameters<typeof openStage>[0]>["openLink"] = (_agent, handlers) => {
    handlers.onEvent({ type: "notice.shown", sessionId: null, level: "info", message: "here I was" });
    const exit = { code: 0, signal: null, error: null, stderrTail: "" };
    return {
      send: () => "delivered" as const,
      setFlow: () => undefined,
      exited: Promise.resolve(exit),
      stop: async () => exit,
    };
  };
  await stage.daemon.stop();
  const many = await openStage({ folder: stage.folder, openLink });
  for (let count = 0; count < 200; count += 1) await many.host.startNew(scripted, { cwd: "/" });
  await many.daemon.stop();
  const again = await openStage({ folder: stage.folder });
  const listed = await again.sessions();
  expect([listed.length, new Set(listed.map(({ id }) => id)).size]).toEqual([200, 200]);
  const front = again.attach(listed[100]?.id ?? "", "ada");
  expect(await front.ended()).toBe("the agent ended with code 0");
  expect(front.notices()).toEqual(["here I was"]);
});
