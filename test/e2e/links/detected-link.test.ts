// How an agent speaks is found out on the process that then goes on working: none of its words is lost, and nothing is typed
// into a program that is not started as an agent.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openDetectedLink, type Patience } from "../../../src/agents/detected-link.js";
import type { SessionLink } from "../../../src/agents/dialect-link.js";
import { isPlainProgram, isStartedAsAgent } from "../../../src/agents/early-output.js";
import { openSessionLink } from "../../../src/agents/session-link.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { verifies } from "../../verifies.js";
import { AgentWorkshop } from "./test-agent.js";

const soon: Patience = { quietMs: 20, silentMs: 60_000, plainMs: 60_000, textMs: 60_000 };
const late: Patience = { ...soon, quietMs: 60_000 };

const workshop = new AgentWorkshop();
const open: SessionLink[] = [];
beforeAll(() => workshop.build());
afterEach(async () => {
  await Promise.all(open.splice(0).map((link) => link.stop()));
});
afterAll(() => workshop.close());

function start(args: readonly string[], patience: Patience, plainPrograms: "typed into" | "refused" = "typed into") {
  const events: SessionEvent[] = [];
  const command = { command: process.execPath, args, cwd: workshop.folder };
  const options = {
    onEvent: (event: SessionEvent) => void events.push(event),
    nowMs: () => performance.now(),
    plainPrograms,
  };
  const link = openDetectedLink(command, options, patience);
  open.push(link);
  const types = () => events.map(({ type }) => type);
  const until = (type: SessionEvent["type"]) => expect.poll(types, { timeout: 20_000, interval: 20 }).toContain(type);
  const texts = () => events.flatMap((event) => (event.type === "log.written" ? [event.text] : []));
  const notices = () => events.flatMap((event) => (event.type === "notice.shown" ? [event.message] : []));
  return { link, events, types, until, notices, texts };
}

/** An agent on our own wire in a few lines of script; `heard` is called with each line it is sent. */
function script(body: string): string[] {
  const helpers = `
    const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
    const ready = () => say({ type: "ready", protocol_version: "1" });
    const tell = (message) => say({ type: "ui_notify", params: { message } });
    let rest = "";
    process.stdin.on("data", (data) => {
      const lines = (rest + data).split("\\n");
      rest = lines.pop();
      for (const line of lines) heard(JSON.parse(line));
    });
    process.stdin.on("end", () => process.exit(0));`;
  return ["-e", `${helpers}\n${body}`];
}

/** Only a program that is started as an agent is greeted. */
const asAgent = (args: readonly string[]) => [...args, "acp"];

