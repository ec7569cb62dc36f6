// Sessions and asks as a person reads them: in columns, and nothing an agent calls itself can reach the terminal as it is.
import { describe, expect, test } from "vitest";
import { asksWords, historyWords } from "../../src/cli/commands/ask-list-commands.js";
import { sessionsWords } from "../../src/cli/commands/sessions-command.js";
import type { Ask } from "../../src/contract/asks.js";
import type { HostedSessionEntry } from "../../src/contract/hosted-sessions.js";

const hosted: HostedSessionEntry = {
  id: "20260101-120000-1f2e3d4c",
  name: "claude",
  agent: "claude",
  protocol: "claude",
  cwd: "/p",
  state: "working",
  created_at_ms: 0,
  active_at_ms: 8_000,
  front_ends: ["ada", "bob"],
  open_asks: 1,
  exit_code: null,
};
const saved = { id: "s", path: "/s", cwd: "/home/ada", timestamp: 0, model: "m", title: "fix it" };

describe("sessions", () => {
  test("are two tables, or a word when there are none", () => {
    const second = { ...hosted, id: "b", name: "fix the parser", state: "idle" as const, open_asks: 0, front_ends: [] };
    expect(sessionsWords({ hosted: [hosted, second], saved: [saved] }, 10_000)).toBe(
      [
        "In the daemon",
        "  20260101-120000-1f2e3d4c  claude          working  2.0 s ago  1 question  ada, bob",
        "  b                         fix the parser  idle     2.0 s ago",
        "",
        "Saved",
        "  s  10 s ago  /home/ada  fix it",
        "",
      ].join("\n"),
    );
    expect(sessionsWords({ hosted: [], saved: [] }, 0)).toBe("no sessions yet\n");
  });

  test("with hostile names stay text", () => {
    expect(sessionsWords({ hosted: [{ ...hosted, name: "x\x1b]0;owned\x07\n" }], saved: [] }, 0)).not.toContain("\x1b");
  });
});

describe("asks", () => {
  const ask = (question: Ask["question"], origin: Ask["origin"]): Ask => {
    return { id: "q1", sessionId: null, turnId: null, origin, question, deadlineMs: null };
  };

  test("say what can be answered and who asks", () => {
    const choices = [{ id: "a", label: "Allow", choice: "allow_once" as const }];
    const permission = { kind: "permission" as const, params: { title: "rm -r dist", tool: "bash", choices } };
    expect(asksWords([ask(permission, { kind: "tool", name: "bash" })])).toBe(
      "q1  permission  rm -r dist\n    allow_once\n    from tool bash\n",
    );
    const options = [
      { label: "no", value: "yes" },
      { label: "later", value: "later" },
    ];
    const select = ask({ kind: "select", params: { title: "Sure?", options } }, { kind: "agent" });
    expect(asksWords([select])).toBe("q1  select      Sure?\n    yes (no) · later\n");
    expect(asksWords([])).toBe("no ask waits for an answer\n");
  });

  test("of approvals show what would be approved, and what is dangerous about it", () => {
    const params = {
      title: "Bash",
      tool: "Bash",
      choices: [{ id: "a", label: "allow", choice: "allow_once" as const }],
      command: "sudo ls",
      danger: "it runs with other rights (sudo)",
      details: [{ name: "timeout", value: "5" }],
      performedBy: "agent" as const,
    };
    const words = asksWords([ask({ kind: "permission", params }, { kind: "agent" })]);
    expect(words.split("\n").map((line) => line.trim())).toEqual([
      expect.stringContaining("Bash"),
      "danger: it runs with other rights (sudo)",
      "sudo ls",
      "timeout: 5",
      "runs outside Palaver, which checks only its own part",
      "allow_once",
      "",
    ]);
  });

  test("with hostile titles stay text", () => {
    const confirm = { kind: "confirm" as const, params: { title: "ok?\x1b[2J\n? forged" } };
    const words = asksWords([ask(confirm, { kind: "agent" })]);
    expect([words.includes("\x1b"), words.split("\n").length]).toEqual([false, 2]);
  });
});

test("asks that are over say who answered, how long it took, and whether the agent has it", () => {
  const entry = {
    ...{
      askId: "q1",
      sessionId: null,
      kind: "permission",
      title: "run a command",
      agent: "gemini",
      folder: "/home/ada",
    },
    about: { tool: "Bash", command: "rm -rf build" },
    outcome: { kind: "answered" as const, value: { choiceId: "yes" }, by: "inline" },
    askedAt: "2026-01-31T09:29:00.000Z",
    shownAt: "2026-01-31T09:29:58.000Z",
    settledAt: "2026-01-31T09:30:02.000Z",
    deliveredAt: "2026-01-31T09:30:02.001Z",
    delivery: "delivered" as const,
  };
  const lost = { ...entry, shownAt: null, deliveredAt: null, delivery: "lost" as const };
  const withdrawn = {
    ...entry,
    outcome: { kind: "withdrawn" as const, reason: "turn_ended" as const },
    delivery: "none" as const,
  };
  const words = (given: Parameters<typeof historyWords>[0]) => historyWords(given).replace(/^[-\d]+ [:\d]+/gm, "WHEN");
  expect(words([entry])).toBe(
    [
      'WHEN  answered by inline after 4.0 s, {"choiceId":"yes"}, delivered',
      "  permission  run a command",
      "  rm -rf build",
      "  gemini in /home/ada",
      "",
    ].join("\n"),
  );
  expect(words([lost])).toContain("not shown, not delivered: the agent was gone");
  expect(words([withdrawn])).toContain("WHEN  withdrawn (turn_ended) after 4.0 s\n");
  expect(words([])).toBe("no ask is over yet\n");
});
