// A script that only knows the rpc wire, as a process of its own: it prints, asks, prints the answer and ends.
import { expect, test } from "vitest";
import { openSessionLink } from "../../../src/agents/session-link.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";

const script = `
console.log("step 1");
console.log(JSON.stringify({ method: "set_status", params: { key: "k", text: "asking" } }));
console.log(JSON.stringify({ id: 7, method: "confirm", params: { title: "Deploy?" } }));
process.stdin.once("data", (line) => {
  console.log("answered " + line);
  process.stdin.destroy();
});
`;

test("a script on the rpc wire is shown, asked and answered, and its end is the end of the prompt", async () => {
  const events: SessionEvent[] = [];
  const link = openSessionLink(
    { command: process.execPath, args: ["-e", script] },
    {
      protocol: "rpc",
      nowMs: () => 0,
      onEvent: (event) => {
        events.push(event);
        if (event.type === "ask.raised")
          link.send({ type: "ui_response", id: event.ask.id, result: true, error: null });
      },
    },
  );
  expect(await link.exited).toMatchObject({ code: 0 });
  expect(events.map(({ type }) => type)).toEqual([
    "agent.readied",
    "prompt.started",
    "log.written",
    "status.changed",
    "ask.raised",
    "log.written",
    "prompt.finished",
  ]);
  expect(events[5]).toMatchObject({ text: 'answered {"id":7,"result":true}' });
});
