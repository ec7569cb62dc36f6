// A link that is stopped, with the agent's process played by the test.
import { expect, test } from "vitest";
import type { AgentExit, AgentProcessHandlers, StartAgent } from "../../src/agents/agent-process.js";
import { openSessionLink } from "../../src/agents/session-link.js";

test("a link that is stopped again while it stops says goodbye to its agent once", async () => {
  const written: string[] = [];
  const withdrawn: string[] = [];
  let handlers: AgentProcessHandlers | null = null;
  const start: StartAgent = (_, given) => {
    handlers = given;
    let end: () => void = () => undefined;
    const exited = new Promise<AgentExit>((resolve) => {
      end = () => resolve({ code: 0, signal: null, error: null, stderrTail: "" });
    });
    const write = (text: string) => (written.push(JSON.parse(text).type) > 0 ? "delivered" : "lost");
    return { pid: 1, write, setFlow: () => undefined, closeInput: end, exited, stop: () => exited };
  };
  const link = openSessionLink(
    { command: "played", args: [] },
    {
      start,
      nowMs: () => 0,
      onEvent(event) {
        if (event.type !== "ask.withdrawn") return;
        withdrawn.push(event.askId);
        void link.stop();
      },
    },
  );
  const say = (frame: object) => handlers?.onStdout(new TextEncoder().encode(`${JSON.stringify(frame)}\n`));
  say({ type: "ready", protocol_version: "1" });
  say({ type: "ui_request", id: "q", method: "confirm", params: { title: "Go?" } });
  // The first events wait for a moment.
  await Promise.resolve();
  await link.stop();
  expect(withdrawn).toEqual(["q"]);
  expect(written).toEqual(["ui_response", "quit"]);
});
