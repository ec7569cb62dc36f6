// The attached view as a machine, by tables: what happens to tabs, fields, logs and half-finished deeds.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reduceAttach } from "../../../src/session/attach/attach-reducer.js";
import {
  type AttachEffect,
  type AttachEvent,
  type AttachState,
  activeTab,
  attachedAt,
  fieldNamed,
  focusedField,
  tabPlaces,
} from "../../../src/session/attach/attach-state.js";
import { shownValue } from "../../../src/session/attach/field-actions.js";
import { latestLines, TAB_LINES_MAX } from "../../../src/session/attach/log-state.js";
import { buildState, entry, LINE_AT_MS, line } from "./daemon-samples.js";

const ERROR = 2;
const DEBUG = 10;

class Machine {
  state: AttachState = attachedAt(LINE_AT_MS);
  effects: AttachEffect[] = [];
  nowMs = 0;

  feed(...events: AttachEvent[]): this {
    for (const event of events) {
      const step = reduceAttach(this.state, event, this.nowMs);
      this.state = step.state;
      this.effects.push(...step.effects);
    }
    return this;
  }

  /** Connected, and told what there is. */
  static ready(entries = buildState): Machine {
    return new Machine().feed({ type: "connected" }, { type: "state.loaded", entries }).forget();
  }

  forget(): this {
    this.effects = [];
    return this;
  }

  get titles(): string[] {
    return this.state.tabs.map(({ title }) => title);
  }

  valueOf(key: string): string | null {
    const field = fieldNamed(this.state, key);
    return field === null ? null : shownValue(this.state, field);
  }

  get lines(): string[] {
    return (activeTab(this.state)?.log.lines ?? []).map(({ content }) => content);
  }
}

describe("state", () => {
  test("tabs and fields come in the order of the daemon, and the first tab is in front", () => {
    const { state, titles } = Machine.ready();
    expect(titles).toEqual(["BUILD", "SERVER", "TESTS"]);
    expect(state.active).toEqual({ kind: "daemon", title: "BUILD" });
    expect(activeTab(state)?.fields.map(({ name, kind }) => [name, kind])).toEqual([
      ["Mode", "edit"],
      ["Browser", "edit"],
      ["Restart", "execution"],
    ]);
  });

  test("an empty state changes nothing, and neither does none", () => {
    const machine = Machine.ready();
    const before = machine.state;
    machine.feed({ type: "state.loaded", entries: [] }, { type: "state.loaded", entries: null });
    expect(machine.state.tabs).toEqual(before.tabs);
  });

  test("a field that went away takes its shortcuts with it", () => {
    const machine = Machine.ready().feed({ type: "shortcut.press", key: "p" });
    expect(machine.effects).toEqual([{ type: "send-action", key: "p", value: "" }]);
    const without = buildState.filter(({ handler_name }) => handler_name !== "Mode");
    machine.forget().feed({ type: "state.loaded", entries: without }, { type: "shortcut.press", key: "p" });
    expect(machine.effects).toEqual([]);
  });

  test("the focus stays on its field when others come before it", () => {
    const machine = Machine.ready().feed({ type: "field.step", by: 1 });
    machine.feed({ type: "state.loaded", entries: [entry("BUILD", "New", 2), ...buildState] });
    expect(focusedField(machine.state)?.name).toBe("Browser");
  });

  test("a kind that is not known is shown as something to look at", () => {
    const machine = Machine.ready([entry("BUILD", "Future", 9, { value: "42" })]);
    expect(focusedField(machine.state)).toMatchObject({ kind: "display", value: "42" });
  });

  test("news that come while the state is on its way are asked for once it is there", () => {
    const machine = new Machine().feed({ type: "connected" }, { type: "state.changed" }, { type: "state.changed" });
    expect(machine.effects).toEqual([{ type: "load-state" }]);
    machine.forget().feed({ type: "state.loaded", entries: buildState });
    expect(machine.effects).toEqual([{ type: "tell-tab", title: "BUILD" }, { type: "load-state" }]);
    machine.forget().feed({ type: "state.loaded", entries: buildState });
    expect(machine.effects).toEqual([]);
  });

  test("a tab that went away stays to be read when it has logged something", () => {
    const machine = Machine.ready().feed({ type: "line.logged", entry: line("TESTS", "tests", "1 passed") });
    machine.feed({ type: "state.loaded", entries: [entry("SERVER", "Address", 0)] });
    expect(machine.titles).toEqual(["SERVER", "TESTS"]);
    expect(machine.state.active).toEqual({ kind: "daemon", title: "SERVER" });
  });
});

