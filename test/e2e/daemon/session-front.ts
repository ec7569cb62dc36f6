// A view as a process of its own, so that it can be killed: it attaches to a session and prints the changes.
import { RemoteSession } from "../../../src/host/remote-session.js";

const [, , url = "", token = "", sessionId = "", text = ""] = process.argv;
const session = new RemoteSession({ url, token, sessionId, name: "victim", nowMs: () => performance.now() });
session.subscribe((changes) => {
  for (const change of changes) process.stdout.write(`${JSON.stringify(change)}\n`);
});
void session.open();
if (text !== "") session.dispatch({ type: "submit", text });
