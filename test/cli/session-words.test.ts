// Sessions and asks as a person reads them: in columns, and nothing an agent calls itself can reach the terminal as it is.
import { describe, expect, test } from "vitest";
import { asksWords, historyWords } from "../../src/cli/commands/ask-list-commands.js";
import { sessionsWords } from "../../src/cli/commands/sessions-command.js";
import type { Ask } from "../../src/contract/asks.js";
import type { HostedSessionEntry } from "../../src/contract/hosted-sessions.js";
import type { SavedSession } from "../../src/session/saved-session.js";

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
const place = { nowMs: 10_000, folder: "/home/ada/here", home: "/home/ada", savedMax: 20 };

function saved(id: string, more: Partial<SavedSession> = {}): SavedSession {
  return { agent: "claude", id, ref: id, title: "fix it", cwd: "/home/ada/here", atMs: 0, ...more };
}

describe("sessions", () => {
  test("are tables, those of this folder first, or a word when there are none", () => {
    const second = { ...hosted, id: "b", name: "fix the parser", state: "idle" as const, open_asks: 0, front_ends: [] };
    const elsewhere = saved("20260101-120000-aa", { agent: "palaver", cwd: "/home/ada/site", atMs: 5_000 });
    const here = [saved("3fa9c2d1-aa"), saved("3fa9c2d9-bb", { atMs: -7_200_000 })];
    expect(sessionsWords({ hosted: [hosted, second], saved: [elsewhere, ...here] }, place)).toBe(
      [
        "In the daemon",
        "  20260101-120000-1f2e3d4c  claude          working  just now  1 question  ada, bob",
        "  b                         fix the parser  idle     just now",
        "",
        "In this folder",
        "  3fa9c2d1  claude  just now  fix it",
        "  3fa9c2d9  claude  2 h ago   fix it",
        "",
        "In other folders",
        "  202601  palaver  just now  ~/site  fix it",
        "",
      ].join("\n"),
    );
    expect(sessionsWords({ hosted: [], saved: [] }, place)).toBe("no sessions yet\n");
  });

  test("are listed up to a limit, and the rest is counted", () => {
    const many = Array.from({ length: 23 }, (_, at) => saved(`session-${String(at).padStart(2, "0")}`));
    const lines = sessionsWords({ hosted: [], saved: many }, place).split("\n");
    expect([lines.length, lines.at(-2)]).toEqual([24, "3 more: palaver sessions --all"]);
  });

  test("with hostile names stay text", () => {
    const hostile = "x\x1b]0;owned\x07\n";
    const words = sessionsWords(
      { hosted: [{ ...hosted, name: hostile }], saved: [saved("s", { title: hostile, cwd: hostile })] },
      place,
    );
    expect(words).not.toContain("\x1b");
    expect(words.split("\n")).toHaveLength(6);
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
    expect(asksWords([])).toBe("no open questions\n");
  });

  test("of approvals show what would be approved, and what is dangerous about it", () => {
    const params = {
      title: "Bash",
      tool: "Bash",
      choices: [{ id: "a", label: "allow", choice: "allow_once" as const }],
      command: "sudo ls",
      danger: "it runs as another user (sudo)",
      details: [{ name: "timeout", value: "5" }],
      performedBy: "agent" as const,
    };
    const words = asksWords([ask({ kind: "permission", params }, { kind: "agent" })]);
    expect(words.split("\n").map((line) => line.trim())).toEqual([
      expect.stringContaining("Bash"),
      "danger: it runs as another user (sudo)",
      "sudo ls",
      "timeout: 5",
      "runs outside Palaver, so Palaver cannot check it",
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
      "WHEN  yes, by inline after 4.0 s, delivered",
      "  permission  run a command",
      "  rm -rf build",
      "  gemini in /home/ada",
      "",
    ].join("\n"),
  );
  const said = (value: unknown) => words([{ ...entry, outcome: { ...entry.outcome, value } }]).slice("WHEN  ".length);
  expect(said({ ok: true, remember: true })).toMatch(/^yes, always, by inline/);
  expect(said({ ok: false, reason: "not here" })).toMatch(/^no, not here, by inline/);
  expect(said({ ok: true, more: 1 })).toMatch(/^\{"ok":true,"more":1\}, by inline/);
  expect(words([lost])).toContain("not shown, not delivered: the agent was gone");
  expect(words([withdrawn])).toContain("WHEN  withdrawn (turn_ended) after 4.0 s\n");
  const shown = ["09:29:56", "09:29:58"].map((time, at) => ({
    ...{ person: ["ada", "bob"][at] ?? "", from: ["desk", ""][at] ?? "", view: "page" as const },
    at: new Date(`2026-01-31T${time}`).toISOString(),
  }));
  expect(words([{ ...entry, shown }])).toContain(
    "\n  shown to ada on desk (page) at 09:29:56, to bob (page) at 09:29:58\n",
  );
  expect(words([])).toBe("no earlier questions\n");
});