describe("the log", () => {
  test("lines of other tabs count as unread, failures apart, and looking there clears both", () => {
    const machine = Machine.ready().feed(
      { type: "line.logged", entry: line("BUILD", "watch", "rebuilt") },
      { type: "line.logged", entry: line("TESTS", "tests", "running") },
      { type: "line.logged", entry: line("TESTS", "tests", "1 failed", { type: ERROR }) },
    );
    const marks = () => machine.state.tabs.map(({ title, unread, failures }) => [title, unread, failures]);
    expect(marks()).toEqual([
      ["BUILD", 0, 0],
      ["SERVER", 0, 0],
      ["TESTS", 2, 1],
    ]);
    machine.feed({ type: "tab.step", by: 1 }, { type: "tab.step", by: 1 });
    expect(marks().at(-1)).toEqual(["TESTS", 0, 0]);
  });

  test("no one has missed what was logged before he came", () => {
    const machine = Machine.ready().feed({
      type: "line.logged",
      entry: line("TESTS", "tests", "long ago", { at_ms: LINE_AT_MS - 1 }),
    });
    expect(machine.state.tabs.at(-1)?.unread).toBe(0);
  });

  test("a line that comes again is shown once", () => {
    const [first, second] = [line("BUILD", "watch", "one"), line("BUILD", "watch", "two")];
    const machine = Machine.ready();
    for (const one of [first, second, first, second]) machine.feed({ type: "line.logged", entry: one });
    expect(machine.lines).toEqual(["one", "two"]);
  });

  test("the newest line of a handler stands for it, unless it streams or is there to debug", () => {
    const machine = Machine.ready().feed(
      ...[
        line("BUILD", "watch", "one"),
        line("BUILD", "server", "up"),
        line("BUILD", "npm", "a", { streaming: true }),
        line("BUILD", "watch", "two"),
        line("BUILD", "npm", "b", { streaming: true }),
        line("BUILD", "watch", "inside", { type: DEBUG }),
      ].map((one): AttachEvent => ({ type: "line.logged", entry: one })),
    );
    const log = activeTab(machine.state)?.log;
    expect(latestLines(log ?? { lines: [], nextNumber: 0 }).map(({ content }) => content)).toEqual([
      "up",
      "a",
      "two",
      "b",
      "inside",
    ]);
  });

  test("a tab keeps no more than 500 lines", () => {
    const machine = Machine.ready();
    for (let count = 0; count < TAB_LINES_MAX + 20; count += 1) {
      machine.feed({ type: "line.logged", entry: line("BUILD", "watch", `line ${count}`) });
    }
    expect(machine.lines).toHaveLength(500);
    expect(machine.lines[0]).toBe("line 20");
  });

  test("a progress runs until its handler speaks again, and no one knows when the connection is lost", () => {
    const progress = () => activeTab(machine.state)?.log.lines.map((one) => one.progress);
    const machine = Machine.ready().feed({
      type: "line.logged",
      entry: line("BUILD", "watch", "building", { is_progress: true }),
    });
    expect(progress()).toEqual(["running"]);
    machine.feed({ type: "disconnected", retryInMs: 250 });
    expect(progress()).toEqual(["unknown"]);
    machine.feed({ type: "line.logged", entry: line("BUILD", "watch", "built", { is_complete: true }) });
    expect(progress()).toEqual(["none", "none"]);
  });

  test("lines that were lost are told where the user looks", () => {
    const machine = Machine.ready().feed({
      type: "lines.lost",
      entry: line("DAEMON", "logs", "7 lines were lost: this client reads too slowly", { id: "" }),
    });
    expect(machine.titles).not.toContain("DAEMON");
    expect(machine.lines).toEqual(["7 lines were lost: this client reads too slowly"]);
    expect(machine.state.notice?.level).toBe("warn");
  });
});

