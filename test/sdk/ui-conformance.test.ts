// One suite for every adapter of the UI contract. What needs somebody at the other end is left out, by name, for the
// adapter that has nobody there.
import { describe, expect, test } from "vitest";
import { createContext } from "../../src/sdk/context.js";
import { UiError } from "../../src/sdk/errors.js";
import type { DialogOptions, UI } from "../../src/sdk/ui.js";
import { verifies } from "../verifies.js";
import { adapters, type Rig } from "./adapters.js";

const options = [
  { label: "npm", value: "npm" },
  { label: "pnpm", value: "pnpm", description: "fastest here" },
];

type Dialog = {
  kind: string;
  /** Its name on the wire, when that is another. */
  method?: string;
  /** Wishes it always has. */
  opts?: object;
  open(ui: UI, options?: DialogOptions): Promise<unknown>;
  answers: unknown[];
  cancelled: unknown;
  wrong: unknown[];
};

const dialogs: Dialog[] = [
  {
    kind: "select",
    open: (ui, opts) => ui.select({ title: "T", options }, opts),
    answers: ["npm", "pnpm"],
    cancelled: null,
    wrong: ["yarn", 7, true, { a: 1 }],
  },
  {
    kind: "confirm",
    open: (ui, opts) => ui.confirm({ title: "T", message: "M" }, opts),
    answers: [true, false],
    cancelled: false,
    wrong: ["yes", 1, {}],
  },
  {
    kind: "input",
    open: (ui, opts) => ui.input({ title: "T", placeholder: "P" }, opts),
    answers: ["", "héllo 😀"],
    cancelled: null,
    wrong: [7, false, []],
  },
  {
    kind: "editor",
    open: (ui, opts) => ui.editor({ title: "T", prefill: "P" }, opts),
    answers: ["", "a\nb\n"],
    cancelled: null,
    wrong: [7, false, {}],
  },
  {
    kind: "multiSelect",
    method: "select",
    opts: { multiple: true },
    open: (ui, opts) => ui.multiSelect({ title: "T", options }, opts),
    answers: [[], ["npm"], ["pnpm", "npm"]],
    cancelled: null,
    wrong: [["npm", "yarn"], "yarn", [7], {}],
  },
  {
    kind: "form",
    open: (ui, opts) => ui.form({ title: "T", fields: { n: { label: "N", kind: "text" } } }, opts),
    answers: [{ n: "x" }, {}],
    cancelled: null,
    wrong: ["x", ["x"], true],
  },
  {
    kind: "files",
    open: (ui, opts) => ui.files({ title: "T", folder: "src" }, opts),
    answers: [["a.ts"], ["lib/b.ts"], ["lib/"]],
    cancelled: null,
    wrong: [["a.ts", "b.ts"], [], [7], ["../a.ts"], ["/etc/passwd"], ["lib/../../a.ts"], {}, true],
  },
  {
    kind: "several files",
    method: "files",
    opts: { multiple: true },
    open: (ui, opts) => ui.files({ title: "T", multiple: true }, opts),
    answers: [[], ["a.ts"], ["b.ts", "lib/a.ts"]],
    cancelled: null,
    wrong: [["a.ts", "..\\b.ts"], ["C:\\a.ts"], [""], ["a\0"], Array.from({ length: 501 }, (_, at) => `${at}.ts`)],
  },
];

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => `resolved ${JSON.stringify(value)}`,
    (error: unknown) => (error instanceof UiError ? error.code : `not a UiError: ${String(error)}`),
  );

