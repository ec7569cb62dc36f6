// The engine as a table: what each input makes of a conversation, what views are told, and what the host has to do.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { openAsks } from "../../../src/session/asks.js";
import type { Change, Effect, EngineInput, Intent } from "../../../src/session/engine/engine-messages.js";
import { activeSession, type EngineState, startingState } from "../../../src/session/engine/engine-state.js";
import { reduce } from "../../../src/session/engine/reduce.js";

interface Run {
  readonly state: EngineState;
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
}

/** Only what the last input brought is kept besides the state. */
function run(...inputs: readonly EngineInput[]): Run {
  const start: Run = { state: startingState(), changes: [], effects: [] };
  return inputs.reduce<Run>(({ state }, input, at) => reduce(state, input, at * 1_000), start);
}

const event = (happened: SessionEvent): EngineInput => ({ type: "event", event: happened });
const want = (intent: Intent): EngineInput => ({ type: "intent", intent, by: "tui" });
const readied = event({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
const started = (sessionId: string) => event({ type: "session.started", sessionId });
const closed = (sessionId: string) => event({ type: "session.closed", sessionId, reason: "" });
const finished = (sessionId: string | null) => event({ type: "prompt.finished", sessionId });

function ask(id: string, fields: Partial<Ask> = {}): Ask {
  return {
    id,
    sessionId: null,
    turnId: null,
    origin: { kind: "agent" },
    deadlineMs: null,
    question: { kind: "confirm", params: { title: `Really ${id}?` } },
    ...fields,
  };
}

const raised = (asked: Ask) => event({ type: "ask.raised", sessionId: asked.sessionId, ask: asked });

/** A change or an effect in a few words. */
function words(happened: Change | Effect): string {
  switch (happened.type) {
    case "block":
      return `block ${happened.session} ${happened.change.type}`;
    case "facts":
      return `facts ${happened.session}`;
    case "composer":
      return `composer ${happened.session} ${happened.text}`;
    case "session.switched":
      return `switched ${happened.from} to ${happened.to}`;
    case "session.gone":
      return `gone ${happened.entry.id} at ${happened.place}`;
    case "sessions":
      return `sessions ${happened.sessions.map(({ id, name }) => name || id).join(" ")}`;
    case "notice":
      return `notice ${happened.notice.text}`;
    case "session.started":
      return `started ${happened.id}`;
    case "ask.raised":
      return `raised ${happened.ask.id}`;
    case "ask.finished":
      return `finished ${happened.ask.id} ${happened.delivery ?? "undelivered"}`;
    case "ask.settled":
    case "respond":
      return `${happened.type === "respond" ? "respond" : "settled"} ${happened.ask.id} ${happened.outcome.kind}`;
    case "send":
      return `send ${JSON.stringify(happened.command)}`;
    case "audit":
      return `audit ${happened.record.askId}`;
    case "wake-at":
      return `wake at ${happened.atMs}`;
    case "reply":
      return `reply ${happened.command} to ${happened.by ?? "all"}`;
    case "agent":
      return `agent ${happened.change}`;
  }
}

const rows: readonly (readonly [string, readonly EngineInput[], readonly string[], readonly string[]])[] = [
  [
    "a prompt goes to an idle agent at once, and into the transcript",
    [readied, want({ type: "submit", text: "hi" })],
    ["facts 0", "sessions hi", "block 0 opened", "block 0 closed"],
    ['send {"type":"prompt","text":"hi"}'],
  ],
  ["a prompt for a busy agent waits", [want({ type: "submit", text: "hi" })], ["facts 0"], []],
  [
    "a queued prompt has its turn when the one before it ends",
    [readied, want({ type: "submit", text: "one" }), want({ type: "submit", text: "two" }), finished(null)],
    ["facts 0", "block 0 opened", "block 0 closed"],
    ['send {"type":"prompt","text":"two"}'],
  ],
  [
    "an agent that announces itself in the middle of a turn has lost the prompt, and that is said",
    [readied, want({ type: "submit", text: "hi" }), readied],
    ["block 0 opened", "block 0 closed", "facts 0"],
    [],
  ],
  [
    "the last queued prompt can be taken back into the composer",
    [want({ type: "submit", text: "one" }), want({ type: "queue.take-back" })],
    ["facts 0", "composer 0 one"],
    [],
  ],
  [
    "a stop gives all queued prompts back, the first one on top, and sends none of them",
    [
      readied,
      want({ type: "submit", text: "one" }),
      want({ type: "submit", text: "two" }),
      want({ type: "submit", text: "three" }),
      want({ type: "abort" }),
    ],
    ["facts 0", "composer 0 three", "composer 0 two", "facts 0"],
    ['send {"type":"abort"}'],
  ],
  [
    "a command about a session names it",
    [readied, event({ type: "prompt.started", sessionId: "s1" }), want({ type: "save" })],
    [],
    ['send {"type":"save","session_id":"s1"}'],
  ],
  [
    "an abort reaches the agent, and the turn is stopping",
    [readied, want({ type: "submit", text: "hi" }), want({ type: "abort" })],
    ["facts 0"],
    ['send {"type":"abort"}'],
  ],
  [
    "a turn that was stopped says so when it has ended",
    [readied, want({ type: "submit", text: "hi" }), want({ type: "abort" }), finished(null)],
    ["block 0 opened", "block 0 closed", "facts 0"],
    [],
  ],
  [
    "a second abort of the same turn is sent and changes nothing",
    [readied, want({ type: "submit", text: "hi" }), want({ type: "abort" }), want({ type: "abort" })],
    [],
    ['send {"type":"abort"}'],
  ],
  ["a second session is told of", [readied, started("a"), started("b")], ["sessions a b", "facts 1", "started b"], []],
  [
    "another session is activated here and at the agent",
    [readied, started("a"), started("b"), want({ type: "activate", id: "b" })],
    ["sessions a b", "switched 0 to 1"],
    ['send {"type":"set_active_session","session_id":"b"}'],
  ],
  ["the active session is not activated again", [readied, started("a"), want({ type: "activate", id: "a" })], [], []],
  [
    "a session that ends out of sight is handed over as it was",
    [readied, started("a"), started("b"), closed("b")],
    ["gone b at 1", "sessions a"],
    [],
  ],
  [
    "the active session that ends gives way to its neighbour",
    [readied, started("a"), started("b"), closed("a")],
    ["sessions b", "switched 0 to 1"],
    [],
  ],
  ["an ask is raised once", [raised(ask("q1"))], ["raised q1"], ["wake at null"]],
  ["an ask with the same id is not raised again", [raised(ask("q1")), raised(ask("q1"))], [], []],
  [
    "an answer settles the ask, reaches the agent and leaves one record",
    [raised(ask("q1")), want({ type: "answer", askId: "q1", value: true })],
    ["settled q1 answered"],
    ["respond q1 answered", "wake at null"],
  ],
  [
    "an answer stands in the transcript, and is recorded, when the agent has it",
    [
      raised(ask("q1")),
      want({ type: "answer", askId: "q1", value: true }),
      { type: "delivered", askId: "q1", delivery: "delivered" },
    ],
    ["block 0 opened", "block 0 closed", "finished q1 delivered"],
    ["audit q1"],
  ],
  [
    "a second answer changes nothing",
    [
      raised(ask("q1")),
      want({ type: "answer", askId: "q1", value: true }),
      want({ type: "answer", askId: "q1", value: false }),
    ],
    [],
    [],
  ],
  [
    "an answer that another front end gave is not sent again",
    [
      raised(ask("q1")),
      { type: "settled-elsewhere", askId: "q1", outcome: { kind: "answered", value: true, by: "phone" } },
    ],
    ["settled q1 answered", "block 0 opened", "block 0 closed", "finished q1 delivered"],
    ["audit q1", "wake at null"],
  ],
  [
    "an ask expires at its deadline",
    [raised(ask("q1", { deadlineMs: 500 })), { type: "clock" }],
    ["settled q1 expired"],
    ["respond q1 expired", "wake at null"],
  ],
  [
    "the end of the turn withdraws the asks of its session alone",
    [
      readied,
      started("a"),
      started("b"),
      raised(ask("q1", { sessionId: "a" })),
      raised(ask("q2", { sessionId: "b" })),
      finished("a"),
    ],
    ["settled q1 withdrawn", "block 0 opened", "block 0 closed", "finished q1 undelivered"],
    ["audit q1", "wake at null"],
  ],
  [
    "a session that ends withdraws its asks",
    [readied, started("a"), started("b"), raised(ask("q2", { sessionId: "b" })), closed("b")],
    [
      "settled q2 withdrawn",
      "block 1 opened",
      "block 1 closed",
      "finished q2 undelivered",
      "gone b at 1",
      "sessions a",
    ],
    ["audit q2", "wake at null"],
  ],
  [
    "the end of the agent withdraws all asks",
    [readied, raised(ask("q1")), { type: "agent", change: "closed", words: [] }],
    ["settled q1 withdrawn", "block 0 opened", "block 0 closed", "finished q1 undelivered", "facts 0", "agent closed"],
    ["audit q1", "wake at null"],
  ],
  [
    "an answer to a command is passed on",
    [event({ type: "command.answered", sessionId: null, command: "stats", answer: {} })],
    ["reply stats to all"],
    [],
  ],
  [
    "an answer to a command is for the view that sent it, and a second one is for all",
    [want({ type: "stats" }), event({ type: "command.answered", sessionId: null, command: "stats", answer: {} })],
    ["reply stats to tui"],
    [],
  ],
  [
    "any other command is passed on",
    [want({ type: "command", command: { type: "ping" } })],
    [],
    ['send {"type":"ping"}'],
  ],
];

test("an agent is ready in every session, even if it names a later one before the first", () => {
  const readiedIn = event({ type: "agent.readied", sessionId: "first", ui: true, protocolVersion: "1" });
  const { state, effects } = run(
    want({ type: "submit", text: "hello" }),
    started("second"),
    started("first"),
    readiedIn,
  );

  expect(state.sessions.map(({ id, facts }) => [id, facts.phase])).toEqual([
    ["second", "working"],
    ["first", "idle"],
  ]);
  expect(effects.map(words)).toEqual(['send {"type":"prompt","text":"hello","session_id":"second"}']);
});

describe("the engine", () => {
  test.each(rows)("%s", (_, inputs, changes, effects) => {
    const step = run(...inputs);
    expect(step.changes.map(words)).toEqual(changes);
    expect(step.effects.map(words)).toEqual(effects);
  });

  test.each([
    ["/demo", ""],
    ["/compact now", ""],
    ["/etc/hosts: what is it?", "/etc/hosts: what is it?"],
  ])("after the prompt %j the session is called %j", (text, name) => {
    const { state } = run(readied, want({ type: "submit", text }));
    expect(activeSession(state)).toMatchObject({ name });
  });

  test("a session keeps its key and its transcript when the agent names it, and when the agent is started again", () => {
    const said = [readied, want({ type: "submit", text: "hi" })];
    const named = run(...said, event({ type: "prompt.started", sessionId: "s1" }));
    expect(activeSession(named.state)).toMatchObject({ id: "s1", key: 0, name: "hi" });
    const again = run(...said, started("s1"), started("s2"), { type: "agent", change: "opened", words: [] });
    expect(again.state.sessions).toMatchObject([{ id: "", key: 0, journal: { blocks: [{ text: "hi" }] } }]);
    expect(again.changes.map(words)).toEqual(["gone s2 at 1", "sessions hi", "facts 0", "agent opened"]);
  });

  test("a resumed session is named by its first prompt, which the agent tells", () => {
    const told = (role: string, text: string) =>
      event({ type: "message.finished", sessionId: "s1", message: { role, content: [{ type: "text", text }] } });
    const resumed = run(
      readied,
      started("s1"),
      told("assistant", "Hello."),
      told("user", "fix it\nnow"),
      told("user", "more"),
    );
    expect(activeSession(resumed.state)).toMatchObject({ id: "s1", name: "fix it" });
  });

  test("a growing message costs no more when there is much before it", () => {
    const blocks = Array.from({ length: 5_000 }, (_, at) => want({ type: "notice", level: "info", text: `${at}` }));
    const { state } = run(readied, ...blocks);
    const { journal } = activeSession(state);
    const grew = event({ type: "message.grew", sessionId: null, index: 0, kind: "text", delta: "more" });
    const step = reduce(state, grew, 0);
    expect(step.changes.map(words)).toEqual(["block 0 opened"]);
    expect(activeSession(step.state).journal).toBe(journal);
    expect(step.state.asks).toBe(state.asks);
  });

  test("the value of a secret goes to the agent and nowhere else", () => {
    const secret = ask("q1", { question: { kind: "input", params: { title: "Token", opts: { secret: true } } } });
    const { state, changes, effects } = run(raised(secret), want({ type: "answer", askId: "q1", value: "hunter2" }));
    const [respond, ...others] = effects;
    expect(JSON.stringify(respond)).toContain("hunter2");
    expect(JSON.stringify([state, changes, others])).not.toContain("hunter2");
    expect(openAsks(state.asks)).toEqual([]);
  });
});

describe("the images of a queued prompt", () => {
  const picture = (data: string) => ({ data, mime_type: "image/png" });
  const submit = (text: string, ...data: string[]) => want({ type: "submit", text, images: data.map(picture) });
  const busy = [readied, submit("first")];
  const sent = (...inputs: readonly EngineInput[]) =>
    run(...busy, ...inputs).effects.map((effect) => effect.type === "send" && effect.command);

  test.each<[how: string, leave: Intent]>([
    ["is removed", { type: "queue.remove", text: "" }],
    ["is removed with all others", { type: "queue.remove" }],
    ["goes back to the composer", { type: "queue.take-back" }],
  ])("never go with another prompt once it %s", (_, leave) => {
    const replaced = [submit("", "A"), want(leave), submit("", "B")];
    expect(sent(...replaced, finished(null))).toMatchObject([{ text: "", images: [picture("B")] }]);
    const again = sent(...replaced, finished(null), submit(""), finished(null));
    expect(again).toEqual([{ type: "prompt", text: "" }]);
  });

  test("go with it, also when another has the same text", () => {
    const both = [submit("look"), submit("look", "B")];
    expect(sent(...both, finished(null))).toEqual([{ type: "prompt", text: "look" }]);
    expect(sent(...both, finished(null), finished(null))).toMatchObject([{ images: [picture("B")] }]);
  });
});

describe("a prompt for a full queue", () => {
  const submit = (text: string, context = "") => want({ type: "submit", text, context });
  const full = [readied, ...Array.from({ length: 201 }, (_, at) => submit(`${at}`))];

  test("is refused and leaves nothing behind, so that its context goes once with the prompt that is taken", () => {
    const { state } = run(...full);
    const once = reduce(state, submit("more", "CTX"), 0);
    const refused = reduce(once.state, submit("more", "CTX"), 0);
    expect(refused).toMatchObject({ refusal: { why: "queue full" }, changes: [], effects: [] });
    const { state: cleared } = reduce(refused.state, want({ type: "queue.remove" }), 0);
    const { state: taken } = reduce(cleared, submit("more", "CTX"), 0);
    expect(reduce(taken, finished(null), 0).effects).toEqual([
      { type: "send", command: { type: "prompt", text: "moreCTX" } },
    ]);
  });

  test("that is the reason of an answer is told as not sent; the answer was accepted", () => {
    const value = { ok: false, reason: "use find" };
    const { state } = run(
      ...full,
      raised(ask("q", { question: { kind: "confirm", params: { title: "run", opts: { tool: "bash" } } } })),
    );
    const step = reduce(state, want({ type: "answer", askId: "q", value }), 0);
    expect(step.refusal).toBeNull();
    expect(step.effects.map(words)).toContain("respond q answered");
    expect(JSON.stringify(step.changes)).toContain("your reason was not sent: too many messages are queued");
  });
});

describe("a no with a reason", () => {
  const answers = (asked: Ask, value: unknown) =>
    run(readied, want({ type: "submit", text: "hi" }), raised(asked), want({ type: "answer", askId: "q", value }));
  const approval = (opts: object) =>
    ask("q", { question: { kind: "confirm", params: { title: "run", opts: { tool: "bash", ...opts } } } });
  const sent = ({ effects }: Run) => effects.flatMap((effect) => (effect.type === "respond" ? [effect.outcome] : []));

  test("goes to an agent that takes reasons", () => {
    const { effects, state, changes } = answers(approval({ allow_reason: true }), { ok: false, reason: "use find" });
    expect(sent({ effects, state, changes })).toMatchObject([{ value: { ok: false, reason: "use find" } }]);
    expect(activeSession(state).facts.queue).toEqual([]);
  });

  test("is a plain no to any other agent, and the next prompt", () => {
    const plain = answers(approval({}), { ok: false, reason: "use find" });
    expect(sent(plain)).toMatchObject([{ kind: "answered", value: false }]);
    expect(activeSession(plain.state).facts.queue).toEqual(["use find"]);
    const choices = [{ id: "r1", label: "no", choice: "reject_once" as const }];
    const params = { title: "run", tool: "bash", choices };
    const listed = answers(ask("q", { question: { kind: "permission", params } }), { choiceId: "r1", reason: "no rm" });
    expect(sent(listed)).toMatchObject([{ value: { choiceId: "r1" } }]);
    expect(sent(listed)[0]).not.toHaveProperty("value.reason");
    expect(activeSession(listed.state).facts.queue).toEqual(["no rm"]);
  });

  test("of an ask that is settled already queues nothing", () => {
    const value = { ok: false, reason: "use find" };
    const again = want({ type: "answer", askId: "q", value });
    const { state } = run(readied, want({ type: "submit", text: "hi" }), raised(approval({})), again, again);
    expect(activeSession(state).facts.queue).toEqual(["use find"]);
  });
});
