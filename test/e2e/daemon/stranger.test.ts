// A daemon was killed, and a stranger has its port: no command of ours tells the stranger the token, also when the daemon's
// process id lives on as that of another process.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { machineFacts, thisProcess } from "../../../src/system/holder.js";
import { verifies } from "../../verifies.js";
import { palaver, runPalaver } from "../run-program.js";
import { startProgram, temporaryPlace } from "./daemon-process.js";

/** Listens where the daemon did, keeps every byte, and says yes to whatever it is asked. */
async function strangerAt(port: number): Promise<{ heard(): string }> {
  let text = "";
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { heard: () => text };
}

async function killedDaemon() {
  const root = temporaryPlace();
  const project = join(root, "project");
  mkdirSync(project);
  writeFileSync(join(project, ".palaver.toml"), "");
  const env = { XDG_STATE_HOME: join(root, "state"), HOME: root };
  const daemon = await startProgram(palaver, { args: ["serve", "--json"], env, cwd: project });
  const { url, token_file } = JSON.parse(daemon.firstLine) as { url: string; token_file: string };
  const token = readFileSync(token_file, "utf8").trim();
  daemon.child.kill("SIGKILL");
  await daemon.exited;
  const run = (args: string[], more: Record<string, string> = {}, stdin = "") =>
    runPalaver(args, { env: { ...env, ...more }, cwd: project, stdin });
  return { folder: join(token_file, ".."), url, token, run };
}

const mcpCall = [
  {
    method: "initialize",
    id: 1,
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } },
  },
  { method: "tools/call", id: 2, params: { name: "get_state", arguments: {} } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

const commands: readonly string[][] = [
  ["state"],
  ["action", "Mode", "x"],
  ["logs"],
  ["logs", "-f"],
  ["asks"],
  ["answer", "q1", "yes"],
  ["sessions"],
  ["stop"],
  ["ask", "confirm", "Deploy?", "--on-ask", "wait"],
  ["doctor"],
];

test.each(["another process", "a process that looks like the daemon"])(
  "no command sends the token to a stranger on the port when the process id is that of %s",
  async (who) => {
    verifies("daemon.proves-itself");
    const { folder, url, token, run } = await killedDaemon();
    // Worse than a recycled id: a record and a lock that say that this very process is the daemon.
    const holder = thisProcess("x", 0, machineFacts());
    const started_at = who === "another process" ? "1" : holder.started_at;
    writeFileSync(join(folder, "daemon.lock"), JSON.stringify({ ...holder, started_at }));
    const record = JSON.parse(readFileSync(join(folder, "daemon.json"), "utf8")) as object;
    writeFileSync(join(folder, "daemon.json"), JSON.stringify({ ...record, pid: process.pid }));
    const stranger = await strangerAt(Number(new URL(url).port));
    const ended = await Promise.all([...commands.map((args) => run(args)), run(["mcp"], {}, mcpCall)]);
    const named = await run(["state", "--url", url], { PALAVER_TOKEN: token });
    expect(stranger.heard()).not.toMatch(/authorization/i);
    expect(stranger.heard()).not.toContain(token);
    // The one command that was sent there on purpose asked for a proof, and nothing else.
    expect(stranger.heard()).toContain("GET /prove?nonce=");
    expect(named).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not accept this token, so it was not sent"),
    });
    if (who === "another process")
      for (const { stdout, stderr } of ended) expect(stdout + stderr).not.toContain(String(process.pid));
  },
);

test("after a daemon was killed the next one starts, whatever has its port and process id, with a token of its own", async () => {
  const { folder, url, token, run } = await killedDaemon();
  const holder = thisProcess("x", 0, machineFacts());
  writeFileSync(join(folder, "daemon.lock"), JSON.stringify({ ...holder, started_at: "1" }));
  const stranger = await strangerAt(Number(new URL(url).port));
  const env = { XDG_STATE_HOME: join(folder, "..", "..", ".."), HOME: folder };
  const project = (JSON.parse(readFileSync(join(folder, "daemon.json"), "utf8")) as { project: string }).project;
  const next = await startProgram(palaver, { args: ["serve", "--json"], env, cwd: project });
  const { url: nextUrl } = JSON.parse(next.firstLine) as { url: string };
  expect(nextUrl).not.toBe(url);
  const answer = await fetch(new URL("/health", nextUrl), { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(401);
  expect(stranger.heard()).toBe("");
  expect((await run(["stop"])).code).toBe(0);
});