describe.each(adapters)("the $name adapter", ({ name, answers, open }) => {
  const personTest = test.skipIf(answers === "nobody");

  test("says whether anybody is there", () => {
    expect(open().ui.hasUI).toBe(answers === "person");
  });

  test("has the same calls when it is wrapped in a context", async () => {
    const { ui } = open();
    const context = createContext(ui);
    expect(
      Object.keys(context)
        .filter((key) => key !== "use")
        .sort(),
    ).toEqual(
      Object.keys(ui)
        .filter((key) => key in context)
        .sort(),
    );
    expect(context.hasUI).toBe(ui.hasUI);
    context.setEditorText("draft");
    expect(context.getEditorText()).toBe(ui.getEditorText());
  });

  test.skipIf(answers === "person").each(dialogs)(
    "$kind is cancelled at once when nobody is there",
    async ({ open: ask, cancelled }) => {
      verifies("asks.cancel-is-a-value");
      expect(await ask(open().ui)).toBe(cancelled);
      expect(open().ui.getEditorText()).toBe("");
    },
  );

  describe.each(dialogs)("$kind", ({ kind, method = kind, opts = {}, open: ask, answers: good, cancelled, wrong }) => {
    personTest("resolves to what the user gave", async () => {
      verifies("sdk.dialogs-return-values");
      for (const value of good) {
        const rig = open();
        const answer = ask(rig.ui);
        const request = await rig.nextRequest();
        expect(request.method).toBe(method);
        rig.answer(request.id, value);
        expect(await answer).toEqual(value);
        expect(rig.timers.waiting).toBe(0);
      }
    });

    personTest("resolves when the user cancels", async () => {
      const rig = open();
      const answer = ask(rig.ui);
      rig.answer((await rig.nextRequest()).id, null);
      expect(await answer).toBe(cancelled);
    });

    personTest("rejects an answer that does not fit", async () => {
      for (const value of wrong) {
        const rig = open();
        const answer = codeOf(ask(rig.ui));
        rig.answer((await rig.nextRequest()).id, value);
        expect(await answer).toBe("invalid_response");
      }
    });

    personTest("rejects an answer with neither result nor error, and passes an error on", async () => {
      const rig = open();
      const first = codeOf(ask(rig.ui));
      rig.answerNothing((await rig.nextRequest()).id);
      expect(await first).toBe("invalid_response");
      const second = ask(rig.ui);
      rig.answerError((await rig.nextRequest()).id, "the window is on fire");
      await expect(second).rejects.toThrow("the window is on fire");
    });

    personTest("gives up at the time it told the other side, and withdraws the question", async () => {
      const rig = open();
      const answer = codeOf(ask(rig.ui, { timeoutMs: 1_234 }));
      const { id, timeoutMs } = await rig.nextRequest();
      expect(timeoutMs).toBe(1_234);
      rig.timers.advance(1_233);
      expect(rig.timers.waiting).toBe(1);
      rig.timers.advance(1);
      expect(await answer).toBe("timeout");
      expect((await rig.seen(2))[1]).toEqual({ kind: "cancel", id, reason: "timeout" });
    });

    personTest("is withdrawn and cancelled by its signal", async () => {
      const rig = open();
      const stop = new AbortController();
      const answer = ask(rig.ui, { signal: stop.signal });
      const { id } = await rig.nextRequest();
      stop.abort();
      expect(await answer).toBe(cancelled);
      expect((await rig.seen(2))[1]).toEqual({ kind: "cancel", id, reason: "aborted" });
      expect(rig.timers.waiting).toBe(0);
      expect(await ask(rig.ui, { signal: stop.signal })).toBe(cancelled);
      expect(await rig.seen(0)).toHaveLength(2);
    });

    personTest("sends its options as an object, without those of this side", async () => {
      const rig = open();
      void codeOf(ask(rig.ui));
      expect((await rig.nextRequest()).params.opts).toEqual(opts);
      void codeOf(ask(rig.ui, { timeoutMs: 5, signal: new AbortController().signal, toolCallId: "c1" }));
      expect((await rig.nextRequest()).params.opts).toEqual({ ...opts, tool_call_id: "c1" });
    });
  });

  personTest("says timeout, too, when the front end was the first to give up", async () => {
    const rig = open();
    const answer = codeOf(rig.ui.input({ title: "T" }, { timeoutMs: 1_000 }));
    rig.answerError((await rig.nextRequest()).id, "timeout");
    expect(await answer).toBe("timeout");
  });

  personTest("waits for its answer when nobody names a time", async () => {
    const rig = open();
    const long = rig.ui.input({ title: "T" });
    const { id, timeoutMs } = await rig.nextRequest();
    expect(timeoutMs).toBeUndefined();
    rig.timers.advance(1e12);
    rig.answer(id, "at last");
    expect(await long).toBe("at last");
  });

  personTest("answers out of order reach their own dialogs", async () => {
    const rig = open();
    const all = [1, 2, 3].map((number) => rig.ui.input({ title: `question ${number}` }));
    const requests = [await rig.nextRequest(), await rig.nextRequest(), await rig.nextRequest()];
    for (const { id, params } of requests.reverse()) rig.answer(id, `to ${String(params.title)}`);
    expect(await Promise.all(all)).toEqual(["to question 1", "to question 2", "to question 3"]);
  });

  personTest("late, double, unknown and null ids and broken lines are ignored", async () => {
    const rig = open();
    const answer = rig.ui.input({ title: "T" });
    const { id } = await rig.nextRequest();
    rig.answer("never-asked", "x");
    rig.answer(null, "x");
    rig.say("{broken");
    rig.say("[]");
    rig.say('"text"');
    rig.answer(id, "first");
    rig.answer(id, "second");
    expect(await answer).toBe("first");
    const next = rig.ui.input({ title: "T" });
    rig.answer((await rig.nextRequest()).id, "third");
    expect(await next).toBe("third");
  });

  personTest("an answer of ten megabytes arrives whole", async () => {
    const rig = open();
    const answer = rig.ui.editor({ title: "T" });
    const text = "0123456789é😀\n".repeat(700_000);
    rig.answer((await rig.nextRequest()).id, text);
    expect((await answer) === text).toBe(true);
  });

  personTest("a burst of ten thousand questions is answered, each with its own answer", async () => {
    const rig = open();
    const all = Array.from({ length: 10_000 }, (_, index) => rig.ui.input({ title: `${index}` }));
    const seen = await rig.seen(10_000);
    for (const entry of seen) if (entry.kind === "request") rig.answer(entry.id, entry.params.title);
    expect(await Promise.all(all)).toEqual(Array.from({ length: 10_000 }, (_, index) => `${index}`));
    expect(rig.timers.waiting).toBe(0);
  });

  personTest("the end of the connection settles every dialog, later ones at once; signals still go out", async () => {
    const rig = open();
    const waiting = dialogs.map((dialog) => codeOf(dialog.open(rig.ui)));
    await rig.seen(dialogs.length);
    rig.disconnect();
    expect(await Promise.all(waiting)).toEqual(Array(dialogs.length).fill("connection_closed"));
    expect(await codeOf(rig.ui.confirm({ title: "T" }))).toBe("connection_closed");
    rig.ui.notify("still here");
    expect((await rig.seen(5)).at(-1)).toMatchObject({ kind: "signal", params: { message: "still here" } });
    expect(rig.timers.waiting).toBe(0);
  });

  personTest("a shutdown settles every dialog and withdraws it", async () => {
    const rig = open();
    const waiting = dialogs.map((dialog) => codeOf(dialog.open(rig.ui)));
    await rig.seen(dialogs.length);
    rig.shutdown();
    expect(await Promise.all(waiting)).toEqual(Array(dialogs.length).fill("server_shutdown"));
    const cancels = (await rig.seen(2 * dialogs.length)).filter((entry) => entry.kind === "cancel");
    expect(cancels.map(({ reason }) => reason)).toEqual(Array(dialogs.length).fill("shutdown"));
    expect(await codeOf(rig.ui.input({ title: "T" }))).toBe("server_shutdown");
  });

  test("signals return at once, and the editor's text is answered from here", async () => {
    const rig = open();
    setEverything(rig.ui);
    expect(rig.ui.getEditorText()).toBe(answers === "person" ? "draft" : "");
    const seen = await rig.seen(answers === "person" ? 7 : 2);
    expect(seen.map((entry) => (entry.kind === "signal" ? entry.params : entry))).toEqual(signalsOn[name]);
  });
});

const onAnyWire = [
  { key: "branch", text: "main" },
  { key: "plan", content: ["1 read", "2 edit"], opts: { placement: "below" } },
  { key: "plan", content: null, opts: {} },
  { message: "reading" },
  { title: "parser" },
  { text: "draft" },
];

const signalsOn: Record<string, unknown[]> = {
  rpc: [{ message: "careful", level: "warn" }, ...onAnyWire],
  lines: [{ message: "careful", level: "warn" }, ...onAnyWire],
  headless: [
    { level: "warn", message: "careful" },
    { level: "debug", message: "reading" },
  ],
};

function setEverything(ui: Rig["ui"]): void {
  ui.notify("careful", "warn");
  ui.setStatus("branch", "main");
  ui.setWidget("plan", ["1 read", "2 edit"], { placement: "below" });
  ui.setWidget("plan", null);
  ui.setWorkingMessage("reading");
  ui.setTitle("parser");
  ui.setEditorText("draft");
}
