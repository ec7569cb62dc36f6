// The connection to a broker over TLS, with a certificate authority made for this test: the right one connects, a wrong one, none, or
// another name is refused with a sentence that says what to do.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectHub } from "../../src/hub/nats/connection.js";
import { newKey as newUserKey } from "../../src/hub/nats/users.js";
import { temporaryFolder } from "../server/temporary-folder.js";
import { hasOpenssl, makeAuthority, makeCertificate } from "./certificates.js";
import { natsServerProgram, TestServer } from "./nats-server.js";

const program = natsServerProgram();
let server: TestServer;
const folder = mkdtempSync(join(tmpdir(), "palaver-tls-"));
const inFolder = (name: string) => join(folder, name);

describe.skipIf(program === null || !hasOpenssl)("with a nats-server and openssl", () => {
  beforeAll(async () => {
    makeAuthority(folder, "team");
    makeAuthority(folder, "other");
    makeCertificate(folder, "server", "team", "DNS:localhost");
    const [certPath, keyPath, caPath] = [inFolder("server.pem"), inFolder("server.key"), inFolder("team.pem")];
    server = await TestServer.start(program ?? "", { tls: { host: "localhost", certPath, keyPath, caPath } });
  });
  afterAll(async () => {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const login = (host: string, ca?: string) => ({
    ...{ url: `tls://${host}:${server.nodes[0]?.port}`, user: "root", keyPath: server.keyPath("root") },
    ...(ca === undefined ? {} : { caPath: inFolder(ca) }),
  });

  test("the team's own authority is trusted when it is named", async () => {
    const connection = await connectHub(login("localhost", "team.pem"));
    onTestFinished(() => connection.close());
    await connection.flush();
    expect(connection.getServer()).toContain(String(server.nodes[0]?.port));
  });

  test("on its own machine a server is known by its certificate, whatever name it has; an authority is needed all the same", async () => {
    const here = login("127.0.0.1", "team.pem");
    const connection = await connectHub({ ...here, certPath: inFolder("server.pem") });
    onTestFinished(() => connection.close());
    await connection.flush();
    await expect(connectHub({ ...here, certPath: inFolder("team.pem") })).rejects.toThrow("is not for 127.0.0.1");
    const other = { ...login("127.0.0.1", "other.pem"), certPath: inFolder("server.pem") };
    await expect(connectHub(other)).rejects.toThrow("is not signed by");
  });

  test("a server that asks for TLS where nats:// is written is checked by the team's authority", async () => {
    const { url, ...rest } = login("localhost", "team.pem");
    const connection = await connectHub({ ...rest, url: url.replace("tls:", "nats:") });
    onTestFinished(() => connection.close());
    await connection.flush();
    expect(connection.info?.tls_required).toBe(true);
  });

  test.each(["https://localhost:4222", "tls://", "a b"])("%s is no address of a hub", async (url) => {
    await expect(connectHub({ ...login("localhost"), url })).rejects.toThrow(/is not the address of a hub; .*tls:/);
  });

  test.each([
    [
      "another authority",
      login.bind(null, "localhost", "other.pem"),
      /certificate is not signed by .*other\.pem; .*hub\.ca/,
    ],
    [
      "no authority of one's own",
      login.bind(null, "localhost"),
      /certificate is not signed by an authority .*; .*hub\.ca/,
    ],
    ["another name", login.bind(null, "127.0.0.1", "team.pem"), /certificate is not for 127\.0\.0\.1/],
    ["a missing file", login.bind(null, "localhost", "missing.pem"), /missing\.pem cannot be read; .*hub\.ca/],
  ])("%s is refused with a sentence", async (_, wrong, words) => {
    await expect(connectHub(wrong())).rejects.toThrow(words);
  });

  test("a server without TLS is refused where TLS is asked for", async () => {
    const plain = await TestServer.start(program ?? "");
    onTestFinished(() => plain.remove());
    const url = `tls://localhost:${plain.nodes[0]?.port}`;
    await expect(connectHub({ ...plain.login("root"), url })).rejects.toThrow("it offers no TLS");
  });

  test("a user whom no server of a cluster knows is told so, though each server names the others", async () => {
    const [certPath, keyPath, caPath] = [inFolder("server.pem"), inFolder("server.key"), inFolder("team.pem")];
    const cluster = await TestServer.start(program ?? "", {
      nodes: 2,
      tls: { host: "localhost", certPath, keyPath, caPath },
    });
    onTestFinished(() => cluster.remove());
    writeFileSync(cluster.keyPath("eve"), newUserKey().seed, { mode: 0o600 });
    await expect(connectHub(cluster.login("eve"))).rejects.toThrow("it does not know the key of eve");
  });

  test("a certificate for an address counts for that address", async () => {
    makeCertificate(folder, "address", "team", "IP:127.0.0.1");
    const [certPath, keyPath, caPath] = [inFolder("address.pem"), inFolder("address.key"), inFolder("team.pem")];
    const other = await TestServer.start(program ?? "", { tls: { host: "127.0.0.1", certPath, keyPath, caPath } });
    onTestFinished(() => other.remove());
  });

  test("without TLS the server is not spoken to", async () => {
    const { url, ...rest } = login("127.0.0.1");
    await expect(connectHub({ ...rest, url: url.replace("tls:", "nats:") })).rejects.toThrow(/certificate/);
  });
});

test("a server on this machine cannot send the client elsewhere without TLS", async () => {
  const reached: string[] = [];
  let heard: () => void = () => undefined;
  const listen = async (name: string, host: string, further: () => readonly string[]) => {
    const server = createServer((socket) => {
      reached.push(name);
      heard();
      const info = { server_id: name, version: "2.11.0", proto: 1, headers: true, max_payload: 1_048_576, nonce: "n" };
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        if (!String(bytes).includes("PING")) return;
        socket.write("PONG\r\n");
        if (reached.length === 1) setImmediate(() => socket.destroy());
      });
      socket.write(`INFO ${JSON.stringify({ ...info, connect_urls: further() })}\r\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  };
  const far = await listen("far", "127.0.0.2", () => []);
  const near = await listen("near", "127.0.0.1", () => [`127.0.0.2:${far}`]);
  const keyPath = join(temporaryFolder(), "ada.nk");
  writeFileSync(keyPath, `${newUserKey().seed}\n`, { mode: 0o600 });
  const connection = await connectHub({ url: `nats://127.0.0.1:${near}`, user: "ada", keyPath });
  onTestFinished(() => connection.close());
  await new Promise<void>((resolve) => {
    heard = () => reached.length > 1 && resolve();
    heard();
  });
  expect(reached).toEqual(["near", "near"]);
});

test.skipIf(process.platform === "win32")("a key that everyone on the machine can read is refused", async () => {
  const keyPath = join(temporaryFolder(), "ada.nk");
  writeFileSync(keyPath, `${newUserKey().seed}\n`, { mode: 0o644 });
  await expect(connectHub({ url: "nats://127.0.0.1:1", user: "ada", keyPath })).rejects.toThrow(
    `everyone on this machine can read the key ${keyPath}; chmod 600`,
  );
});
