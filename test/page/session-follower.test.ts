// A session as the page keeps it: of a long one only the newest part, and what was let go of is read again, whole and in order.
import { expect, test } from "vitest";
import { SESSION_PROTOCOL } from "../../src/contract/protocol-numbers.js";
import { Requests } from "../../src/page/net/requests.js";
import { SessionFollower } from "../../src/page/state/session-follower.js";
import { startingState } from "../../src/session/engine/engine-state.js";
import { snapshotOf } from "../../src/session/engine/snapshot.js";
import { NetStage } from "./net-stage.js";

const BLOCKS = 5_000;
const FIRST_SEQ = 1_000;
const EVENT_CHARS_MAX = 32 * 1024 * 1024;
const PAUSE_MS_MAX = 10_000;

const block = (at: number) => ({ kind: "prose", id: `b${at}`, text: `block ${at}` });
const event = (id: string, name: string, data: unknown) =>
  `${id === "" ? "" : `id: ${id}\n`}${name === "" ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const closed = (at: number) => ({ type: "block", session: 0, change: { type: "closed", block: block(at) } });

async function follow() {
  const stage = new NetStage();
  const session = new SessionFollower("s1", stage.ports, new Requests(stage.ports, () => "key"), () => undefined);
  session.open();
  const stream = await stage.request(0);
  await stream.send(event("", "hello", { at_ms: 1, protocol: SESSION_PROTOCOL, session: { name: "fix" } }));
  await stream.send(event("", "snapshot", snapshotOf(startingState(), null)));
  await stream.send(event(`${FIRST_SEQ}`, "caught-up", {}));
  // A hundred changes travel together, under the number of the last.
  for (let at = 0; at < BLOCKS; at += 100) {
    const changes = Array.from({ length: 100 }, (_, place) => closed(at + place));
    await stream.send(event(`${FIRST_SEQ + at + 100}`, "", changes));
  }
  const texts = () => session.cells.value.map(({ id }) => id);
  return { stage, session, texts };
}

const ids = (from: number) => Array.from({ length: BLOCKS - from }, (_, at) => `b${from + at}`);

test("the oldest blocks of a long session are let go of, and read again without a gap or a double", async () => {
  const { stage, session, texts } = await follow();
  expect(texts()).toEqual(ids(0));
  session.letGo();
  expect(texts()).toEqual(ids(3_000));
  expect(session.hasEarlier.value).toBe(true);
  const read = session.readEarlier();
  const request = await stage.request(1);
  const before = Number(/before=(\d+)/.exec(request.path)?.[1]);
  // The daemon knows each number: block 0 was closed by the first change.
  const items = Array.from({ length: BLOCKS }, (_, at) => ({
    seq: FIRST_SEQ + 1 + at,
    session: null,
    block: block(at),
  }));
  await request.answer({ items: items.filter(({ seq }) => seq < before), earlier: null });
  await read;
  expect(texts()).toEqual(ids(0));
  expect(session.hasEarlier.value).toBe(false);
});

test("every message that a stop takes back is there for the composer", async () => {
  const { stage, session } = await follow();
  const stream = await stage.request(0);
  const back = (text: string) => ({ type: "composer", session: 0, text, by: null });
  await stream.send(event(`${FIRST_SEQ + BLOCKS + 2}`, "", [back("second"), back("first")]));
  expect(session.takenBack.value).toEqual(["second", "first"]);
});

test.each([
  ["60", "60~"],
  // Texts for the composer are known up to 42 only.
  ["60~42", "60~42"],
])("after an event that is too large, with the id %s, the page reads on from %s", async (id, place) => {
  const { stage } = await follow();
  const stream = await stage.request(0);
  await stream.send(event(id, "history", ["x".repeat(EVENT_CHARS_MAX)]));
  await stage.advance(PAUSE_MS_MAX);
  expect((await stage.request(1)).headers.get("last-event-id")).toBe(place);
});

test("a short session is kept whole", async () => {
  const { session, texts } = await follow();
  session.cells.value = session.cells.value.slice(0, 3_000);
  session.letGo();
  expect(texts()).toHaveLength(3_000);
});