describe("changing a value", () => {
  const editing = () => Machine.ready().feed({ type: "field.act" }).forget();

  test("the new value shows at once and is the daemon's when it says so", () => {
    const machine = editing().feed({ type: "input.submit", text: "production" });
    expect(machine.effects).toContainEqual({ type: "send-action", key: "Mode", value: "production" });
    expect(machine.valueOf("Mode")).toBe("production");
    machine.feed({ type: "action.taken", key: "Mode" }, { type: "state.loaded", entries: buildState });
    expect(machine.valueOf("Mode")).toBe("production");
    machine.feed({ type: "state.loaded", entries: changed("Mode", "PRODUCTION") });
    expect(machine.valueOf("Mode")).toBe("PRODUCTION");
    expect(machine.state.pending.size).toBe(0);
  });

  test.each<[string, AttachEvent, string]>([
    ["the daemon refuses it", { type: "action.refused", key: "Mode", reason: "not now" }, "not now"],
    [
      "its handler fails",
      { type: "line.logged", entry: line("BUILD", "Mode", "error: no such mode", { type: ERROR }) },
      "no such mode",
    ],
  ])("the old value comes back with the reason when %s", (_, event, reason) => {
    const machine = editing().feed({ type: "input.submit", text: "staging" }, event);
    expect(machine.valueOf("Mode")).toBe("development");
    expect(machine.state.notice).toEqual({ level: "error", text: reason });
  });

  test("the failure of another handler takes nothing back", () => {
    const machine = editing().feed({ type: "input.submit", text: "production" });
    machine.feed({ type: "line.logged", entry: line("TESTS", "Mode", "error: something else", { type: ERROR }) });
    expect(machine.valueOf("Mode")).toBe("production");
  });

  test("a value that no one took comes back after a while", () => {
    const machine = editing().feed({ type: "input.submit", text: "production" });
    const wake = machine.effects.find((effect) => effect.type === "wake-at");
    machine.nowMs = wake?.type === "wake-at" ? wake.atMs : 0;
    machine.feed({ type: "clock" });
    expect(machine.valueOf("Mode")).toBe("development");
    expect(machine.state.notice).toEqual({ level: "warn", text: "Mode is still development" });
  });

  test("what did not change is not sent, and a cancel sends nothing of what was typed", () => {
    const same = editing().feed({ type: "input.submit", text: "development" });
    expect(same.effects).toEqual([]);
    expect(same.state.editing).toBeNull();
    const cancelled = editing().feed({ type: "input.cancel" });
    expect(cancelled.effects).toEqual([{ type: "cancel-action", key: "Mode" }]);
    expect(cancelled.valueOf("Mode")).toBe("development");
  });

  test("an empty value is a value", () => {
    const machine = editing().feed({ type: "input.submit", text: "" });
    expect(machine.effects).toContainEqual({ type: "send-action", key: "Mode", value: "" });
    expect(machine.valueOf("Mode")).toBe("");
  });
});

