// The state a daemon serves and the actions it takes: exact entries, never old, never lost because of a neighbour.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stateSchema } from "../../../src/contract/daemon.js";
import type { Handler } from "../../../src/server/handlers/handler.js";
import { HeadlessTui } from "../../../src/server/handlers/headless-tui.js";

function tuiWith(...tabs: [title: string, handlers: Handler[]][]): HeadlessTui {
  const tui = new HeadlessTui();
  for (const [title, handlers] of tabs) {
    const section = tui.newTabSection(title, "");
    for (const handler of handlers) tui.addHandler(handler, "#00ADD8", section);
  }
  return tui;
}

class Size {
  current = "M";
  private readonly id: string;
  constructor(id = "WASM") {
    this.id = id;
  }
  name() {
    return this.id;
  }
  label() {
    return "Compiler size";
  }
  value() {
    return this.current;
  }
  change(value: string) {
    this.current = value;
  }
  shortcuts() {
    return [{ L: "Large" }, { M: "Medium" }, { S: "Small" }];
  }
}

const runner = (name: string, execute: () => void | Promise<void>) => ({
  name: () => name,
  label: () => name,
  execute,
});
const contents = (tui: HeadlessTui) => {
  const all: string[] = [];
  for (let seq = tui.logs.firstSeq; seq < tui.logs.endSeq; seq += 1)
    all.push(tui.logs.lineAt(seq)?.entry.content ?? "");
  return all;
};

describe("state", () => {
  test("has the published fields in the published order", () => {
    const tui = tuiWith(["BUILD", [new Size(), runner("Rebuild", () => {})]]);
    expect(JSON.stringify(tui.getHandlerStates())).toBe(
      '[{"tab_title":"BUILD","handler_name":"WASM","handler_color":"#00ADD8","handler_type":1,"label":"Compiler size",' +
        '"value":"M","shortcut":"WASM","shortcuts":[{"L":"Large"},{"M":"Medium"},{"S":"Small"}]},' +
        '{"tab_title":"BUILD","handler_name":"Rebuild","handler_color":"#00ADD8","handler_type":2,"label":"Rebuild",' +
        '"value":"","shortcut":"Rebuild","shortcuts":null}]',
    );
  });

  test("has null for no shortcuts, and null and an empty list are read alike", () => {
    const size = new Size();
    size.shortcuts = () => [];
    const [entry] = tuiWith(["BUILD", [size]]).getHandlerStates();
    expect(entry?.shortcuts).toBeNull();
    const read = [null, []].map((shortcuts) => stateSchema.parse([{ ...entry, shortcuts }])[0]?.shortcuts ?? []);
    expect(read).toEqual([[], []]);
  });

  test("shows a display handler with its content as the value", () => {
    const tui = tuiWith(["HELP", [{ name: () => "about", content: () => "a daemon" }]]);
    expect(tui.getHandlerStates()).toMatchObject([
      { handler_type: 0, handler_name: "about", label: "", value: "a daemon" },
    ]);
  });

  test("asks for label and value when it is read, not when a handler is added", () => {
    const size = new Size();
    const tui = tuiWith(["BUILD", [size]]);
    const before = tui.getHandlerStates()[0];
    size.current = "L";
    expect([before?.value, tui.getHandlerStates()[0]?.value]).toEqual(["M", "L"]);
  });

  test("reports a handler that throws in its own entry and keeps the others", () => {
    const broken = new Size("broken");
    broken.value = () => {
      throw new Error("no disk");
    };
    broken.shortcuts = () => {
      throw new Error("no keys");
    };
    const tui = tuiWith(["BUILD", [new Size("first"), broken, new Size("last")]]);
    expect(tui.getHandlerStates().map(({ handler_name, value }) => [handler_name, value])).toEqual([
      ["first", "M"],
      ["broken", "error: no disk"],
      ["last", "M"],
    ]);
    expect(tui.getHandlerStates()[1]?.shortcuts).toBeNull();
  });

  test("does not take a promise for a text", () => {
    const later = { name: () => "later", content: (() => Promise.resolve("x")) as unknown as () => string };
    expect(tuiWith(["BUILD", [later]]).getHandlerStates()[0]?.value).toBe(
      "error: it must be text, not an object or a promise",
    );
  });

  test("keeps the order of registration over tabs", () => {
    const tui = new HeadlessTui();
    const [a, b] = [tui.newTabSection("A", ""), tui.newTabSection("B", "")];
    for (const [name, section] of [
      ["1", a],
      ["2", b],
      ["3", a],
    ] as const)
      tui.addHandler(new Size(name), "", section);
    expect(tui.getHandlerStates().map(({ handler_name }) => handler_name)).toEqual(["1", "2", "3"]);
  });
});

