// Every place where Palaver writes something down, driven for real, with every known shape of a secret and one that was only
// declared. What is in the files afterwards is read as it is.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { tellStack } from "../../src/cli/printed.js";
import { recordSession } from "../../src/cli/record-session.js";
import { exportToFile } from "../../src/cli/transcript-file.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { AgentConnection } from "../../src/host/agent-connection.js";
import { createDaemonClient } from "../../src/server/client/daemon-client.js";
import { HeadlessTui } from "../../src/server/handlers/headless-tui.js";
import { serveDaemon } from "../../src/server/serve-daemon.js";
import { suggestRule } from "../../src/session/permission/policy.js";
import { emptyJournal, type Journal, journaled } from "../../src/session/transcript/journal.js";
import { emptyTranscript, reduceTranscript } from "../../src/session/transcript/transcript.js";
import { createRedactor, secretsIn } from "../../src/text/redact.js";
import { said, scriptedLink } from "../agents/recording/recording-desk.js";
import { openStage, slow } from "../host/session-stage.js";
import { ManualClock } from "../rigs/simulator/manual-clock.js";
import { temporaryFolder } from "../server/temporary-folder.js";
import { verifies } from "../verifies.js";
import { ENTER, Stage } from "../views/inline/stage.js";
import { ReaderStage } from "../views/reader/reader-stage.js";
import { allSecrets, DECLARED, leaksIn, secretSamples } from "./secret-samples.js";

const NAME = "SAFETY_TEST_API_KEY";

/** The declared one stands in the environment for the length of a test, as a key of the user's would. */
function declare(): void {
  process.env[NAME] = DECLARED;
  onTestFinished(() => {
    delete process.env[NAME];
  });
}

