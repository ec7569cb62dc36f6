// Hosts that the user grants can be reached from inside the sandbox, through a proxy; all others cannot, by any way.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { isGranted, isOwnAddress } from "../../../src/session/sandbox/sandbox-policy.js";
import { verifies } from "../../verifies.js";
import { Box, boxTest, whereItWorks } from "./boxed.js";

async function server(words: string): Promise<number> {
  const http = createServer((request, response) => response.end(`${words} ${request.method} ${request.url}`));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => http.close(() => resolve())));
  http.unref();
  return (http.address() as AddressInfo).port;
}

const get = (url: string) =>
  `python3 -c 'import urllib.request; print(urllib.request.urlopen("${url}", timeout=5).read().decode())' 2>&1 | tail -1`;

const tunnel = (target: string) => `python3 -c '
import socket
s = socket.create_connection(("127.0.0.1", 3128)); s.settimeout(5)
s.sendall(b"CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\n\\r\\n")
print(s.recv(4096).split(b"\\r\\n")[0].decode())
try:
    s.sendall(b"GET /deep HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
    while (d := s.recv(4096)): print(d.decode().splitlines()[-1])
except OSError: pass'`;

describe(`granted hosts${whereItWorks}`, () => {
  boxTest("are reached over HTTP and through a tunnel; a host beside them is not", async () => {
    verifies("sandbox.no-network");
    const [granted, other] = [await server("granted"), await server("SECRET")];
    const box = new Box({ hosts: [`127.0.0.1:${granted}`] });
    expect((await box.run(get(`http://127.0.0.1:${granted}/a?b`))).output).toBe("granted GET /a?b\n");
    expect((await box.run(tunnel(`127.0.0.1:${granted}`))).output).toMatch(/ 200 [\s\S]*granted GET \/deep/);
    for (const attempt of [
      get(`http://127.0.0.1:${other}/`),
      tunnel(`127.0.0.1:${other}`),
      tunnel(`127.0.0.1:${granted}@127.0.0.1:${other}`),
      tunnel(`0x7f.1:${other}`),
      `unset http_proxy HTTP_PROXY; ${get(`http://127.0.0.1:${other}/`)}`,
      `unset http_proxy HTTP_PROXY; ${get(`http://127.0.0.1:${granted}/`)}`,
    ]) {
      expect((await box.run(attempt)).output, attempt).not.toMatch(/SECRET|granted GET/);
    }
  });

  boxTest("are reached whatever a request says about its connection, and no request ends the proxy", async () => {
    const granted = await server("granted");
    const box = new Box({ hosts: [`127.0.0.1:${granted}`] });
    const raw = (method: string, headers: string) => `python3 -c '
import socket
s = socket.create_connection(("127.0.0.1", 3128)); s.settimeout(5)
s.sendall(b"${method} http://127.0.0.1:${granted}/t HTTP/1.1\\r\\nHost: x\\r\\n${headers}\\r\\nConnection: close\\r\\n\\r\\n")
d = b""
try:
    while (c := s.recv(4096)): d += c
except OSError: pass
print(d.split(b" ")[1].decode(), d.split(b"\\n")[-1].decode())'`;
    for (const headers of [
      "Trailer: a\\r\\nContent-Length: 0",
      "TE: trailers",
      "Keep-Alive: x",
      "Expect: 100-continue\\r\\nContent-Length: 0",
      "Proxy-Authorization: x",
    ]) {
      expect((await box.run(raw("POST", headers))).output, headers).toContain("granted POST /t");
    }
    expect((await box.run(raw("GET", "Expect: something"))).output).toMatch(/^400/);
    expect((await box.run(raw("GET", "Upgrade: x\\r\\nConnection: upgrade"))).output).toMatch(/^400/);
    await box.run(raw("G@T", "X: y"));
    await box.run(raw("POST", "Transfer-Encoding: chunked\\r\\nContent-Length: 4"));
    expect((await box.run(get(`http://127.0.0.1:${granted}/`))).output).toBe("granted GET /\n");
  });

  boxTest("get what a client sends right behind its wish for a tunnel", async () => {
    const granted = await server("granted");
    const box = new Box({ hosts: [`127.0.0.1:${granted}`] });
    const target = `127.0.0.1:${granted}`;
    const early = `python3 -c '
import socket
s = socket.create_connection(("127.0.0.1", 3128)); s.settimeout(5)
s.sendall(b"CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\n\\r\\nGET /early HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
d = b""
try:
    while (c := s.recv(4096)): d += c
except OSError: pass
print(d.decode())'`;
    expect((await box.run(early)).output).toContain("granted GET /early");
  });

  boxTest("leave the exit code and the output of a command as they are", async () => {
    const box = new Box({ hosts: ["example.org"] });
    expect(await box.run("echo said; exit 7")).toEqual({ output: "said\n", code: 7 });
    expect((await box.run("kill -9 $$")).code).toBe(137);
  });
});

test.each([
  ["registry.npmjs.org", "registry.npmjs.org", 443, true],
  ["registry.npmjs.org", "Registry.NPMJS.org.", 80, true],
  ["registry.npmjs.org", "registry.npmjs.org", 22, false],
  ["registry.npmjs.org", "evil-registry.npmjs.org", 443, false],
  ["*.example.org", "a.b.example.org", 443, true],
  ["*.example.org", "example.org", 443, false],
  ["*.example.org", "evilexample.org", 443, false],
  ["localhost:5432", "localhost", 5432, true],
  ["localhost:5432", "localhost", 80, false],
  ["*", "example.org", 443, false],
  ["", "", 443, false],
])("the grant %j for %s:%d is %s", (grant, host, port, expected) => {
  expect(isGranted([grant], host, port)).toBe(expected);
});

test("a name that leads to this machine, or to where clouds hand out keys, is told by its address", () => {
  const own = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "169.254.169.254", "fe80::1"];
  expect(own.filter((address) => !isOwnAddress(address))).toEqual([]);
  expect(["93.184.216.34", "10.0.0.8", "2606:2800::1"].filter(isOwnAddress)).toEqual([]);
});
