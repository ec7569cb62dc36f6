// Intents of a view that has left: they are refused, and the wait for those under way ends.
import { expect, test } from "vitest";
import { IntentSender } from "../../src/agents/remote/daemon-stream.js";

test("a view that has left sends no more intents, and its wait for them ends", async () => {
  const leaving = new AbortController();
  const sender = new IntentSender({
    address: () => Promise.resolve(null),
    path: "/sessions/s/intents",
    after: () => () => undefined,
    signal: leaving.signal,
    onRefused: () => undefined,
  });
  leaving.abort();
  expect(sender.send({ type: "abort" })).toBe(false);
  await sender.drained();
});
