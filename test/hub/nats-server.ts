// A real nats-server on loopback for one test file: with a hub's own configuration and users, to be killed and started again.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, connect as openSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthorizationError, type NatsConnection } from "@nats-io/transport-node";
import { connectHub, type HubLogin } from "../../src/hub/nats/connection.js";
import { makeStreams } from "../../src/hub/nats/streams.js";
import { type HubUser, type HubUserKind, newKey, serverConfig, usersConfig } from "../../src/hub/nats/users.js";

/** Tests and long runs start in the project's folder. */
const script = join(process.cwd(), "scripts", "nats-server.mjs");

/** Null where there is none and none can be had; the tests are skipped by name then. */
export function natsServerProgram(): string | null {
  try {
    return execFileSync(process.execPath, [script], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return null;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Node {
  readonly name: string;
  readonly port: number;
  readonly clusterPort: number;
  /** Where leaf nodes connect. */
  readonly leafPort: number;
  child: ChildProcess | null;
}

/** A certificate for one of the names of this machine, and the authority that signed it. */
export interface TestTls {
  readonly host: "localhost" | "127.0.0.1";
  readonly certPath: string;
  readonly keyPath: string;
  readonly caPath: string;
}

export interface TestServerOptions {
  readonly nodes?: number;
  readonly tls?: TestTls | null;
  /** Of each stream. */
  readonly bytesMax?: number;
  /** The configurations are written. */
  readonly beforeStart?: (server: TestServer) => void;
}

/** One server, or a cluster of several, with the streams of a hub. */
export class TestServer {
  readonly folder = mkdtempSync(join(tmpdir(), "palaver-nats-"));
  readonly nodes: Node[] = [];
  private readonly program: string;
  readonly users: HubUser[] = [];

  private readonly tls: TestTls | null;

  private constructor(program: string, tls: TestTls | null) {
    this.program = program;
    this.tls = tls;
  }

  static async start(
    program: string,
    { nodes = 1, tls = null, bytesMax = 256 * 1024 * 1024, beforeStart }: TestServerOptions = {},
  ): Promise<TestServer> {
    const server = new TestServer(program, tls);
    mkdirSync(join(server.folder, "keys"));
    const { key: systemKey, seed } = newKey();
    writeFileSync(server.keyPath("system"), seed, { mode: 0o600 });
    for (let at = 0; at < nodes; at += 1) {
      const ports = { port: await freePort(), clusterPort: await freePort(), leafPort: await freePort() };
      server.nodes.push({ name: `n${at}`, ...ports, child: null });
    }
    server.writeConfigs(systemKey);
    server.addUser("admin", "root");
    beforeStart?.(server);
    await Promise.all(server.nodes.map((_, at) => server.up(at)));
    const admin = await server.connect("root");
    const limits = { replicas: Math.min(3, nodes), days: 30, bytesMax };
    for (let tries = 0; ; tries += 1) {
      const problem = await makeStreams(admin, limits).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (problem === undefined) break;
      // A cluster has to choose its leader first.
      if (tries > 400) throw problem;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await admin.close();
    return server;
  }

  addUser(kind: HubUserKind, name: string, users?: readonly string[]): HubUser {
    const { key, seed } = newKey();
    writeFileSync(this.keyPath(name), seed, { mode: 0o600 });
    const user: HubUser = { kind, name, key, ...(users === undefined ? {} : { users }) };
    this.users.push(user);
    this.writeUsers();
    return user;
  }

  /** Of one node, as it is when it is started the next time. */
  changeConfig(change: (config: string) => string, at = 0): void {
    const path = join(this.folder, `${this.node(at).name}.conf`);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  }

  removeUser(name: string): void {
    this.users.splice(
      this.users.findIndex((user) => user.name === name),
      1,
    );
    this.writeUsers();
  }

  keyPath(name: string): string {
    return join(this.folder, "keys", `${name}.nk`);
  }

  login(user: string): HubLogin {
    const host = this.tls === null ? "nats://127.0.0.1" : `tls://${this.tls.host}`;
    const url = this.nodes.map(({ port }) => `${host}:${port}`).join(",");
    return { url, user, keyPath: this.keyPath(user), ...(this.tls === null ? {} : { caPath: this.tls.caPath }) };
  }

  /** A server that reads its users again refuses those who come in that moment, too. */
  async connect(user: string): Promise<NatsConnection> {
    for (let tries = 0; ; tries += 1) {
      const connection = await connectHub(this.login(user)).catch((error: Error) => error);
      if (!(connection instanceof Error)) return connection;
      const isKnown = this.users.some(({ name }) => name === user);
      if (!isKnown || !(connection.cause instanceof AuthorizationError) || tries > 100) throw connection;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Over other ports of this machine, and only those. */
  connectThrough(user: string, ports: readonly number[]): Promise<NatsConnection> {
    const url = ports.map((port) => `nats://127.0.0.1:${port}`).join(",");
    return connectHub({ ...this.login(user), url }, { ignoreClusterUpdates: true });
  }

  /** Resolves when it takes connections. */
  async up(at = 0): Promise<void> {
    const node = this.node(at);
    const child = spawn(this.program, ["-c", join(this.folder, `${node.name}.conf`)], { stdio: "ignore" });
    node.child = child;
    while (!(await takesConnections(node.port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async kill(at = 0): Promise<void> {
    const { child } = this.node(at);
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  /** Without a word to its clients; SIGCONT continues it. */
  signal(at: number, signal: "SIGSTOP" | "SIGCONT"): void {
    this.node(at).child?.kill(signal);
  }

  /** What the streams take on the disks of all nodes. */
  storeBytes(): number {
    const files = this.nodes.flatMap(({ name }) => {
      const names = readdirSync(join(this.folder, name), { recursive: true, encoding: "utf8" });
      return names.filter((path) => path.endsWith(".blk")).map((path) => join(this.folder, name, path));
    });
    return files.reduce((all, path) => all + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.nodes.map((_, at) => this.kill(at)));
  }

  async remove(): Promise<void> {
    await this.stopAll();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private node(at: number): Node {
    const node = this.nodes[at];
    if (node === undefined) throw new Error(`there is no server ${at}`);
    return node;
  }

  private writeConfigs(systemKey: string): void {
    const routes = this.nodes.map(({ clusterPort }) => `nats://127.0.0.1:${clusterPort}`);
    for (const { name, port, clusterPort, leafPort } of this.nodes) {
      const made = serverConfig({ port, storeFolder: join(this.folder, name), systemKey, tls: this.tls });
      const leaf = `leafnodes { listen: "127.0.0.1:${leafPort}" }\n`;
      const config = `${made.replace("listen: 0.0.0.0:", "listen: 127.0.0.1:")}${leaf}`;
      const cluster = `server_name: ${name}\ncluster { name: hub, listen: "127.0.0.1:${clusterPort}", routes: ${JSON.stringify(routes)} }\n`;
      writeFileSync(join(this.folder, `${name}.conf`), this.nodes.length === 1 ? config : `${config}${cluster}`);
    }
  }

  private writeUsers(): void {
    const path = join(this.folder, "users.conf");
    writeFileSync(path, usersConfig(this.users));
    for (const { child } of this.nodes) child?.kill("SIGHUP");
  }
}

export function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket(port, "127.0.0.1", () => resolve(socket.destroy() !== null));
    socket.on("error", () => resolve(false));
  });
}