describe("an agent of which no one said how it speaks", () => {
  test("and that greets by itself is never sent another protocol's words", async () => {
    verifies("wires.detected");
    const { link, until, notices } = start(script("const heard = ({ type }) => tell(type); ready();"), late);
    await until("agent.readied");
    link.send({ type: "ping" });
    await until("notice.shown");
    expect(notices()).toEqual(["ping"]);
  });

  test("and that greets late is understood, and its complaint about our greeting is not shown", async () => {
    const body = `const heard = ({ type, jsonrpc }) => {
      if (jsonrpc !== undefined) { ready(); say({ type: "error", message: "unknown command" }); }
      else if (type === "ping") say({ type: "pong" });
      else say({ type: "error", message: "cannot " + type });
    };`;
    const { link, events, types, until } = start(asAgent(script(body)), soon);
    await until("agent.readied");
    link.send({ type: "ping" });
    await until("command.answered");
    expect(types()).not.toContain("command.failed");
    link.send({ type: "debug" });
    await until("command.failed");
    expect(events.at(-1)).toMatchObject({ message: "cannot debug" });
  });

  test("and that waits to be greeted speaks the Agent Client Protocol on the same process", async () => {
    const pidFile = `${workshop.folder}/pid`;
    const { link, events, until, types } = start([workshop.program, `--ready-file=${pidFile}`], soon);
    link.send({ type: "prompt", text: JSON.stringify([{ do: "say", text: "hello" }]) });
    await until("agent.readied");
    link.send({ type: "ping" });
    await until("command.answered");
    expect(events.find(({ type }) => type === "agent.readied")).toMatchObject({ protocolVersion: "acp 1" });
    expect(types().filter((type) => type === "agent.readied")).toHaveLength(1);
    expect(await link.stop()).toMatchObject({ code: 0 });
  });

  test("and that has to be started again for its key stays the same link, with nothing left of the first process", async () => {
    const { link, events, until } = start([workshop.program, "--session=keyed"], soon);
    const asks = () => events.flatMap((event) => (event.type === "ask.raised" ? [event.ask.id] : []));
    for (const [place, result] of ["key", "right"].entries()) {
      await expect.poll(asks, { timeout: 20_000, interval: 20 }).toHaveLength(place + 1);
      link.send({ type: "ui_response", id: asks()[place] ?? "", result, error: null });
    }
    await until("agent.readied");
    expect(await Promise.race([link.exited, "goes on"])).toBe("goes on");
    link.send({ type: "prompt", text: "hello" });
    await until("prompt.finished");
    expect(await link.stop()).toMatchObject({ code: 0 });
  });

  test.each([
    ["before it greets", 300, `require("fs").closeSync(0); setTimeout(ready, 600);`],
    ["after it has greeted", 60_000, `ready(); require("fs").closeSync(0);`],
  ])("and that closes its input %s is told of, and ended", async (_when, quietMs, body) => {
    const say = "const ready = () => console.log(JSON.stringify({ type: 'ready', protocol_version: '1' }));";
    const stays = "setInterval(() => undefined, 1_000);";
    const { link, events } = start(["-e", `${say} ${body} ${stays}`], { ...soon, quietMs });
    const failures = () => {
      link.send({ type: "ping" });
      return events.flatMap((event) => (event.type === "agent.failed" ? [event.message] : []));
    };
    const words = "the agent closed its standard input, so Palaver can no longer write to it";
    await expect.poll(failures, { timeout: 20_000, interval: 50 }).toEqual([words]);
    expect(await link.exited).toMatchObject({ error: null });
  });

  test("may print whatever it likes first", async () => {
    const { events, until } = start(
      script('const heard = () => 0; console.log("Loading…\\n[boot] done"); ready();'),
      late,
    );
    await until("agent.readied");
    expect(events).toMatchObject([
      { type: "log.written", text: "Loading…" },
      { type: "fault.reported" },
      { type: "agent.readied" },
    ]);
    const acp = start([workshop.program, "--greeting=junk-first"], soon);
    await acp.until("agent.readied");
    expect(acp.types()).toContain("log.written");
  });

  test("loses none of its words, however they are cut", async () => {
    const body = `const heard = () => 0;
      const text = JSON.stringify({ type: "ready", protocol_version: "1" }) + "\\n" +
        JSON.stringify({ type: "ui_notify", params: { message: "größer" } }) + "\\n" +
        JSON.stringify({ type: "ui_notify", params: { message: "second" } }) + "\\n";
      const bytes = Buffer.from(text);
      const cut = bytes.indexOf(0xc3) + 1;
      process.stdout.write(bytes.subarray(0, cut), () => setImmediate(() => process.stdout.write(bytes.subarray(cut))));`;
    const { notices } = start(script(body), late);
    await expect.poll(notices, { timeout: 20_000 }).toEqual(["größer", "second"]);
  });

  test("and that only asks in bare objects gets its answers", async () => {
    const body = `const heard = ({ result }) => { console.log("it said " + result); process.exit(0); };
      say({ id: 1, method: "confirm", params: { title: "Deploy?" } });`;
    const { link, events, until } = start(script(body), late);
    await until("ask.raised");
    const raised = events.find((event) => event.type === "ask.raised");
    link.send({ type: "ui_response", id: raised?.ask.id ?? "", result: true, error: null });
    await until("log.written");
    expect(events).toContainEqual({ type: "log.written", sessionId: null, stream: "stdout", text: "it said true" });
  });

  test("and that gives itself away by its complaint is spoken to in its own way", async () => {
    const body = `const heard = ({ type, jsonrpc }) => {
      if (jsonrpc !== undefined) say({ type: "response", command: "unknown", success: false, error: "what?" });
      else say({ type: "response", command: type, success: true, data: { sessionId: "s", isStreaming: false } });
    };`;
    const { until, types } = start(asAgent(script(body)), soon);
    await until("agent.readied");
    expect(types()).not.toContain("fault.reported");
  });

  test("and that says nothing at all has failed to start, with what was tried and what to do", async () => {
    const body = 'const heard = () => 0; console.error("Error: no socket\\nwaiting");';
    const { link } = start(script(body), { ...soon, quietMs: 1, silentMs: 400 });
    const exit = await link.exited;
    expect(exit).toMatchObject({
      code: null,
      error: expect.stringMatching(/^no reply.*; is its output flushed\?/),
    });
    expect(exit.error).toMatch(/set --protocol to lines, acp/);
    expect(exit.stderrTail).toContain("no socket");
    expect(await link.send({ type: "ping" })).toBe("lost");
  });

  test("and whose greeting is misspelt is told so, and any other first frame is shown", async () => {
    const greets = (type: string) => script(`say({ type: "${type}", protocol_version: "2" }); const heard = () => 0;`);
    const misspelt = start(greets("redy"), late);
    const error = 'its first frame is of the type "redy"; did you mean "ready"?';
    expect(await misspelt.link.exited).toMatchObject({ code: null, error });
    const bare = start(script('say({ protocol_version: "2" }); const heard = () => 0;'), late);
    expect(await bare.link.exited).toMatchObject({ error: 'its first frame has no "type"; did you mean "ready"?' });
    const other = start(greets("hello"), { ...late, plainMs: 300, silentMs: 5_000 });
    const words = /^its first frame fits no protocol \(\{"type":"hello","protocol_version":"2"\}\); set --protocol/;
    expect(await other.link.exited).toMatchObject({ error: expect.stringMatching(words) });
    expect(other.notices().at(-1)).toMatch(words);
  });

  test("and whose first frame comes after the notice that there is no output yet is told what is wrong with it", async () => {
    const slow = script(`setTimeout(() => say({ type: "hello" }), 1_500); const heard = () => 0;`);
    const { notices } = start(slow, { ...late, plainMs: 10 });
    await expect
      .poll(notices, { timeout: 20_000 })
      .toEqual([expect.stringMatching(/^no output yet/), expect.stringMatching(/^its first frame fits no protocol/)]);
  });

  test("and that ends without a word is reported, unless its exit says what is wrong", async () => {
    const { link, notices } = start(["-e", "0"], late);
    expect(await link.exited).toMatchObject({ code: 0 });
    expect(notices()).toEqual([expect.stringMatching(/^the agent ended: no reply/)]);
    const failed = start(["-e", 'console.error("no key"); process.exitCode = 4'], late);
    expect(await failed.link.exited).toMatchObject({ code: 4, stderrTail: "no key\n" });
    expect(failed.notices()).toEqual([]);
    expect(await link.send({ type: "ping" })).toBe("lost");
  });

  test("is found out behind every front end's way to open a link", async () => {
    const events: SessionEvent[] = [];
    const [command = "", ...args] = [process.execPath, ...script("const heard = () => 0; ready();")];
    const link = openSessionLink(
      { command, args },
      { protocol: "detect", onEvent: (event) => void events.push(event), nowMs: () => 0 },
    );
    open.push(link);
    await expect.poll(() => events.length, { timeout: 20_000 }).toBe(1);
    expect(events).toMatchObject([{ type: "agent.readied" }]);
  });
});

