// A daemon of another age: it has a record and knows its token, but speaks of itself in other words than today's.
//
//   node odd-daemon.mjs RECORD TOKEN KIND        KIND: new-health | bare-version | page | deaf
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { argv, exit, pid, stdout } from "node:process";

const [recordPath, token, kind] = argv.slice(2);

const answers = {
  "new-health": { "/health": JSON.stringify({ pid, version: "9.0.0", state: { word: "fine" } }) },
  "bare-version": { "/version": "0.0.1" },
  // A server of somebody's that says yes to everything.
  page: { "/health": "<html>hello</html>", "/version": "<html>hello</html>" },
  deaf: { "/health": JSON.stringify({ pid, version: "9.0.0" }) },
};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://daemon");
  const isKnown = request.headers.authorization === `Bearer ${token}`;
  const isQuit = request.method === "POST" && pathname === "/action" && searchParams.get("key") === "quit";
  const body = answers[kind][pathname];
  response.statusCode = isKnown && (isQuit || body !== undefined) ? 200 : 404;
  response.end(body ?? "");
  if (isKnown && isQuit && kind !== "deaf") exit(0);
});
server.listen(0, "127.0.0.1", () => {
  writeFileSync(recordPath, JSON.stringify({ pid, url: `http://127.0.0.1:${server.address().port}` }));
  stdout.write("ready\n");
});
