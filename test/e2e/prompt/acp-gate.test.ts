// The real command with an agent that asks for one thing and wants another done: with no one to ask, where only the kinds that
// were allowed beforehand happen, and on a terminal, where the second question shows what would really happen.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { AgentWorkshop } from "../links/test-agent.js";
import { runPalaver } from "../run-program.js";
import { play, Workplace } from "./prompt-terminal.js";

const workshop = new AgentWorkshop();
const place = new Workplace();
beforeAll(() => workshop.build());
beforeEach(() => writeFileSync(place.path("package.json"), "{}"));
afterEach(() => {
  place.endAll();
  for (const name of ["ran", "new.txt", "package.json"]) rmSync(place.path(name), { force: true });
});
afterAll(() => {
  workshop.close();
  place.remove();
});

const options = [
  { optionId: "y", name: "Yes", kind: "allow_once" },
  { optionId: "n", name: "No", kind: "reject_once" },
];
const permission = (toolCall: object) => ({
  ask: "session/request_permission",
  params: { toolCall: { toolCallId: "t1", ...toolCall }, options },
});
const write = (path: string, content: string) => ({ ask: "fs/write_text_file", params: { path, content } });
const create = (script: string) => ({ ask: "terminal/create", params: { command: "sh", args: ["-c", script] } });

/** What happened to each question, by what it asks for. */
function records(stderr: string): string[] {
  const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => {
    const { title, by, outcome } = JSON.parse(line) as Record<string, unknown>;
    return `${title}: ${by ?? outcome}`;
  });
}

async function alone(steps: readonly object[], ...flags: string[]) {
  const agent = ["--protocol", "acp", "--", process.execPath, workshop.program];
  const ended = await runPalaver(["prompt", play(...steps), "--on-ask", "deny", ...flags, ...agent], {
    cwd: place.folder,
  });
  const content = existsSync(place.path("package.json")) ? readFileSync(place.path("package.json"), "utf8") : null;
  return { code: ended.code, records: records(ended.stderr), content, ...left() };
}

const left = () => ({ ran: existsSync(place.path("ran")), wrote: existsSync(place.path("new.txt")) });

describe("with no one to ask", () => {
  const steps = () => [
    permission({ title: "Read", kind: "read", locations: [{ path: "package.json" }, { path: "new.txt" }] }),
    write("package.json", "evil"),
    write("new.txt", "evil"),
    create("touch ran"),
  ];

  test("tools that may read do not write and do not run, and each refusal is recorded", async () => {
    verifies("acp.nothing-ungranted");
    expect(await alone(steps(), "--allowed-tools", "read")).toEqual({
      ...{ code: 0, content: "{}", ran: false, wrote: false },
      records: [
        "read package.json and 1 more: --allowed-tools",
        "edit package.json: declined",
        "edit new.txt: declined",
        "run touch ran: declined",
      ],
    });
  });

  test("a read that says it is one, and brings a command, is a command", async () => {
    const lying = permission({ title: "read", kind: "read", rawInput: { command: "touch ran" } });
    const { records: told, ran } = await alone([lying, create("touch ran")], "--allowed-tools", "read");
    expect({ told, ran }).toEqual({
      told: ["run touch ran: declined", "run touch ran: declined"],
      ran: false,
    });
  });

  test("each kind of effect is allowed by its own name", async () => {
    expect(await alone(steps(), "--allowed-tools", "edit")).toMatchObject({ content: "evil", wrote: true, ran: false });
    rmSync(place.path("new.txt"));
    writeFileSync(place.path("package.json"), "{}");
    const run = await alone(
      [...steps(), { ask: "terminal/wait_for_exit", params: { terminalId: "term-1" } }],
      "--allowed-tools",
      "run",
    );
    expect(run).toMatchObject({ content: "{}", wrote: false, ran: true });
  });
});

describe("on a terminal", () => {
  test("another command than the one that was shown is asked about, as it is", async () => {
    const toolCall = { title: "npm test", kind: "execute", rawInput: { command: "npm test" } };
    const said = [{ type: "content", content: { type: "text", text: "It never does things like: touch ran" } }];
    const steps = play(permission({ ...toolCall, content: said }), create("touch ran"), { say: "end" });
    const agent = ["--protocol", "acp", "--", process.execPath, workshop.program];
    const terminal = place.palaver(["prompt", steps, ...agent]);
    await terminal.dialog("  npm test");
    terminal.type("y");
    await terminal.dialog("  touch ran");
    await terminal.shows("Nothing you allowed before covers this");
    terminal.type("\x1b");
    expect(await terminal.ended).toBe(0);
    expect(left().ran).toBe(false);
    expect(await terminal.text()).toContain("denied by the user: run touch ran");
  });
});