/** Prints what it reads. */
const ECHOING = `process.stdin.on("data", (data) => {
  console.log(("" + data).trim().replace(/^/gm, "read "));
}).on("end", () => process.exit(0));`;

describe("a program that is no agent", () => {
  const plain: Patience = { ...soon, plainMs: 200 };
  const error = async (link: SessionLink) => (await link.exited).error;

  test("and repeats what it hears is ended", async () => {
    const echo = "process.stdin.pipe(process.stdout)";
    expect(await error(start(asAgent(["-e", echo]), plain).link)).toMatch(/echoes its input/);
  });

  test.each([
    ["in text", 'console.log("what is that?")'],
    ["with a complaint", 'console.error("(standard_in) 1: syntax error")'],
    ["with a prompt", 'process.stdout.write("name? ")'],
  ])("and answers a greeting %s is ended", async (_how, answer) => {
    const body = `process.stdin.once("data", () => { ${answer} }); process.stdin.on("end", () => process.exit(0));`;
    expect(await error(start(asAgent(["-e", body]), plain).link)).toMatch(/not a protocol that Palaver supports/);
  });

  test.each([
    ["bc", []],
    ["python3", ["-i"]],
    ["/usr/bin/sqlite3", []],
    ["bash", ["-l"]],
    ["node", []],
  ])("such as %s %j is known by its name", (command, args) => expect(isPlainProgram(command, args)).toBe(true));

  test.each([
    ["python3", ["agent.py"]],
    ["node", ["-e", "0"]],
    ["bash", ["-c", "agent"]],
    ["bcd", []],
  ])("is not seen in %s %j", (command, args) => expect(isPlainProgram(command, args)).toBe(false));

  test("and is known as a program to type into is ended where it cannot be used, without a word typed into it", async () => {
    const { link } = start([], plain, "refused");
    expect(await error(link)).toMatch(/is a program to type into, not an agent/);
    expect((await link.exited).stderrTail).toBe("");
  });

  test("and is known as a program to type into gets what is typed, is shown as text, and ends the session", async () => {
    const { link, until, texts, notices } = start(["-i"], late);
    await until("agent.readied");
    await expect.poll(texts, { timeout: 20_000 }).toContain("> ");
    link.send({ type: "prompt", text: "6 * 7" });
    await expect.poll(texts, { timeout: 20_000 }).toContain("42");
    link.send({ type: "prompt", text: "null.field" });
    await expect.poll(() => texts().join("\n"), { timeout: 20_000 }).toContain("TypeError");
    link.send({ type: "prompt", text: ".exit" });
    expect(await link.exited).toMatchObject({ code: 0, error: null });
    expect(notices()).toEqual([]);
  });

  test("and stays silent has nothing typed into it, and its user is told what to do", async () => {
    const { until, notices, link } = start(["-e", ECHOING], { ...plain, plainMs: 100 });
    await until("notice.shown");
    expect(notices()).toEqual([
      expect.stringMatching(/^no output yet; is it flushed\? .* --protocol acp.* --protocol plain$/),
    ]);
    expect(await link.stop()).toMatchObject({ code: 0, stderrTail: "" });
  });

  test("and asks for input is shown as text, and gets what is typed and nothing else", async () => {
    const asks = `process.stdout.write("Welcome\\npackage name: "); process.stderr.write("deprecated\\n");`;
    const { link, until, texts, types } = start(["-e", `${asks} ${ECHOING}`], plain);
    await until("agent.readied");
    link.send({ type: "prompt", text: "größer\nthan" });
    await expect.poll(texts, { timeout: 20_000 }).toContain("read größer\nread than");
    await link.stop();
    expect(texts().toSorted()).toEqual(["Welcome", "deprecated", "package name: ", "read größer\nread than"]);
    expect(types().filter((type) => /prompt|readied/.test(type))).toEqual([
      "agent.readied",
      "prompt.started",
      "prompt.finished",
    ]);
  });

  test("and prints its text and ends is done", async () => {
    const { link, texts, notices } = start(["-e", 'console.log("listed")'], late);
    expect(await link.exited).toMatchObject({ code: 0, error: null });
    expect({ texts: texts(), notices: notices() }).toEqual({ texts: ["listed"], notices: [] });
  });

  test.each([
    ["my-acp", [], true],
    ["node", ["agent.mjs", "--acp"], true],
    ["npx", ["some-agent", "acp"], true],
    ["/usr/bin/gemini", ["--debug"], true],
    ["npm", ["init"], false],
    ["node", ["tracpac.mjs"], false],
  ])("is told from %s %j by its command line (%s)", (command, args, isAgent) =>
    expect(isStartedAsAgent(command, args)).toBe(isAgent),
  );

  test("and prints text first is ended where it cannot be used, without a word typed into it", async () => {
    const typed = join(workshop.folder, "typed");
    const body = `process.stdout.write("Welcome\\npackage name: ");
      process.stdin.on("data", (data) => require("fs").appendFileSync(${JSON.stringify(typed)}, data));
      process.stdin.on("end", () => process.exit(0));`;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { link, until } = start(["-e", body], { ...late, plainMs: 4_000 }, "refused");
      await until("log.written");
      vi.advanceTimersByTime(5_000);
      expect(await error(link)).toMatch(/prints plain text \("Welcome"\)/);
    } finally {
      vi.useRealTimers();
    }
    expect(existsSync(typed)).toBe(false);
  });

  test.each([
    ["at once", 'console.log("Usage: tool FILE")'],
    ["after a while", 'setTimeout(() => console.log("Usage: tool FILE"), 50)'],
  ])("and prints whole lines %s, and then nothing, is ended before the silence counts", async (_when, body) => {
    const stays = "process.stdin.resume(); process.stdin.on('end', () => process.exit(0));";
    const { link } = start(["-e", `${body}; ${stays}`], { ...late, textMs: 200 }, "refused");
    expect(await error(link)).toMatch(/prints plain text \("Usage: tool FILE"\)/);
  });

  test("is told from an agent that prints line after line before it greets", async () => {
    const body = `const heard = () => {};
      console.log("Loading 1"); setTimeout(() => console.log("Loading 2"), 50); setTimeout(ready, 100);`;
    const { until } = start(script(body), { ...late, textMs: 20_000 });
    await until("agent.readied");
  });

  test("is told from a slow agent that prints text after it was greeted", async () => {
    const body = `let isHeard = false;
      const heard = () => { if (isHeard) return; isHeard = true; console.log("Loading…"); setTimeout(ready, 50); };`;
    const { until } = start(asAgent(script(body)), { ...plain, plainMs: 20_000 });
    await until("agent.readied");
  });
});
