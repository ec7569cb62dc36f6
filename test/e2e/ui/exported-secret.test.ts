// A secret that was typed is not in what /export writes, although the agent repeats it: through the real command.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

const SECRET = "swordfish-4711-harbour";

/** It asks for a secret, and says it back. */
const agent = `
const send = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
const event = (type, ...data) => send({ type: "event", session_id: "s1", event: { type, data } });
send({ type: "ready", protocol_version: "1", cwd: ".", ui: true, primary_session_id: "s1", active_session_id: "s1" });
let rest = "";
process.stdin.on("end", () => process.exit(0)).on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { type, result } = JSON.parse(line);
    if (type === "quit") process.exit(0);
    if (type === "prompt") {
      event("agent_start");
      send({ type: "ui_request", id: "q1", method: "input", params: { title: "Token?", opts: { secret: true } } });
    }
    if (type !== "ui_response") continue;
    const message = { role: "assistant", content: [{ type: "text", text: "You typed " + result + " just now." }] };
    event("message_start", { ...message, content: [] });
    event("message_end", message);
    event("agent_end", [message]);
  }
});`;

test("a secret that the agent repeats is not in the exported transcript", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "palaver-export-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  writeFileSync(join(folder, "agent.mjs"), agent);
  const args = [palaver, "run", "--protocol", "lines", "--", process.execPath, "agent.mjs"];
  const session = new PtySession(process.execPath, args, { columns: 90, rows: 30, cwd: folder });
  await session.shows("›");
  session.type("go\r");
  await session.shows("enter send");
  session.type(`${SECRET}\r`);
  await session.shows("just now.");
  session.type("/export md talk.md\r");
  await session.shows(/talk\.md/);
  await expect.poll(() => readFileSync(join(folder, "talk.md"), "utf8"), { timeout: 10_000 }).toContain("just now.");
  expect(readFileSync(join(folder, "talk.md"), "utf8")).not.toContain(SECRET);
  session.type("/quit\r");
  await session.ended;
});
