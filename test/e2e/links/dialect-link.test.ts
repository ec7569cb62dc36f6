// The hands of every dialect: what the machine decides happens in the right order, effects come back, and the end is told
// once.
import { describe, expect, test } from "vitest";
import { type EffectHandler, openDialectLink, type SessionLink } from "../../../src/agents/dialect-link.js";
import type { Dialect, DialectStep } from "../../../src/agents/dialects/dialect.js";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";

type Wish = { type: "wish"; id: string };
type Step = Partial<DialectStep<Wish>>;

// Says back what it is told; the toy dialect below decides what that means.
const echo = 'process.stdin.on("data", (d) => process.stdout.write(d))';

function toyDialect(
  steps: Partial<
    Record<"open" | "read" | "command" | "performed" | "progressed" | "leave" | "close", (...args: never[]) => Step>
  >,
): Dialect<Wish> {
  const fill = (step: Step | undefined): DialectStep<Wish> => ({ events: [], frames: [], effects: [], ...step });
  const call =
    (name: keyof typeof steps) =>
    (...args: unknown[]) =>
      fill(steps[name]?.(...(args as never[])));
  return {
    open: call("open"),
    read: call("read"),
    command: call("command"),
    performed: call("performed"),
    progressed: call("progressed"),
    leave: call("leave"),
    close: call("close"),
  };
}

function said(message: string): SessionEvent {
  return { type: "notice.shown", sessionId: null, level: "info", message };
}

function start(
  dialect: Dialect<Wish>,
  performer: Partial<EffectHandler<Wish>> = {},
  onSaid: (message: string, link: SessionLink) => void = () => undefined,
) {
  const heard: string[] = [];
  const link: SessionLink = openDialectLink(
    { command: process.execPath, args: ["-e", echo] },
    () => dialect,
    { perform: async () => ({ ok: true, value: null }), close: () => undefined, ...performer },
    {
      onEvent: (event) => {
        const message = event.type === "notice.shown" ? event.message : event.type;
        heard.push(message);
        onSaid(message, link);
      },
      nowMs: () => 7,
    },
  );
  const until = (message: string) => expect.poll(() => heard, { timeout: 20_000 }).toContain(message);
  return { link, heard, until };
}

describe("the link of a dialect", () => {
  test("writes frames, reads lines, and tells what follows from an answer after what came before it", async () => {
    const dialect = toyDialect({
      open: () => ({ frames: [{ n: 1 }] }),
      read: ((decoded: { frame: { n: number } }) => ({
        events: [said(`first ${decoded.frame.n}`), said(`second ${decoded.frame.n}`)],
      })) as never,
      command: ((command: LinesCommand) => ({ events: [said(`command ${command.type}`)] })) as never,
    });
    const { link, heard, until } = start(dialect, {}, (message, open) => {
      if (message === "first 1") open.send({ type: "ping" });
    });
    await until("command ping");
    expect(heard).toEqual(["first 1", "second 1", "command ping"]);
    await link.stop();
  });

  test("performs effects, passes on what comes before their end, and turns a throw into a result", async () => {
    const dialect = toyDialect({
      open: () => ({
        effects: [
          { type: "wish", id: "good" },
          { type: "wish", id: "bad" },
          { type: "wait", id: "tick", delayMs: 1 },
        ],
      }),
      progressed: ((id: string, value: unknown) => ({ events: [said(`${id} so far ${value}`)] })) as never,
      performed: ((id: string, result: { ok: boolean }) => ({ events: [said(`${id} ${result.ok}`)] })) as never,
    });
    const { link, heard, until } = start(dialect, {
      perform: async ({ id }, report) => {
        if (id === "bad") throw new Error("broken");
        report(42);
        return { ok: true, value: null };
      },
    });
    await Promise.all([until("good true"), until("bad false"), until("tick true")]);
    expect(heard).toContain("good so far 42");
    await link.stop();
  });

  test("says goodbye before the input is closed, and tells the end once", async () => {
    let closed = 0;
    const dialect = toyDialect({
      leave: () => ({ frames: [{ bye: true }] }),
      read: ((decoded: { frame: object }) => ({ events: [said(JSON.stringify(decoded.frame))] })) as never,
      close: () => ({ events: [said("closed")], frames: [{ never: "sent" }] }),
    });
    const { link, heard } = start(dialect, {
      close: () => {
        closed += 1;
      },
    });
    const [exit] = await Promise.all([link.stop(), link.stop(), link.exited]);
    expect(exit).toMatchObject({ code: 0 });
    expect(heard).toEqual(['{"bye":true}', "closed"]);
    expect(closed).toBe(1);
    expect(await link.send({ type: "ping" })).toBe("lost");
  });

  test("stops the agent when the dialect hangs up", async () => {
    const { link, heard } = start(
      toyDialect({ open: () => ({ effects: [{ type: "hang-up" }] }), close: () => ({ events: [said("closed")] }) }),
    );
    await link.exited;
    expect(heard).toEqual(["closed"]);
  });
});