describe("a conversation", () => {
  const idle = [entry("SETUP", "Wizard", 3, { label: "Set up" })];
  const asking = (label: string) => [entry("SETUP", "Wizard", 3, { label })];

  test("goes from question to question until the field is called as before", () => {
    const machine = Machine.ready(idle).feed({ type: "field.act" });
    expect(machine.effects).toContainEqual({ type: "send-action", key: "Wizard", value: "" });
    machine.feed({ type: "state.loaded", entries: asking("Your name") });
    expect(machine.state.editing).toMatchObject({ kind: "wizard", phase: "asking" });
    machine.forget().feed({ type: "input.submit", text: "Ada" });
    expect(machine.effects).toContainEqual({ type: "send-action", key: "Wizard", value: "Ada" });
    expect(machine.state.editing).toMatchObject({ phase: "waiting" });
    machine.feed({ type: "state.loaded", entries: asking("Your town") });
    expect(machine.state.editing).toMatchObject({ phase: "asking", answers: 1 });
    machine.feed({ type: "input.submit", text: "London" }, { type: "state.loaded", entries: idle });
    expect(machine.state.editing).toBeNull();
  });

  test("an answer that was refused can be given again", () => {
    const machine = Machine.ready(idle).feed(
      { type: "field.act" },
      { type: "state.loaded", entries: asking("Your name") },
      { type: "input.submit", text: "?" },
      { type: "line.logged", entry: line("SETUP", "Wizard", "error: letters only", { type: ERROR }) },
    );
    expect(machine.state.editing).toMatchObject({ phase: "asking" });
    expect(machine.state.notice?.text).toBe("letters only");
  });

  test("a refusal that is told twice keeps no text of the answer before in the line of the next question", () => {
    const machine = Machine.ready(idle).feed(
      { type: "field.act" },
      { type: "state.loaded", entries: asking("Your name") },
      { type: "input.submit", text: "?" },
      { type: "line.logged", entry: line("SETUP", "Wizard", "error: letters only", { type: ERROR }) },
      { type: "input.submit", text: "Ada" },
      { type: "action.refused", key: "Wizard", reason: "letters only" },
    );
    machine.forget().feed({ type: "state.loaded", entries: asking("Your town") });
    expect(machine.effects).toContainEqual({ type: "open-input", preset: "", hint: "" });
    expect(machine.state.editing).toMatchObject({ phase: "asking", question: "Your town" });
  });

  test("esc leaves it, and its handler hears of it", () => {
    const machine = Machine.ready(idle).feed({ type: "field.act" }).forget().feed({ type: "input.cancel" });
    expect(machine.state.editing).toBeNull();
    expect(machine.effects).toEqual([{ type: "cancel-action", key: "Wizard" }]);
  });

  test("without any news the user may go on by himself", () => {
    const machine = Machine.ready(idle).feed({ type: "field.act" });
    machine.nowMs = 60_000;
    machine.feed({ type: "clock" });
    expect(machine.state.editing).toMatchObject({ phase: "asking" });
  });
});

