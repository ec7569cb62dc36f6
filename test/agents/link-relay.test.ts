// A link whose agent is started again inside of it: the front end sees one link, and it ends once.
import { expect, test } from "vitest";
import type { AgentExit } from "../../src/agents/agent-process.js";
import type { SessionLink } from "../../src/agents/dialect-link.js";
import { awaitedLink, restartableLink } from "../../src/agents/link-relay.js";

const exit = (code: number): AgentExit => ({ code, signal: null, error: null, stderrTail: "" });

/** Every process that was started, by its wish; each ends when it is told to, with its own number. */
function stage() {
  const opened: {
    wish: string | null;
    restart: (wish: string) => void;
    end: () => void;
    sent: unknown[];
    flows: string[];
  }[] = [];
  const link = restartableLink<string>((wish, restart): SessionLink => {
    const number = opened.length;
    const sent: unknown[] = [];
    const flows: string[] = [];
    let end: () => void = () => undefined;
    const exited = new Promise<AgentExit>((resolve) => {
      end = () => resolve(exit(number));
    });
    opened.push({ wish, restart, end, sent, flows });
    const stop = async () => {
      end();
      return exited;
    };
    return {
      send: (command) => (sent.push(command) > 0 ? "delivered" : "lost"),
      setFlow: (flow) => void flows.push(flow),
      exited,
      stop,
    };
  });
  return { link, opened };
}

test("what is sent goes to the process that runs now, and the end is that of the last one", async () => {
  const { link, opened } = stage();
  opened[0]?.restart("with a key");
  await expect.poll(() => opened.map(({ wish }) => wish)).toEqual([null, "with a key"]);
  link.send({ type: "ping" });
  expect(opened.map(({ sent }) => sent.length)).toEqual([0, 1]);
  opened[1]?.end();
  expect(await link.exited).toEqual(exit(1));
});

test("a link that was stopped starts no new process, also when one was requested just before", async () => {
  const { link, opened } = stage();
  opened[0]?.restart("with a key");
  expect(await link.stop()).toEqual(exit(0));
  expect(opened).toHaveLength(1);
});

test("an agent that is started again while its front end is behind is held back at once", async () => {
  const { link, opened } = stage();
  link.setFlow("paused");
  opened[0]?.restart("with a key");
  await expect.poll(() => opened.map(({ flows }) => flows)).toEqual([["paused"], ["paused"]]);
  link.setFlow("flowing");
  expect(opened[1]?.flows).toEqual(["paused", "flowing"]);
});

test("what is sent before there is an agent reaches it, in order and under the same brake", async () => {
  const { link: agent, opened } = stage();
  const link = awaitedLink(Promise.resolve(agent));
  link.setFlow("paused");
  const sent = [link.send({ type: "ping" }), link.send({ type: "quit" })];
  expect(await Promise.all(sent)).toEqual(["delivered", "delivered"]);
  await expect.poll(() => opened[0]?.sent).toEqual([{ type: "ping" }, { type: "quit" }]);
  expect(opened[0]?.flows).toEqual(["paused"]);
});

test("what a front end sends in answer to an early command comes after the other early commands", async () => {
  const sent: string[] = [];
  let link: SessionLink | null = null;
  const target: SessionLink = {
    send(command) {
      sent.push(command.type);
      if (command.type === "ping") link?.send({ type: "abort" });
      return "delivered";
    },
    setFlow: () => undefined,
    exited: Promise.resolve(exit(0)),
    stop: () => Promise.resolve(exit(0)),
  };
  link = awaitedLink(Promise.resolve(target));
  link.send({ type: "ping" });
  await link.send({ type: "stats" });
  expect(sent).toEqual(["ping", "stats", "abort"]);
});
