// Questions left at a daemon, as the run that leaves them sees it: daemons that answer, refuse, die, come back and never do.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { RemoteAsk } from "../../src/cli/prompt/remote-ask.js";
import type { AskOutcome } from "../../src/contract/asks.js";
import { proved } from "../agents/daemon/proving.js";
import { createFakeTimers } from "../sdk/fake-timers.js";
import { askOf, nameQuestion } from "../views/mini/rig.js";

const NO_DAEMON = "no daemon runs";

/** A daemon of which the test decides what it says. */
async function startDaemon() {
  const visits: { body: unknown; response: ServerResponse }[] = [];
  const server: Server = createServer((request, response) => {
    if (proved(request, response, "t")) return;
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => visits.push({ body: JSON.parse(text), response }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const visit = async (nth: number) => {
    await expect.poll(() => visits.length, { timeout: 25_000 }).toBeGreaterThanOrEqual(nth);
    const found = visits[nth - 1];
    if (found === undefined) throw new Error("nobody came");
    return {
      ...found,
      say(name: string, data: unknown) {
        if (!found.response.headersSent) found.response.writeHead(200, { "content-type": "text/event-stream" });
        found.response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      },
    };
  };
  return { visit, address: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "t" } };
}

type Address = Awaited<ReturnType<typeof startDaemon>>["address"];

function createRoom(found: { address: Address | null }) {
  const timers = createFakeTimers();
  let now = 0;
  const clock = {
    nowMs: () => now,
    after: timers.after,
    advance(ms: number) {
      now += ms;
      timers.advance(ms);
    },
  };
  const left: string[] = [];
  const room = new RemoteAsk({
    clock,
    find: async () => found.address,
    shown: (ask) => ask,
    asker: () => "reconnects",
  });
  const leave = (deadlineMs: number | null = null) =>
    room.leave(askOf(nameQuestion, "q1", { deadlineMs }), (id) => left.push(id));
  return { clock, room, left, leave };
}

/** Keeps the clock going until something is so. */
async function whileTimePasses(clock: { advance(ms: number): void }, stepMs: number, work: Promise<unknown>) {
  let isDone = false;
  const done = work.then(
    () => (isDone = true),
    () => (isDone = true),
  );
  await expect
    .poll(
      () => {
        clock.advance(stepMs);
        return isDone;
      },
      { timeout: 25_000, interval: 5 },
    )
    .toBe(true);
  await done;
}

const answered: AskOutcome = { kind: "answered", value: "Ada", by: "web" };

describe("a question that waits at the daemon", () => {
  test("is answered there; what it needs to know about time goes along", async () => {
    const daemon = await startDaemon();
    const { leave, left, clock } = createRoom(daemon);
    clock.advance(1_000);
    const outcome = leave(5_000);
    const { say, body } = await daemon.visit(1);
    const origin = { kind: "agent" };
    const id = expect.stringMatching(/^p[0-9a-f]{16}$/);
    expect(body).toEqual({ question: nameQuestion, origin, timeout_ms: 4_000, history: "asker", id, returns: false });
    say("asked", { id: "p1" });
    await expect.poll(() => left).toEqual(["p1"]);
    say("settled", answered);
    expect(await outcome).toEqual(answered);
  });

  test("without a daemon it fails at once, with the words that say what to do", async () => {
    const { leave } = createRoom({ address: null });
    await expect(leave()).rejects.toThrow(NO_DAEMON);
  });

  test("a daemon that does not take it is quoted, one without questions is told apart", async () => {
    const daemon = await startDaemon();
    const { leave } = createRoom(daemon);
    const refused = leave();
    (await daemon.visit(1)).response.writeHead(413).end('{"error":"the body is too large"}');
    await expect(refused).rejects.toThrow("the body is too large");
    const old = leave();
    (await daemon.visit(2)).response.writeHead(405).end();
    await expect(old).rejects.toThrow("takes no questions");
  });

  test("taken back, the request ends", async () => {
    const daemon = await startDaemon();
    const { leave, left, room } = createRoom(daemon);
    const outcome = leave();
    const { say, response } = await daemon.visit(1);
    say("asked", { id: "p1" });
    await expect.poll(() => left).toEqual(["p1"]);
    const gone = new Promise((resolve) => response.on("close", resolve));
    room.withdraw("q1");
    await gone;
    expect((await outcome).kind).toBe("withdrawn");
  });

  test.each(["killed", "stopped"])(
    "a daemon that is %s is looked for again, and the question left there",
    async (how) => {
      const found: { address: Address | null } = { address: null };
      const first = await startDaemon();
      found.address = first.address;
      const { leave, left, clock } = createRoom(found);
      const outcome = leave();
      const { say, response } = await first.visit(1);
      say("asked", { id: "p1" });
      await expect.poll(() => left).toEqual(["p1"]);
      const second = await startDaemon();
      found.address = second.address;
      if (how === "killed") response.destroy();
      else {
        say("settled", { kind: "withdrawn", reason: "shutdown" });
        response.end();
      }
      const back = second.visit(1).then((visit) => {
        visit.say("asked", { id: "p2" });
        visit.say("settled", answered);
      });
      await whileTimePasses(clock, 250, back);
      expect(await outcome).toEqual(answered);
      expect(left).toEqual(["p1", "p2"]);
    },
  );

  test("one that does not come back is given up", async () => {
    const daemon = await startDaemon();
    const found: { address: Address | null } = { address: daemon.address };
    const { leave, left, clock } = createRoom(found);
    const outcome = leave();
    const { say, response } = await daemon.visit(1);
    say("asked", { id: "p1" });
    await expect.poll(() => left).toEqual(["p1"]);
    found.address = null;
    response.destroy();
    await whileTimePasses(clock, 1_000, outcome);
    await expect(outcome).rejects.toThrow("the daemon went away");
  });

  test("one that says nothing any more is taken for dead", async () => {
    const daemon = await startDaemon();
    const { leave, left, clock } = createRoom(daemon);
    const outcome = leave();
    const { say } = await daemon.visit(1);
    say("asked", { id: "p1" });
    await expect.poll(() => left).toEqual(["p1"]);
    const again = daemon.visit(2).then((visit) => visit.say("settled", answered));
    clock.advance(45_000);
    await whileTimePasses(clock, 50, again);
    expect(await outcome).toEqual(answered);
  });
});
