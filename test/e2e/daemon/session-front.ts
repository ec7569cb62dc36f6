// A front end as a process of its own, so that it can be killed: it attaches to a session and prints what it hears.
import { openDaemonLink } from "../../../src/agents/remote/daemon-link.js";

const [, , url = "", token = "", sessionId = "", text = ""] = process.argv;
const link = openDaemonLink({
  ...{ url, token, sessionId, name: "victim" },
  nowMs: () => performance.now(),
  onEvent: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
});
if (text !== "") link.send({ type: "prompt", text });