describe("going about", () => {
  test("tabs go round, the help is the last of them, and leads back where one was", () => {
    const machine = Machine.ready().feed({ type: "tab.step", by: -1 });
    expect(machine.state.active).toEqual({ kind: "help" });
    machine.feed({ type: "tab.step", by: 1 }, { type: "tab.step", by: 1 }, { type: "help.toggle" });
    expect(machine.state.active).toEqual({ kind: "help" });
    machine.feed({ type: "help.toggle" });
    expect(machine.state.active).toEqual({ kind: "daemon", title: "SERVER" });
  });

  test("a shortcut works from every tab and brings its field to the front", () => {
    const machine = Machine.ready().feed({ type: "tab.step", by: -1 }, { type: "shortcut.press", key: "r" });
    expect(machine.state.active).toEqual({ kind: "daemon", title: "BUILD" });
    expect(focusedField(machine.state)?.name).toBe("Restart");
    expect(machine.effects).toEqual([
      { type: "tell-tab", title: "BUILD" },
      { type: "send-action", key: "r", value: "" },
    ]);
  });

  describe("where nothing can be done but talk to an agent", () => {
    const bare = [entry("DAEMON", "daemon", 0, { value: "up" })];
    const sessions = [{ id: "s1", name: "claude", state: "running" as const }];
    const inSession = { kind: "session", id: "s1" };

    test.each([
      [
        "the state comes first",
        [{ type: "state.loaded", entries: bare } as const, { type: "sessions.loaded", sessions } as const],
      ],
      [
        "the sessions come first",
        [{ type: "sessions.loaded", sessions } as const, { type: "state.loaded", entries: bare } as const],
      ],
    ])("one begins at the agent, when %s", (_, events) => {
      expect(new Machine().feed({ type: "connected" }, ...events).state.active).toEqual(inSession);
    });

    test("a session that comes later takes no one away from where he is", () => {
      const machine = Machine.ready(bare).feed({ type: "sessions.loaded", sessions: [] });
      expect(machine.feed({ type: "sessions.loaded", sessions }).state.active).toEqual({
        kind: "daemon",
        title: "DAEMON",
      });
    });

    test("a daemon with something to do comes first", () => {
      expect(Machine.ready().feed({ type: "sessions.loaded", sessions }).state.active).toEqual({
        kind: "daemon",
        title: "BUILD",
      });
    });
  });

  test("the daemon is told which of its tabs is in front, when that changes and when it is there again", () => {
    const machine = Machine.ready().forget().feed({ type: "tab.step", by: 1 }, { type: "state.changed" });
    expect(machine.effects).toContainEqual({ type: "tell-tab", title: "SERVER" });
    machine.forget().feed({ type: "help.toggle" }, { type: "connected" });
    expect(machine.effects.filter(({ type }) => type === "tell-tab")).toEqual([]);
    machine.feed({ type: "help.toggle" }).forget().feed({ type: "connected" });
    expect(machine.effects).toContainEqual({ type: "tell-tab", title: "SERVER" });
  });

  test.each([
    ["Restart", "Restart", ""],
    ["Mode production", "Mode", "production"],
    ["Mode two words", "Mode", "two words"],
    ["a name with blanks now", "a name with blanks", "now"],
    ["nobody knows", "nobody", "knows"],
  ])("the action %j is sent as %j with %j", (text, key, value) => {
    const machine = Machine.ready([...buildState, entry("X", "a name with blanks", 1)]);
    machine.feed({ type: "action.enter" }).forget().feed({ type: "input.submit", text });
    expect(machine.effects).toEqual([{ type: "send-action", key, value }]);
  });

  test("whatever happens in whatever order, somebody is in front and nothing breaks", () => {
    const text = fc.constantFrom("", "a", "production", "Mode x");
    const states = fc.constantFrom(buildState, [], null, buildState.slice(3), [entry("SETUP", "Wizard", 3)]);
    const event: fc.Arbitrary<AttachEvent> = fc.oneof(
      fc.constantFrom<AttachEvent>(
        { type: "connected" },
        { type: "disconnected", retryInMs: 250 },
        { type: "state.changed" },
        { type: "clock" },
        { type: "field.act" },
        { type: "field.step", by: 1 },
        { type: "tab.step", by: -1 },
        { type: "help.toggle" },
        { type: "action.enter" },
        { type: "input.cancel" },
        { type: "logs.toggle" },
        { type: "action.refused", key: "Mode", reason: "no" },
        { type: "line.logged", entry: line("BUILD", "Mode", "error: x", { type: ERROR }) },
        { type: "sessions.loaded", sessions: [{ id: "s", name: "claude", state: "running" }] },
        { type: "sessions.loaded", sessions: [] },
      ),
      states.map((entries): AttachEvent => ({ type: "state.loaded", entries })),
      text.map((words): AttachEvent => ({ type: "input.submit", text: words })),
      fc.constantFrom("r", "p", "z").map((key): AttachEvent => ({ type: "shortcut.press", key })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { state } = Machine.ready().feed(...events);
        expect(tabPlaces(state)).toContainEqual(state.active);
        const tab = activeTab(state);
        if (tab !== null && tab.fields.length > 0) expect(tab.fields.map(({ key }) => key)).toContain(tab.focus);
      }),
    );
  });
});

function changed(name: string, value: string) {
  return buildState.map((one) => (one.handler_name === name ? { ...one, value } : one));
}