/** Everything in the files below a folder. */
function written(folder: string): string {
  if (!existsSync(folder)) return "";
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

/** Everything an agent could say with a secret in it. */
const spoken: readonly SessionEvent[] = [
  said(allSecrets),
  { type: "tool.started", sessionId: null, toolCallId: "t", name: "bash", args: { command: allSecrets } },
  { type: "tool.finished", sessionId: null, toolCallId: "t", name: "bash", output: allSecrets, isError: false },
  { type: "notice.shown", sessionId: null, level: "warn", message: allSecrets },
  { type: "log.written", sessionId: null, stream: "stderr", text: allSecrets },
  {
    type: "permission.previewed",
    sessionId: null,
    tool: "edit",
    diff: `@@ -0,0 +1 @@\n+${allSecrets.replaceAll("\n", "\n+")}`,
    truncated: false,
  },
  { type: "title.changed", sessionId: null, title: allSecrets },
];

test("the samples are all found where nothing is redacted, and each of them is known", () => {
  expect(leaksIn(allSecrets)).toHaveLength(secretSamples.length + 1);
  expect(leaksIn(JSON.stringify(allSecrets))).toHaveLength(secretSamples.length + 1);
  expect(leaksIn(createRedactor([DECLARED]).text(allSecrets))).toEqual([]);
});

describe("on disk there is no secret in", () => {
  test("a recording", async () => {
    verifies("secrets.in-no-file");
    declare();
    const path = join(temporaryFolder(), "session.jsonl");
    const agent = scriptedLink();
    const session = recordSession(path, "gemini", agent.open);
    const link = await session.openLink({ onEvent: () => undefined, nowMs: () => 0 });
    link.send({ type: "prompt", text: allSecrets });
    for (const event of spoken) agent.say(event);
    await link.stop();
    expect(session.close()).toBeNull();
    expect(readFileSync(path, "utf8")).toContain("••••••");
    expect(leaksIn(readFileSync(path, "utf8"))).toEqual([]);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  test.each(["md", "json", "html"])("an export as %s", async (format) => {
    declare();
    const path = join(temporaryFolder(), `talk.${format}`);
    expect(await exportToFile(journalOf(spoken), { format, path, agent: "gemini" })).toContain(path);
    expect(readFileSync(path, "utf8")).toContain("••••••");
    expect(leaksIn(readFileSync(path, "utf8"))).toEqual([]);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  test("an export without a name follows no link that stands in its place", async () => {
    const folder = temporaryFolder();
    const before = process.cwd();
    process.chdir(folder);
    try {
      const wish = { format: "md", path: "", agent: "gemini" };
      const first = await exportToFile(journalOf(spoken), wish);
      const name = first.replace("written to ", "");
      rmSync(name);
      symlinkSync(join(folder, "elsewhere"), name);
      expect(await exportToFile(journalOf(spoken), wish)).not.toContain(`${name}\n`);
      expect(existsSync(join(folder, "elsewhere"))).toBe(false);
      expect(await exportToFile(journalOf(spoken), { ...wish, path: name })).toBe(`not exported: ${name} is a link`);
      expect(existsSync(join(folder, "elsewhere"))).toBe(false);
    } finally {
      process.chdir(before);
    }
  });

  test("an export does not wait for the reader of a pipe that stands in its place", async () => {
    const path = join(temporaryFolder(), "talk.md");
    execFileSync("mkfifo", [path]);
    const said = await exportToFile(journalOf(spoken), { format: "md", path, agent: "gemini" });
    expect(said).toBe(`not exported: ${path} is not a plain file`);
  });

  test("a daemon's log, and none goes to those who follow it or read its state", async () => {
    const folder = temporaryFolder();
    const environment = { XDG_STATE_HOME: join(folder, "state"), [NAME]: DECLARED };
    const tui = new HeadlessTui();
    const section = tui.newTabSection("DEPLOY", "");
    tui.addHandler({ name: () => "voice", setLog: (log) => setImmediate(log, allSecrets) }, "", section);
    tui.addHandler(
      { name: () => "Key", label: () => allSecrets, value: () => allSecrets, change: () => {} },
      "",
      section,
    );
    const daemon = await serveDaemon({ tui, version: "1.0.0", folder, environment });
    const client = createDaemonClient(daemon);
    await expect.poll(async () => (await client.logs({ handler: "voice" })).length).toBeGreaterThan(0);
    const told = JSON.stringify([await client.logs({}), await client.state()]);
    await daemon.stop();
    expect(leaksIn(told)).toEqual([]);
    expect(leaksIn(readFileSync(daemon.logPath, "utf8"))).toEqual([]);
    expect(statSync(daemon.logPath).mode & 0o077).toBe(0);
  });

  test("what the daemon keeps of a hosted session", async () => {
    const stage = await openStage({ redaction: createRedactor([DECLARED]) });
    const id = await stage.start();
    const front = stage.attach(id, "ada");
    front.prompt(`say ${allSecrets.replaceAll("\n", " | ")} and then done`);
    await expect.poll(() => JSON.stringify(front.said()), slow).toContain("and then done");
    await stage.daemon.stop();
    const kept = written(join(stage.folder, "state"));
    expect(kept).toContain("and then done");
    expect(leaksIn(kept)).toEqual([]);
  });

  test("a rule that is kept for good: such a command is asked about each time", () => {
    const request = { tool: "bash", access: "execute", reach: "inside", danger: null } as const;
    const key = secretSamples.find(({ name }) => name === "GitHub")?.secret ?? "";
    expect(suggestRule({ ...request, subject: "node deploy.js --to here" })).not.toBeNull();
    expect(suggestRule({ ...request, subject: `node deploy.js --to ${key}` })).toBeNull();
  });

  test("the words about a crash", () => {
    const lines: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = ((text: string) => lines.push(text) > 0) as typeof write;
    try {
      tellStack(new Error(`failed with ${allSecrets}\x1b[2J`), { [NAME]: DECLARED });
    } finally {
      process.stderr.write = write;
    }
    expect(lines.join("")).toContain("failed with");
    expect(lines.join("")).not.toContain("\x1b");
    expect(leaksIn(lines.join(""))).toEqual([]);
  });
});

test("keys of the environment are secrets by their names, however they are written", () => {
  const environment = { GH_TOKEN: "aaaaaaaa1", apiKey: "aaaaaaaa2", "my-secret": "aaaaaaaa3", PGPASSWORD: "aaaaaaaa4" };
  expect(secretsIn(environment)).toEqual(Object.values(environment));
});

describe("what is typed into a secret question", () => {
  const ask: SessionEvent = {
    type: "ask.raised",
    sessionId: null,
    ask: {
      id: "q",
      sessionId: null,
      turnId: null,
      origin: { kind: "agent" },
      question: { kind: "input", params: { title: "Token", opts: { secret: true } } },
      deadlineMs: null,
    },
  };

  test("is sent to the agent, and is neither on the screen, in the history, in a draft nor in what can be exported", async () => {
    verifies("secrets.reach-the-agent-alone");
    const stage = new Stage(70, 20);
    stage.ready();
    stage.hear({ type: "prompt.started", sessionId: null }, ask);
    stage.wait(1_000);
    stage.type(...DECLARED);
    stage.wait(200);
    expect(await stage.screen()).not.toContain("orchard");
    stage.type(ENTER);
    stage.wait(600);
    expect(stage.sent).toMatchObject([{ type: "ui_response", id: "q", result: DECLARED }]);
    stage.type("\x1b[A");
    stage.wait(600);
    await stage.read();
    const seen = [...stage.emulator.allRows(), ...stage.remembered, ...stage.drafts, JSON.stringify(stage.situations)];
    expect(seen.filter((text) => /quiet|orchard|lantern/.test(text))).toEqual([]);
  });

  test.each(["md", "json", "html"])("is not in an export as %s, although the agent repeats it", async (format) => {
    const agent = scriptedLink();
    const secrets = new Set<string>();
    const connection = new AgentConnection(
      { name: "gemini", openLink: agent.open },
      { clock: new ManualClock(), onSecret: (secret) => secrets.add(secret) },
    );
    await connection.open();
    agent.say(ask);
    connection.catchUp();
    connection.source.dispatch({ type: "answer", askId: "q", value: DECLARED });
    expect(agent.sent).toMatchObject([{ type: "ui_response", id: "q", result: DECLARED }]);
    const path = join(temporaryFolder(), `talk.${format}`);
    const journal = journalOf([said(`You typed ${DECLARED}, thank you.`)]);
    await exportToFile(journal, { format, path, agent: "gemini", secrets });
    expect(readFileSync(path, "utf8")).toContain("thank you");
    expect(readFileSync(path, "utf8")).not.toMatch(/quiet|orchard|lantern/);
    await connection.close();
  });

  test("is said by the reader neither while it is typed nor afterwards", async () => {
    const stage = new ReaderStage();
    stage.ready();
    stage.hear(ask);
    stage.wait(1_000);
    stage.type(...DECLARED, ENTER);
    stage.wait(600);
    expect(stage.sent).toMatchObject([{ type: "ui_response", id: "q", result: DECLARED }]);
    const seen = [...(await stage.all()), ...stage.remembered, ...stage.drafts];
    expect(seen.filter((text) => /quiet|orchard|lantern/.test(text))).toEqual([]);
  });
});

function journalOf(events: readonly SessionEvent[]): Journal {
  let journal = emptyJournal();
  let state = emptyTranscript;
  for (const event of [...events, { type: "prompt.finished", sessionId: null } as const]) {
    const step = reduceTranscript(state, event, 0);
    state = step.state;
    for (const change of step.changes) if (change.type === "closed") journal = journaled(journal, change.block);
  }
  return journal;
}
