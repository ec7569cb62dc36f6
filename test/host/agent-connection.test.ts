// The agent behind a terminal session: started again when it wants that, left when it wants nothing else, and its end told.
import { expect, test } from "vitest";
import type { AgentExit } from "../../src/agents/agent-process.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { AgentConnection } from "../../src/host/agent-connection.js";
import { ManualClock } from "../rigs/simulator/manual-clock.js";

class Rig {
  readonly clock = new ManualClock();
  readonly said: string[] = [];
  readonly endings: ("well" | "badly")[] = [];
  starts = 0;
  private hear: (event: SessionEvent) => void = () => undefined;
  private exit: (exit: AgentExit) => void = () => undefined;

  readonly connection = new AgentConnection(
    {
      name: "wren",
      openLink: ({ onEvent }) => {
        this.hear = onEvent;
        return this.link();
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
