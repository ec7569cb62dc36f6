// One suite for every surface a daemon program can run on: without a screen and in a test. A program written against the
// contract must not notice the difference.
import { describe, expect, test } from "vitest";
import type { HandlerLog } from "../../../src/server/handlers/handler.js";
import { HeadlessTui } from "../../../src/server/handlers/headless-tui.js";
import type { TabSection, Tui } from "../../../src/server/handlers/tui.js";
import { MockTui } from "../../rigs/daemon/mock-tui.js";

const methods = [
  "newTabSection",
  "addHandler",
  "start",
  "refreshUI",
  "returnFocus",
  "setActiveTab",
  "getHandlerStates",
  "dispatchAction",
  "shutdown",
] as const satisfies readonly (keyof Tui)[];

const display = (name: string) => ({ name: () => name, content: () => "shown" });
const codeOf = (act: () => void) => {
  try {
    act();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return "nothing was thrown";
};

describe.each<[string, () => Tui]>([
  ["HeadlessTui", () => new HeadlessTui()],
  ["MockTui", () => new MockTui()],
])("%s", (_name, create) => {
  test("has every method of the contract", () => {
    const tui = create();
    for (const method of methods) expect(tui[method]).toBeTypeOf("function");
  });

  test("gives out tab handles that reveal nothing and are never the same", () => {
    const tui = create();
    const handle = tui.newTabSection("BUILD", "everything about building");
    expect(Reflect.ownKeys(handle)).toEqual([]);
    expect(JSON.stringify(handle)).toBe("{}");
    expect(() => Object.assign(handle, { title: "forged" })).toThrow(TypeError);
    expect(tui.newTabSection("BUILD", "everything about building")).not.toBe(handle);
  });

  test("tells a missing handle, a foreign object and another surface's handle apart", () => {
    const tui = create();
    const foreign = create().newTabSection("BUILD", "");
    const cases: [unknown, string][] = [
      [null, "section_missing"],
      [undefined, "section_missing"],
      [{}, "section_unknown"],
      ["BUILD", "section_unknown"],
      [foreign, "section_foreign"],
    ];
    for (const [handle, code] of cases) {
      expect(codeOf(() => tui.addHandler(display("a"), "", handle as TabSection))).toBe(code);
      expect(codeOf(() => tui.setActiveTab(handle as TabSection))).toBe(code);
    }
    expect(() => tui.addHandler(display("a"), "", foreign)).toThrow(/"BUILD" belongs to another surface/);
  });

  test("refuses an object that is no handler", () => {
    const tui = create();
    const section = tui.newTabSection("BUILD", "");
    const nameless = { content: () => "x" } as unknown as Parameters<Tui["addHandler"]>[0];
    expect(codeOf(() => tui.addHandler(nameless, "", section))).toBe("handler_unknown");
  });

  test("hands a handler its log once, whatever kind it is", () => {
    const tui = create();
    const section = tui.newTabSection("BUILD", "");
    const logs: HandlerLog[] = [];
    const setLog = (log: HandlerLog) => logs.push(log);
    tui.addHandler({ ...display("a"), setLog }, "", section);
    tui.addHandler({ name: () => "b", setLog }, "", section);
    expect(logs).toHaveLength(2);
    expect(logs.map((log) => log("hello", 1))).toEqual([undefined, undefined]);
  });

  test("tells the handlers of a tab once that it came to the front", async () => {
    const tui = create();
    const [build, other] = [tui.newTabSection("BUILD", ""), tui.newTabSection("OTHER", "")];
    const heard: string[] = [];
    const active = (name: string) => ({ ...display(name), onTabActive: () => void heard.push(name) });
    tui.addHandler(active("a"), "", build);
    tui.addHandler(active("b"), "", other);
    tui.setActiveTab(build);
    tui.setActiveTab(build);
    await expect.poll(() => heard).toEqual(["a"]);
    tui.setActiveTab(other);
    tui.setActiveTab(build);
    await expect.poll(() => heard).toEqual(["a", "b"]);
  });

  test("returns at once from what only announces something", () => {
    const tui = create();
    expect([tui.refreshUI(), tui.returnFocus()]).toEqual([undefined, undefined]);
  });

  test("never dispatches an empty or unknown key", () => {
    const tui = create();
    tui.addHandler(display("a"), "", tui.newTabSection("BUILD", ""));
    expect([tui.dispatchAction("", ""), tui.dispatchAction("nobody", "1")]).toEqual([false, false]);
  });

  test("ends its start by a shutdown, which may be called twice", async () => {
    const tui = create();
    const started = tui.start();
    await tui.shutdown();
    await tui.shutdown();
    await expect(started).resolves.toBeUndefined();
  });
});

test("a surface that leaves a method out does not compile", () => {
  const { shutdown, ...rest } = Object.fromEntries(
    methods.map((method) => [method, () => undefined]),
  ) as unknown as Tui;
  // @ts-expect-error shutdown is missing, which the compiler has to notice
  const incomplete: Tui = rest;
  expect(Object.keys(incomplete).length + [shutdown].length).toBe(methods.length);
});
