// The user's own program for asks that wait: what it gets, and that no word of an agent is ever run.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandWay } from "../../../src/server/notify/ask-notifier.js";
import { openStage, slow } from "../../host/session-stage.js";
import { verifies } from "../../verifies.js";
import { temporaryFolder } from "../temporary-folder.js";

const confirm = (id: string, title: string) => ({
  ...{ id, sessionId: null, turnId: null, origin: { kind: "agent" as const }, deadlineMs: null },
  question: { kind: "confirm" as const, params: { title } },
});

/** A program that writes down what it was given. */
function witness() {
  const folder = temporaryFolder();
  const out = join(folder, "seen.jsonl");
  const script = join(folder, "witness.mjs");
  const write = `import { appendFileSync } from "node:fs";
const about = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("PALAVER_")));
appendFileSync(${JSON.stringify(out)}, JSON.stringify({ args: process.argv.slice(2), about }) + "\\n");`;
  writeFileSync(script, write);
  const seen = () =>
    existsSync(out)
      ? readFileSync(out, "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as { args: string[]; about: Record<string, string> })
      : [];
  return { command: [process.execPath, script, "to", "me"], seen, folder };
}

test("runs once for an ask that waits and once when it is settled, with all it needs in the environment", async () => {
  const { command, seen } = witness();
  const stage = await openStage({ notify: { command } });
  void stage.board.ask(confirm("p1", "Deploy?"));
  await expect.poll(() => seen().length, slow).toBe(1);
  expect(seen()[0]).toEqual({
    args: ["to", "me"],
    about: {
      PALAVER_EVENT: "raised",
      PALAVER_ASK_ID: "p1",
      PALAVER_ASK_TITLE: "Deploy?",
      PALAVER_ASK_SESSION: "",
      PALAVER_ASK_URL: `${stage.url}/#ask=p1`,
    },
  });
  stage.board.answer("p1", { value: true }, "desk");
  await expect.poll(() => seen().at(1)?.about, slow).toEqual({ PALAVER_EVENT: "settled", PALAVER_ASK_ID: "p1" });
});

test("no word of an agent is run, whatever it looks like", async () => {
  verifies("page.notify-runs-no-agent-words");
  const { command, seen, folder } = witness();
  const stage = await openStage({ notify: { command } });
  const title = `$(touch ${folder}/owned) \`touch ${folder}/owned\`; touch ${folder}/owned; "' \u001b]0;x\u0007`;
  void stage.board.ask(confirm("p1", title));
  await expect.poll(() => seen().length, slow).toBe(1);
  expect(seen()[0]?.about["PALAVER_ASK_TITLE"]).toContain("$(touch");
  expect(seen()[0]?.about["PALAVER_ASK_TITLE"]).not.toContain("\u001b");
  expect(existsSync(join(folder, "owned"))).toBe(false);
});

test("a program that fails is told of in the log", async () => {
  const stage = await openStage({ notify: { command: ["/no/such/program"] } });
  void stage.board.ask(confirm("p1", "Deploy?"));
  await expect.poll(() => readFileSync(stage.daemon.logPath, "utf8"), slow).toContain("notify.command failed");
});

test("a name of any length, and a program that cannot be started, are no end of the daemon", async () => {
  const problems: string[] = [];
  const shown = (name: string) => ({
    ask: confirm("p1", "Deploy?"),
    session: { id: "s", name, agent: null, cwd: "/" },
  });
  const notify = (environment: Record<string, string>, name: string) =>
    commandWay({
      ...{ command: [process.execPath, "-e", ""], environment, origin: () => "" },
      onProblem: (words) => problems.push(words),
    }).raised({ ...shown(name), asked_at_ms: 0 });
  notify({}, "x".repeat(300_000));
  expect(problems).toEqual([]);
  notify({ TOO_LARGE: "x".repeat(3_000_000) }, "short");
  expect(problems).toEqual(["notify.command failed: spawn E2BIG"]);
});
