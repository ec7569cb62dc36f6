// `palaver hub`: sets up the broker of a hub and says whether it can be trusted with questions. Everything it writes lies in one
// folder: the server's configuration, its users, and a private file with each user's key.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "../../contract/plain-word.js";
import type { StreamLimits } from "../../hub/nats/streams.js";
import { safeLine } from "../../text/safe.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { complain } from "../printed.js";
import {
  ADMIN,
  connected,
  countFrom,
  type HubValues,
  hubFolderOptions,
  knownUsers,
  listenerOf,
  newUser,
  pathsOf,
  portOf,
  SYSTEM,
  writePrivate,
  writeUsers,
} from "./hub-folder.js";
import { changeUsers, reloadUsers, wantedUsers } from "./hub-users.js";

const help = `palaver hub init | check | reload | users [add NAME | remove NAME] [options]

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
  users remove NAME  the servers refuse this key after the next reload; it says
                     what has to be copied where before that
  reload             every server reads its users again; removed users
                     are disconnected

  --folder DIR       where all of it is kept (default: hub)
  --url URL          the address of the server (default: this machine, as the
                     configuration in the folder says)
  --port N           for a new folder: the port of the server (default: 4222)
  --cert FILE        for a new folder: the certificate of the server; without
                     one it listens on this machine only
  --cert-key FILE    for a new folder: the key of the certificate
  --ca FILE          for a certificate authority of your own: its certificate
  --replicas N       for init: on how many servers each question lies; 3 with
                     three servers or more (new streams: 1)
  --days N           for init: how long questions and records are kept, at least
                     7 (new streams: 30)
  --gigabytes N      for init: how large each stream may become; a full hub
                     refuses new questions (new streams: 2)
  --machine          for users add: a machine, not a member
  --site A,B         for users add: the leaf node of a site with these users, or
                     other users for one that is there; --url is where the hub
                     takes leaf nodes, --port where this one listens

Streams that are there keep what no option changes.

Examples
  palaver hub init && nats-server -c hub/hub.conf
  palaver hub init && palaver hub check
  palaver hub users add ada
  palaver hub users add build-1 --machine
`;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("hub", args, hubFolderOptions);
    const [action, ...rest] = positionals;
    switch (action) {
      case "init":
        return init(values);
      case "check":
        return check(values);
      case "reload":
        return reloadUsers(values);
      case "users":
        return changeUsers(rest, values);
      default:
        throw new UsageError("hub takes init, check, reload or users\n  palaver hub --help");
    }
  },
};

async function init(values: HubValues): Promise<ExitCode> {
  const wanted = limitsOf(values);
  if (!existsSync(pathsOf(values).config)) return writeConfig(values);
  await refuseChanges(values);
  await renewUsers(values);
  const { makeStreams } = await import("../../hub/nats/streams.js");
  const connection = await connected(values, ADMIN);
  const { limits, changes } = await makeStreams(connection, wanted).finally(() => connection.close());
  const lines = changes.length === 0 ? ["The streams of the hub are there; nothing had to be changed."] : changes;
  process.stdout.write(
    `${[...lines.map(safeLine), ...limits.map(limitWords)].join("\n")}\n` +
      "Add members and machines: palaver hub users add NAME\n",
  );
  return exitCodes.done;
}

function limitWords({ days, bytesMax, replicas }: StreamLimits): string {
  const age = days === 0 ? "for ever" : `${days} days`;
  const size = bytesMax > 0 ? `up to ${Math.round((10 * bytesMax) / GIGABYTE) / 10} GB each` : "of any size";
  return `Records are kept ${age}, ${size}, on ${replicas} ${replicas === 1 ? "server" : "servers"}.`;
}

const GIGABYTE = 1024 ** 3;

function limitsOf({ days, gigabytes, replicas }: HubValues): Partial<StreamLimits> {
  return {
    ...(days === undefined ? {} : { days: countFrom("--days", days, { min: 7, max: 3_650 }) }),
    ...(gigabytes === undefined
      ? {}
      : { bytesMax: countFrom("--gigabytes", gigabytes, { min: 1, max: 100_000 }) * GIGABYTE }),
    ...(replicas === undefined ? {} : { replicas: countFrom("--replicas", replicas, { min: 1, max: 5 }) }),
  };
}

/** What users may do, this version may say otherwise than the one that wrote the file. */
async function renewUsers(values: HubValues): Promise<void> {
  const { usersConfig } = await import("../../hub/nats/users.js");
  const path = pathsOf(values).users;
  const known = existsSync(path) ? await knownUsers(values) : [];
  if (known.length === 0 || readFileSync(path, "utf8") === usersConfig(known)) return;
  await writeUsers(values, known);
  process.stdout.write(`Wrote ${path} again: copy it to every other server, then palaver hub reload\n`);
}

