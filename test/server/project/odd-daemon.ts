// A process that has the lock, the record and the token of a project, but is not the daemon one hopes for.
//
//   STATE PROJECT KIND      deaf: proves itself and does not end when asked
//                           impostor: says yes to everything and knows no token
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { argv, pid, stdout } from "node:process";
import { proofOf } from "../../../src/agents/remote/daemon-proof.js";
import {
  daemonFolderOf,
  makeDaemonFolder,
  renewToken,
  writeRecord,
} from "../../../src/server/project/daemon-folder.js";
import { takeLock } from "../../../src/system/file-lock.js";

const [state = "", project = "", kind = ""] = argv.slice(2);
const folder = daemonFolderOf(project, { XDG_STATE_HOME: state });
await makeDaemonFolder(folder);
await takeLock(folder.lockPath);
const token = await renewToken(folder.tokenPath);
const claims = { program: "palaver", version: "9.0.0", pid };

const server = createServer((request, response) => {
  const nonce = new URL(request.url ?? "/", "http://daemon").searchParams.get("nonce") ?? "";
  const known = kind === "deaf" ? token : "some other token";
  response.end(
    JSON.stringify({ ...claims, proof: proofOf(known, { nonce, address: request.headers.host ?? "" }, claims) }),
  );
  if (request.headers.authorization !== undefined) stdout.write(`token for ${request.url}\n`);
});
server.listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeRecord(folder.recordPath, { ...claims, url, project, started_at_ms: Date.now() });
  stdout.write("ready\n");
});