describe("actions", () => {
  test("find a handler by its name and by its shortcuts, minding upper and lower case", async () => {
    const size = new Size();
    const tui = tuiWith(["BUILD", [size]]);
    expect(["WASM", "L", "l", "wasm", "", "NonExistent"].map((key) => tui.dispatchAction(key, ""))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    await expect.poll(() => size.current).toBe("L");
    tui.dispatchAction("WASM", "S");
    await expect.poll(() => size.current).toBe("S");
  });

  test("find a name before a shortcut of somebody else", async () => {
    const [size, ran] = [new Size(), new Set<string>()];
    const tui = tuiWith(["BUILD", [size, runner("L", () => void ran.add("L"))]]);
    tui.dispatchAction("L", "");
    await expect.poll(() => [...ran]).toEqual(["L"]);
    expect(size.current).toBe("M");
  });

  test("reach namesakes in other tabs and in the same one by the key in their entries", async () => {
    const sizes = [new Size(), new Size(), new Size()] as const;
    const tui = tuiWith(["BUILD", [sizes[0]]], ["TEST", [sizes[1], sizes[2]]]);
    const keys = tui.getHandlerStates().map(({ shortcut }) => shortcut);
    expect(keys).toEqual(["WASM", "TEST/WASM", "TEST/WASM#2"]);
    keys.forEach((key, index) => void tui.dispatchAction(key, String(index)));
    await expect.poll(() => sizes.map(({ current }) => current)).toEqual(["0", "1", "2"]);
    tui.dispatchAction("BUILD/WASM", "again");
    await expect.poll(() => sizes[0].current).toBe("again");
  });

  test("never make the caller wait, and begin in the order in which they came", async () => {
    const order: string[] = [];
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tui = tuiWith([
      "BUILD",
      [
        runner("slow", async () => {
          order.push("slow begins");
          await held;
          order.push("slow ends");
        }),
        runner("fast", () => void order.push("fast")),
      ],
    ]);
    expect(tui.dispatchAction("slow", "")).toBe(true);
    expect(tui.dispatchAction("fast", "")).toBe(true);
    expect(order).toEqual([]);
    await expect.poll(() => order).toEqual(["slow begins", "fast"]);
    release();
    await expect.poll(() => order).toEqual(["slow begins", "fast", "slow ends"]);
  });

  test.each<[string, () => void | Promise<void>]>([
    [
      "throws",
      () => {
        throw new Error("no compiler");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no compiler"))],
  ])("a handler that %s is logged in its own name and harms nobody", async (_how, execute) => {
    const tui = tuiWith(["BUILD", [runner("Rebuild", execute)]]);
    expect(tui.dispatchAction("Rebuild", "")).toBe(true);
    await expect.poll(() => contents(tui)).toEqual(["error: no compiler"]);
    const line = tui.logs.lineAt(tui.logs.firstSeq)?.entry;
    expect(line).toMatchObject({ tab_title: "BUILD", handler_name: "Rebuild", handler_color: "#00ADD8", type: 2 });
  });

  test("tell clients that something changed when they are through", async () => {
    const tui = tuiWith(["BUILD", [runner("Rebuild", () => {})]]);
    const before = tui.logs.announcements().get("refresh") ?? 0;
    tui.dispatchAction("Rebuild", "");
    await expect.poll(() => tui.logs.announcements().get("refresh")).toBe(before + 1);
  });

  test("are refused when too many are under way", () => {
    const tui = tuiWith(["BUILD", [runner("hangs", () => new Promise(() => {}))]]);
    for (let count = 0; count < 1_000; count += 1) expect(tui.dispatchAction("hangs", "")).toBe(true);
    expect(() => tui.dispatchAction("hangs", "")).toThrow(/1000 actions are already running/);
  });

  test("a display handler has nothing to do", () => {
    const tui = tuiWith(["HELP", [{ name: () => "about", content: () => "" }]]);
    expect([tui.dispatchAction("about", ""), tui.cancelAction("about")]).toEqual([false, false]);
  });

  test("any set of handlers is listed whole, and each key reaches its own", async () => {
    const name = fc.constantFrom("a", "b", "T/a", "L", "T/a#2", "");
    const handlers = fc.array(fc.tuple(fc.constantFrom("T", "U", "V"), name), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(handlers, async (list) => {
        const tui = new HeadlessTui();
        const sizes = list.map(([tab, each]) => {
          const size = new Size(each);
          tui.addHandler(size, "", tui.newTabSection(tab, ""));
          return size;
        });
        const keys = tui.getHandlerStates().map(({ shortcut }) => shortcut);
        expect(new Set(keys).size).toBe(list.length);
        const taken = keys.map((key, index) => tui.dispatchAction(key, `value ${index}`));
        await new Promise((resolve) => setImmediate(resolve));
        sizes.forEach(({ current }, index) => {
          // A handler without a name cannot be called.
          expect(current).toBe(taken[index] ? `value ${index}` : "M");
          expect(taken[index]).toBe(keys[index] !== "");
        });
      }),
      { numRuns: 100 },
    );
  });
});
