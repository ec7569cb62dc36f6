// `palaver hub`: sets up the broker of a hub and says whether it can be trusted with questions. Everything it writes lies in one
// folder: the server's configuration, its users, and a private file with each user's key.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "../../contract/plain-word.js";
import type { StreamLimits } from "../../hub/nats/streams.js";
import type { HubUser, HubUserKind } from "../../hub/nats/users.js";
import { safeLine } from "../../text/safe.js";
import { readArguments, wholeNumber } from "../arguments.js";
import type { Command } from "../command-table.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { complain, tableLines } from "../printed.js";

const help = `palaver hub init | check | users [add NAME | remove NAME] [options]

Sets up the hub of a team: a NATS server (nats-server 2.11 or newer) where the
questions of all machines meet. The daemons join it with the flag hub of palaver
serve; palaver asks, answer and sessions have the same flag.

  init               without a server: write its configuration into a folder;
                     with a server that runs: make the streams
  check              refuse a server that would lose data, and say what to
                     change; exit code 1
  users              list members and machines
  users add NAME     make a key for a member, or with --machine for a machine,
                     which may do only what is its own
  users remove NAME  the server refuses this key from now on

  --folder DIR       where all of it is kept (default: hub)
  --url URL          the address of the server (default: nats://127.0.0.1:4222)
  --port N           for init: the port of the server (default: 4222)
  --cert FILE        for init: the certificate of the server; without one it
                     listens on this machine only
  --cert-key FILE    for init: the key of the certificate
  --ca FILE          for a certificate authority of your own: its certificate
  --replicas N       for init: on how many servers each question lies; 3 with
                     three servers or more (default: 1)
  --days N           for init: how long questions and records are kept, at least
                     7 (default: 30)
  --gigabytes N      for init: how large each stream may become; a full hub
                     refuses new questions (default: 2)
  --machine          for users add: a machine, not a member
  --site A,B         for users add: the leaf node of a site with these users;
                     its configuration is written for the address in --url

Examples
  palaver hub init && nats-server -c hub/hub.conf
  palaver hub init && palaver hub check
  palaver hub users add ada
  palaver hub users add build-1 --machine
`;

const options = {
  folder: { type: "string", default: "hub" },
  url: { type: "string" },
  port: { type: "string", default: "4222" },
  cert: { type: "string" },
  "cert-key": { type: "string" },
  ca: { type: "string" },
  replicas: { type: "string", default: "1" },
  days: { type: "string", default: "30" },
  gigabytes: { type: "string", default: "2" },
  machine: { type: "boolean", default: false },
  site: { type: "string" },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>["values"];

const ADMIN = "admin";
const SYSTEM = "system";

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("hub", args, options);
    const [action, ...rest] = positionals;
    switch (action) {
      case "init":
        return init(values);
      case "check":
        return check(values);
      case "users":
        return users(rest, values);
      default:
        throw new UsageError("hub takes init, check or users\n  palaver hub --help");
    }
  },
};

function pathsOf({ folder }: Values) {
  const root = resolve(folder);
  return {
    ...{ root, config: join(root, "hub.conf"), users: join(root, "users.conf") },
    key: (user: string) => join(root, "keys", `${user}.nk`),
  };
}

async function init(values: Values): Promise<ExitCode> {
  const { config } = pathsOf(values);
  if (!existsSync(config)) return writeConfig(values);
  const { makeStreams } = await import("../../hub/nats/streams.js");
  const connection = await connected(values, ADMIN);
  try {
    await makeStreams(connection, limitsOf(values));
  } finally {
    await connection.close();
  }
  process.stdout.write("The streams of the hub are there. Add members and machines: palaver hub users add NAME\n");
  return exitCodes.done;
}

function limitsOf(values: Values): StreamLimits {
  const days = wholeNumber("--days", values.days, 3_650);
  if (days < 7) throw new UsageError("--days has to be 7 or more: a question can wait a week for its agent");
  const bytesMax = wholeNumber("--gigabytes", values.gigabytes, 100_000) * 1024 ** 3;
  return { replicas: wholeNumber("--replicas", values.replicas, 5), days, bytesMax };
}

async function writeConfig(values: Values): Promise<ExitCode> {
  const { newKey, serverConfig } = await import("../../hub/nats/users.js");
  const { root, config, key } = pathsOf(values);
  const { cert: certPath, "cert-key": keyPath } = values;
  if ((certPath === undefined) !== (keyPath === undefined)) throw new UsageError("--cert and --cert-key go together");
  mkdirSync(join(root, "keys"), { recursive: true, mode: 0o700 });
  chmodSync(join(root, "keys"), 0o700);
  const system = newKey();
  writePrivate(key(SYSTEM), system.seed);
  const port = wholeNumber("--port", values.port, 65_535);
  const tls =
    certPath === undefined || keyPath === undefined ? null : { certPath: resolve(certPath), keyPath: resolve(keyPath) };
  await writeUsers(values, [await newUser(values, "admin", ADMIN)]);
  writeFileSync(config, serverConfig({ port, storeFolder: join(root, "store"), systemKey: system.key, tls }), {
    mode: 0o600,
  });
  process.stdout.write(
    `Wrote ${config}. Start the server, then make the streams:\n  nats-server -c ${config}\n  palaver hub init --folder ${root}\n`,
  );
  return exitCodes.done;
}

async function check(values: Values): Promise<ExitCode> {
  const { serverProblems } = await import("../../hub/nats/servers.js");
  const system = await connected(values, SYSTEM);
  const { problems, servers } = await serverProblems(system).finally(() => system.close());
  if (servers > 0) problems.push(...(await streamsProblems(values, servers)));
  for (const words of problems) complain(`✕ ${safeLine(words)}`);
  if (problems.length === 0) process.stdout.write("This hub keeps what it is given.\n");
  return problems.length === 0 ? exitCodes.done : exitCodes.agentFailed;
}

