// Following a log over interruptions: growing pauses, the last id named, and no line twice.
import { describe, expect, test } from "vitest";
import { type DaemonClient, DaemonRefusal } from "../../../src/server/client/daemon-client.js";
import { followLogs, type LogNews } from "../../../src/server/client/log-follower.js";
import { createFakeTimers } from "../../sdk/fake-timers.js";

const line = (id: string, content = `line ${id}`) =>
  `id: ${id}\ndata: ${JSON.stringify({
    id,
    timestamp: "12:00:00",
    content,
    type: 1,
    tab_title: "BUILD",
    handler_name: "watch",
    handler_color: "",
    handler_type: 4,
  })}\n\n`;

/** Each attempt gets the next of these: a stream, a refusal, or null for a daemon that is not there. */
type Attempt = string[] | DaemonRefusal | null;

function follow(attempts: Attempt[]) {
  const timers = createFakeTimers();
  const news: LogNews[] = [];
  const asked: (string | null)[] = [];
  const leaving = new AbortController();
  const client = (attempt: string[] | DaemonRefusal): DaemonClient =>
    ({
      async openLogStream(_wishes: unknown, lastId: string | null) {
        asked.push(lastId);
        if (attempt instanceof DaemonRefusal) throw attempt;
        return (async function* () {
          for (const text of attempt) yield new TextEncoder().encode(text);
        })();
      },
    }) as Partial<DaemonClient> as DaemonClient;
  const done = followLogs({
    signal: leaving.signal,
    timers,
    onNews: (each) => void news.push(each),
    connect: async () => {
      const attempt = attempts.shift();
      if (attempt === undefined) leaving.abort();
      return attempt === null || attempt === undefined ? null : client(attempt);
    },
  });
  /** Lets every pause pass until there is nothing left to try. */
  const run = async () => {
    while (!leaving.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve));
      timers.advance(60_000);
    }
    await done;
    return news;
  };
  return { run, done, asked };
}

const linesIn = (news: LogNews[]) => news.flatMap((each) => (each.type === "line" ? [each.entry.content] : []));
const pausesIn = (news: LogNews[]) => news.flatMap((each) => (each.type === "disconnected" ? [each.retryInMs] : []));

describe("a follower", () => {
  test("comes back where it was and shows no line twice", async () => {
    const { run, asked } = follow([
      [line("1"), line("2")],
      [line("2"), line("1"), line("3")],
      [line("10"), line("9")],
    ]);
    expect(linesIn(await run())).toEqual(["line 1", "line 2", "line 3", "line 10"]);
    expect(asked).toEqual([null, "2", "3"]);
  });

  test("waits longer after each failure, and not after a success", async () => {
    const failures = Array.from({ length: 8 }, () => null);
    const { run } = follow([...failures, [line("1")], null]);
    expect(pausesIn(await run())).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 250, 500]);
  });

  test("hears a change of state by its name, and in the unnamed form of older daemons", async () => {
    const named = 'event: refresh\ndata: {"handler_type":0}\n\n';
    const unnamed = 'data: {"handler_type":0}\n\n';
    const { run } = follow([
      [named, unnamed, line("1"), "data: {}\n\n", "data: no json\n\n", "event: asks\ndata: {}\n\n"],
    ]);
    const kinds = (await run()).map(({ type }) => type);
    expect(kinds.filter((kind) => kind !== "connected" && kind !== "disconnected")).toEqual([
      "refresh",
      "refresh",
      "line",
      "asks",
    ]);
  });

  test("passes on the notice of lost lines, which has no place of its own in the log", async () => {
    const lost = line("", "17 lines were lost").replace(/^id: \n/, "event: lost\n");
    const { run, asked } = follow([[line("5"), lost, line("23")], []]);
    expect((await run()).filter(({ type }) => type === "lost" || type === "line").map(({ type }) => type)).toEqual([
      "line",
      "lost",
      "line",
    ]);
    expect(asked).toEqual([null, "23"]);
  });

  test("gives up when the daemon refuses it, and not when it is only busy", async () => {
    await expect(follow([new DaemonRefusal(401, "wrong token")]).done).rejects.toThrow("wrong token");
    const { run } = follow([new DaemonRefusal(503, "too many"), [line("1")]]);
    expect(linesIn(await run())).toEqual(["line 1"]);
  });
});