/** The configuration is its owner's now. */
async function refuseChanges(values: HubValues): Promise<void> {
  const { config } = pathsOf(values);
  const { port } = await listenerOf(values);
  const other = values.port !== undefined && portOf(values) !== port ? "port" : null;
  const given = values.cert !== undefined ? "cert" : values["cert-key"] !== undefined ? "cert-key" : other;
  if (given === null) return;
  throw new UsageError(`--${given} is for a new folder; ${config} is there already: edit it, or remove it`);
}

async function writeConfig(values: HubValues): Promise<ExitCode> {
  const { newKey, serverConfig } = await import("../../hub/nats/users.js");
  const { root, config, key } = pathsOf(values);
  const [port, tls] = [portOf(values), tlsOf(values)];
  mkdirSync(join(root, "keys"), { recursive: true, mode: 0o700 });
  chmodSync(join(root, "keys"), 0o700);
  const system = newKey();
  writePrivate(key(SYSTEM), system.seed);
  await writeUsers(values, [await newUser(values, "admin", ADMIN)]);
  writeFileSync(config, serverConfig({ port, storeFolder: join(root, "store"), systemKey: system.key, tls }), {
    mode: 0o600,
  });
  const limits = (["replicas", "days", "gigabytes"] as const).flatMap((name) =>
    values[name] === undefined ? [] : [` --${name} ${values[name]}`],
  );
  process.stdout.write(
    `Wrote ${config}. Start the server, then make the streams:\n  nats-server -c ${config}\n` +
      `  palaver hub init --folder ${root}${limits.join("")}\n`,
  );
  return exitCodes.done;
}

/** The files are looked at now: the server would refuse them, or every client. */
function tlsOf({ cert, "cert-key": certKey, ca }: HubValues) {
  if ((cert === undefined) !== (certKey === undefined)) throw new UsageError("--cert and --cert-key go together");
  if (cert === undefined || certKey === undefined) return null;
  const certificate = readAs(cert, (text) => new X509Certificate(text));
  const key = readAs(certKey, (text) => createPrivateKey(text));
  if (!certificate.checkPrivateKey(key)) throw new UsageError(`${certKey} is not the key of ${cert}`);
  if (ca !== undefined) readAs(ca, (text) => new X509Certificate(text));
  return { certPath: resolve(cert), keyPath: resolve(certKey), caPath: ca === undefined ? undefined : resolve(ca) };
}

function readAs<Read>(path: string, read: (text: Buffer) => Read): Read {
  try {
    return read(readFileSync(path));
  } catch (error) {
    throw new UsageError(`${path} cannot be read as a certificate or key: ${errorMessage(error)}`);
  }
}

async function check(values: HubValues): Promise<ExitCode> {
  const { serverProblems } = await import("../../hub/nats/servers.js");
  const { entrances, problems } = await entrancesOf(values);
  const [first] = entrances;
  if (first === undefined) throw new Error(problems.join("\n"));
  try {
    const { problems: found, servers, ids } = await serverProblems(first.connection, await wantedUsers(values));
    problems.push(...found);
    for (const { url, connection } of entrances) {
      if (ids.length === 0 || ids.includes(connection.info?.server_id ?? "")) continue;
      problems.push(`the server at ${url} does not see the one at ${first.url}: they have to be one cluster`);
    }
    if (servers > 0) problems.push(...(await streamsProblems(first.values, servers)));
  } finally {
    await Promise.all(entrances.map(({ connection }) => connection.close()));
  }
  for (const words of problems) complain(`✕ ${safeLine(words)}`);
  if (problems.length === 0) process.stdout.write("This hub keeps what it is given.\n");
  return problems.length === 0 ? exitCodes.done : exitCodes.agentFailed;
}

/** A connection to each of the servers that were named, and why there is none to others. */
async function entrancesOf(values: HubValues) {
  const each = values.url?.split(",").map((url) => ({ ...values, url: url.trim() })) ?? [values];
  const tried = each.map(async (one) => {
    const alone = { ignoreClusterUpdates: true, reconnect: false };
    return connected(one, SYSTEM, alone).then(
      (connection) => ({ url: one.url ?? connection.getServer(), values: one, connection }),
      (error: unknown) => errorMessage(error),
    );
  });
  const all = await Promise.all(tried);
  return {
    entrances: all.filter((one) => typeof one !== "string"),
    problems: all.filter((one) => typeof one === "string"),
  };
}

async function streamsProblems(values: HubValues, servers: number): Promise<string[]> {
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
