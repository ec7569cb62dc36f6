// The agent behind a terminal session: started again when it wants that, left when it wants nothing else, and its end told.
import { expect, test } from "vitest";
import type { AgentExit } from "../../src/agents/agent-process.js";
import type { SessionLink } from "../../src/agents/dialect-link.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { AgentConnection } from "../../src/host/agent-connection.js";
import { ManualClock } from "../rigs/simulator/manual-clock.js";

class Rig {
  readonly clock = new ManualClock();
  readonly said: string[] = [];
  readonly endings: ("well" | "badly")[] = [];
  starts = 0;
  /** Why the agent cannot be started now. */
  problem: Error | null = null;
  private hear: (event: SessionEvent) => void = () => undefined;
  private exit: (exit: AgentExit) => void = () => undefined;

  readonly connection = new AgentConnection(
    {
      name: "wren",
      openLink: ({ onEvent }) => {
        this.hear = onEvent;
        return this.problem === null ? this.link() : Promise.reject(this.problem);
      },
    },
    { clock: this.clock, onHeard: () => undefined },
  );

  constructor() {
    this.connection.source.subscribe((changes) => {
      for (const change of changes) {
        if (change.type !== "agent") continue;
        this.said.push(...change.words);
        if (change.change === "closed") this.endings.push(change.isWell ? "well" : "badly");
      }
    });
  }

  prompt(): void {
    const command = { type: "prompt", text: "hi" } as const;
    this.connection.source.dispatch({ type: "command", command });
  }

  isReady(): void {
    this.hear({ type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" });
  }

  hears(...types: ("prompt.started" | "prompt.finished")[]): void {
    for (const type of types) this.hear({ type, sessionId: null });
  }

  async ends(code: number, afterMs: number, stderrTail = ""): Promise<void> {
    this.clock.advance(afterMs);
    this.exit({ code, signal: null, error: null, stderrTail });
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }

  async restart(): Promise<void> {
    this.connection.restart();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }

  private link() {
    this.starts += 1;
    const exited = new Promise<AgentExit>((resolve) => {
      this.exit = resolve;
    });
    return { send: () => "delivered" as const, setFlow: () => undefined, exited, stop: () => exited };
  }
}

test("an agent that asks to be started again at once, again and again, is left with words", async () => {
  const rig = new Rig();
  await rig.connection.open();
  for (let round = 0; round < 20; round += 1) await rig.ends(75, 10);
  expect(rig.starts).toBe(4);
  expect(rig.said).toEqual([
    expect.stringContaining("wren ended with code 75"),
    "it asked for too many restarts, and is not running",
    "/restart to try again, /quit to exit",
  ]);
  await rig.restart();
  await rig.ends(75, 10);
  expect(rig.starts).toBe(6);
});

test("one that worked before it asks is always started again, without a word", async () => {
  const rig = new Rig();
  await rig.connection.open();
  for (let round = 0; round < 20; round += 1) await rig.ends(75, 5_000);
  expect(rig.starts).toBe(21);
  expect(rig.said).toEqual([]);
});

test.each<[when: string, work: (rig: Rig) => void, isTold: boolean]>([
  ["after its prompt was sent", (rig) => rig.prompt(), true],
  ["in the middle of its turn", (rig) => rig.hears("prompt.started"), true],
  ["in its second turn", (rig) => rig.hears("prompt.started", "prompt.finished", "prompt.started"), true],
  ["after its turn", (rig) => rig.hears("prompt.started", "prompt.finished"), false],
])("one that asks %s has its turn reported as cut off where there was one", async (_, work, isTold) => {
  const rig = new Rig();
  await rig.connection.open();
  work(rig);
  await rig.ends(75, 5_000);
  expect(rig.starts).toBe(2);
  expect(rig.said).toEqual(isTold ? ["the turn was cut off: wren ended with code 75 and is being restarted"] : []);
  await rig.ends(75, 5_000);
  expect(rig.said).toHaveLength(isTold ? 1 : 0);
});

test("a restart while the agent is being started waits for it: two never run at once", async () => {
  const clock = new ManualClock();
  const opened: ((link: SessionLink) => void)[] = [];
  const openLink = () => new Promise<SessionLink>((resolve) => opened.push(resolve));
  const connection = new AgentConnection({ name: "wren", openLink }, { clock });
  const opening = connection.open();
  connection.restart();
  expect(opened).toHaveLength(1);
  let exit: (exit: AgentExit) => void = () => undefined;
  const exited = new Promise<AgentExit>((resolve) => (exit = resolve));
  const stopped = new Promise<void>((resolve) => {
    const stop = () => {
      resolve();
      return exited;
    };
    opened[0]?.({ send: () => "delivered", setFlow: () => undefined, exited, stop });
  });
  await Promise.all([opening, stopped]);
  expect(opened).toHaveLength(1);
  exit({ code: 0, signal: null, error: null, stderrTail: "" });
  await expect.poll(() => opened).toHaveLength(2);
});

test("two restarts while a start fails begin one agent, and the second waits for it", async () => {
  const opened: { resolve(link: SessionLink): void; reject(error: Error): void }[] = [];
  const openLink = () =>
    new Promise<SessionLink>((resolve, reject) => {
      opened.push({ resolve, reject });
    });
  const connection = new AgentConnection({ name: "wren", openLink }, { clock: new ManualClock() });
  connection.start();
  connection.restart();
  connection.restart();
  opened[0]?.reject(new Error("there is no program wren"));
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(opened).toHaveLength(2);
});

test("a session can be left while its agent is being started, also when that fails just then", async () => {
  const clock = new ManualClock();
  let fail: (error: Error) => void = () => undefined;
  const openLink = () =>
    new Promise<SessionLink>((_, reject) => {
      fail = reject;
    });
  const connection = new AgentConnection({ name: "wren", openLink }, { clock });
  connection.start();
  const ended = connection.end("shutdown");
  fail(new Error("there is no program wren"));
  await expect(ended).resolves.toBeUndefined();
});

test("an agent that cannot be started again is told with the reason, and can be tried again", async () => {
  const rig = new Rig();
  await rig.connection.open();
  await rig.ends(1, 2_000);
  rig.problem = new Error("there is no program wren");
  await rig.restart();
  expect(rig.said).toContain("wren could not be started: there is no program wren");
  rig.problem = null;
  await rig.restart();
  expect(rig.starts).toBe(2);
});

test("the line that names the error is told, not the last one", async () => {
  const rig = new Rig();
  await rig.connection.open();
  await rig.ends(
    1,
    2_000,
    "Error: Cannot find package 'palaver'\n    at a (b:1)\n  code: 'X'\n}\n\nNode.js v20.20.2\n",
  );
  expect(rig.said).toContain("Error: Cannot find package 'palaver'");
  expect(rig.said.join()).not.toContain("Node.js");
});

test("an agent ends well with code 0, when it was ready and not in the middle of a turn", async () => {
  const rig = new Rig();
  const rounds: (() => void)[] = [
    () => undefined,
    () => rig.isReady(),
    () => {
      rig.isReady();
      rig.hears("prompt.started");
    },
    () => {
      rig.isReady();
      rig.hears("prompt.started", "prompt.finished");
    },
  ];
  for (const round of rounds) {
    await rig.connection.open();
    round();
    await rig.ends(0, 10);
  }
  await rig.connection.open();
  rig.isReady();
  await rig.ends(7, 10);
  expect(rig.endings).toEqual(["badly", "well", "badly", "well", "badly"]);
});