async function streamsProblems(values: Values, servers: number): Promise<string[]> {
  const { fullStreams, streamProblems } = await import("../../hub/nats/streams.js");
  const connection = await connected(values, ADMIN);
  try {
    const problems = await streamProblems(connection, servers);
    return problems.length === 0 ? await fullStreams(connection) : problems;
  } catch (error) {
    return [`the streams cannot be checked: ${errorMessage(error)}`];
  } finally {
    await connection.close();
  }
}

async function users([action, name, ...more]: readonly string[], values: Values): Promise<ExitCode> {
  const known = await knownUsers(values);
  if (action === undefined) {
    const rows = known.filter(({ kind }) => kind !== "admin").map(({ kind, name: user }) => [user, kind]);
    process.stdout.write(rows.length === 0 ? "no members or machines yet\n" : `${tableLines(rows).join("\n")}\n`);
    return exitCodes.done;
  }
  if (name === undefined || more.length > 0 || !/^[\w-]{1,40}$/.test(name)) {
    throw new UsageError("users takes add NAME or remove NAME; a name has letters, digits, _ and -");
  }
  if (action === "add") return addUser(name, known, values);
  if (action !== "remove") throw new UsageError("users takes add NAME or remove NAME");
  if (name === ADMIN || !known.some((user) => user.name === name)) throw new UsageError(`there is no user ${name}`);
  await writeUsers(
    values,
    known.filter((user) => user.name !== name),
  );
  rmSync(pathsOf(values).key(name), { force: true });
  process.stdout.write(`${name} is removed as soon as the server reads its file: nats-server --signal reload\n`);
  return exitCodes.done;
}

async function addUser(name: string, known: readonly HubUser[], values: Values): Promise<ExitCode> {
  if (name === SYSTEM || known.some((user) => user.name === name))
    throw new UsageError(`there is a user ${name} already`);
  if (values.site !== undefined) return addSite(name, values.site, known, values);
  const kind: HubUserKind = values.machine ? "machine" : "member";
  await writeUsers(values, [...known, await newUser(values, kind, name)]);
  const path = pathsOf(values).key(name);
  process.stdout.write(
    `${name} is a ${kind} of the hub as soon as the server reads its file: nats-server --signal reload\n` +
      `  The key is in ${path}. On ${name}'s machine:\n` +
      `  palaver config set hub.user ${name}\n  palaver config set hub.key /path/of/${name}.nk\n`,
  );
  return exitCodes.done;
}

async function addSite(name: string, list: string, known: readonly HubUser[], values: Values): Promise<ExitCode> {
  const there = list.split(",").map((user) => user.trim());
  const stranger = there.find((user) => !known.some(({ name: other, kind }) => other === user && isPerson(kind)));
  if (stranger !== undefined) throw new UsageError(`--site: there is no user ${stranger}`);
  const { siteConfig } = await import("../../hub/nats/users.js");
  const site: HubUser = { ...(await newUser(values, "site", name)), users: there };
  const all = [...known, site];
  await writeUsers(values, all);
  const { root, key } = pathsOf(values);
  const path = join(root, `${name}.conf`);
  const urls = (values.url ?? "nats://127.0.0.1:7422").split(",").map((url) => url.trim());
  const seed = readFileSync(key(name), "utf8").trim();
  const port = wholeNumber("--port", values.port, 65_535);
  const caPath = values.ca === undefined ? undefined : resolve(values.ca);
  writeFileSync(path, siteConfig({ site, seed, all, port, urls, caPath }), { mode: 0o600 });
  process.stdout.write(
    `${name} is a site of the hub as soon as the server reads its file: nats-server --signal reload\n` +
      `  Wrote ${path}. At ${name}: nats-server -c ${name}.conf\n`,
  );
  return exitCodes.done;
}

function isPerson(kind: HubUserKind): boolean {
  return kind === "member" || kind === "machine";
}

async function newUser(values: Values, kind: HubUserKind, name: string): Promise<HubUser> {
  const { newKey } = await import("../../hub/nats/users.js");
  const { key, seed } = newKey();
  writePrivate(pathsOf(values).key(name), seed);
  return { kind, name, key };
}

async function knownUsers(values: Values): Promise<HubUser[]> {
  const { usersIn } = await import("../../hub/nats/users.js");
  const path = pathsOf(values).users;
  if (!existsSync(path)) throw new UsageError(`there is no hub in ${values.folder}; palaver hub init makes one`);
  return usersIn(readFileSync(path, "utf8"));
}

async function writeUsers(values: Values, list: readonly HubUser[]): Promise<void> {
  const { usersConfig } = await import("../../hub/nats/users.js");
  writeFileSync(pathsOf(values).users, usersConfig(list), { mode: 0o600 });
}

function writePrivate(path: string, text: string): void {
  writeFileSync(path, `${text}\n`, { mode: 0o600, flag: "wx" });
}

async function connected(values: Values, user: string) {
  const { connectHub } = await import("../../hub/nats/connection.js");
  const url = values.url ?? `nats://127.0.0.1:${values.port}`;
  const keyPath = pathsOf(values).key(user);
  if (!existsSync(keyPath)) throw new UsageError(`there is no key ${keyPath}; palaver hub init makes one`);
  try {
    return await connectHub({ url, user, keyPath, ...(values.ca === undefined ? {} : { caPath: values.ca }) });
  } catch (error) {
    throw new Error(`the server at ${url} cannot be reached: ${errorMessage(error)}`);
  }
}
