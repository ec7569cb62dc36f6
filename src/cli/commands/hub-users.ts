// `palaver hub users` and `reload`: who may use a hub, and what has to be copied where before a change counts. The servers read users.conf; the leaf
// node of a site has a file of its own.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WantedUsers } from "../../hub/nats/servers.js";
import type { HubUser, HubUserKind } from "../../hub/nats/users.js";
import { safeLine } from "../../text/safe.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { complain, tableLines } from "../printed.js";
import {
  ADMIN,
  connected,
  type HubValues,
  knownUsers,
  listenerOf,
  newUser,
  pathsOf,
  portOf,
  SYSTEM,
  urlFor,
  writeUsers,
} from "./hub-folder.js";

export async function changeUsers([action, name, ...more]: readonly string[], values: HubValues): Promise<ExitCode> {
  const known = await knownUsers(values);
  if (action === undefined) {
    const rows = known
      .filter(({ kind }) => kind !== "admin")
      .map(({ kind, name: user, users }) => [user, kind, users?.join(", ") ?? ""]);
    process.stdout.write(rows.length === 0 ? "no members or machines yet\n" : `${tableLines(rows).join("\n")}\n`);
    return exitCodes.done;
  }
  if (name === undefined || more.length > 0 || !/^[\w-]{1,40}$/.test(name)) {
    throw new UsageError("users takes add NAME or remove NAME; a name has letters, digits, _ and -");
  }
  if (action === "add") return addUser(name, known, values);
  if (action !== "remove") throw new UsageError("users takes add NAME or remove NAME");
  return removeUser(name, known, values);
}

async function removeUser(name: string, known: readonly HubUser[], values: HubValues): Promise<ExitCode> {
  const user = known.find((one) => one.name === name);
  if (name === ADMIN || user === undefined) throw new UsageError(`there is no user ${name}`);
  const left = known
    .filter((one) => one !== user)
    .map((one) => (one.users?.includes(name) ? { ...one, users: one.users.filter((other) => other !== name) } : one));
  await writeUsers(values, left);
  rmSync(pathsOf(values).key(name), { force: true });
  if (user.kind === "site") rmSync(siteFile(values, name), { force: true });
  const sites = known.filter(({ users }) => users?.includes(name)).map((site) => site.name);
  for (const site of sites) await renewSite(site, left, values);
  const atSites = sites.map(
    (site) =>
      `  copy ${site}.conf to ${site} and restart its nats-server; before that, ${name} can still read there what\n` +
      `  others of ${site} may read`,
  );
  process.stdout.write(
    `${name} is removed from ${pathsOf(values).users}. Before it counts:\n${steps(values, atSites)}`,
  );
  return exitCodes.done;
}

export async function reloadUsers(values: HubValues): Promise<ExitCode> {
  const { reloadServers } = await import("../../hub/nats/servers.js");
  const system = await connected(values, SYSTEM);
  const { reloaded, problems } = await reloadServers(system, await wantedUsers(values)).finally(() => system.close());
  for (const words of problems) complain(`✕ ${safeLine(words)}`);
  if (problems.length > 0) return exitCodes.agentFailed;
  process.stdout.write(`${reloaded} ${reloaded === 1 ? "server has" : "servers have"} read the users again.\n`);
  return exitCodes.done;
}

/** Null for a folder that is not the administrator's. */
export async function wantedUsers(values: HubValues): Promise<WantedUsers | null> {
  const { leafNodeName, usersStampIn } = await import("../../hub/nats/users.js");
  const path = pathsOf(values).users;
  if (!existsSync(path)) return null;
  const known = await knownUsers(values);
  const sites = known.filter(({ kind }) => kind === "site");
  return { stamp: usersStampIn(readFileSync(path, "utf8")), leafNodes: sites.map((site) => leafNodeName(site, known)) };
}

/** What has to happen after each change. The address of a site is where the hub takes leaf nodes, and no server for these commands. */
function steps({ folder, url, ca, site }: HubValues, more: readonly string[] = []): string {
  const given = { folder: folder === "hub" ? undefined : folder, ...(site === undefined ? { url, ca } : {}) };
  const options = Object.entries(given).filter(([, value]) => value !== undefined);
  const where = options.map(([name, value]) => ` --${name} ${value}`).join("");
  const all = [
    "  copy users.conf to every other server of the hub, if there are several",
    `  palaver hub reload${where}`,
    ...more,
    `  palaver hub check${where}, which names what is missing of it`,
  ];
  return `${all.join("\n")}\n`;
}

async function addUser(name: string, known: readonly HubUser[], values: HubValues): Promise<ExitCode> {
  const before = known.find((user) => user.name === name);
  if (values.site !== undefined && (before === undefined || before.kind === "site")) {
    return addSite(name, values.site, known, values);
  }
  if (name === SYSTEM || before !== undefined) throw new UsageError(`there is a user ${name} already`);
  const kind: HubUserKind = values.machine ? "machine" : "member";
  await writeUsers(values, [...known, await newUser(values, kind, name)]);
  const path = pathsOf(values).key(name);
  const { tls } = await listenerOf(values);
  const ca = tls?.caPath === undefined ? "" : "  palaver config set hub.ca /path/of/ca.pem\n";
  process.stdout.write(
    `${name} is a ${kind} of the hub in ${pathsOf(values).users}. Before it counts:\n${steps(values)}` +
      `The key is in ${path}. On the machine of ${name}:\n` +
      `  palaver config set hub.url ${await urlFor(values)}\n  palaver config set hub.user ${name}\n` +
      `  palaver config set hub.key /path/of/${name}.nk\n${ca}`,
  );
  return exitCodes.done;
}

/** A site that is there gets other users, and keeps its key. */
async function addSite(name: string, list: string, known: readonly HubUser[], values: HubValues): Promise<ExitCode> {
  if (RESERVED.has(name)) throw new UsageError(`a site cannot be called ${name}`);
  const users = list.split(",").map((user) => user.trim());
  const stranger = users.find((user) => !known.some(({ name: other, kind }) => other === user && isPerson(kind)));
  if (stranger !== undefined) throw new UsageError(`--site: there is no user ${stranger}`);
  const before = known.find((user) => user.name === name);
  const path = siteFile(values, name);
  const urls = await leafUrls(values);
  if (urls === null && (before === undefined || !existsSync(path))) {
    throw new UsageError("--site needs --url: where the hub takes leaf nodes, as in tls://hub.example.org:7422");
  }
  const site: HubUser = { ...(before ?? (await newUser(values, "site", name))), users };
  const all = [...known.filter((user) => user !== before), site];
  await writeUsers(values, all);
  if (urls === null) await renewSite(name, all, values);
  else await writeSite(site, all, urls, values);
  const ca = values.ca === undefined ? "" : `, with ${values.ca} at ${resolve(values.ca)}`;
  process.stdout.write(
    `${name} is a site of the hub in ${pathsOf(values).users}. Before it counts:\n` +
      steps(values, [`  copy ${path} to ${name}${ca}, and start there: nats-server -c ${name}.conf`]),
  );
  return exitCodes.done;
}

/** Files of the folder that are no site's. */
const RESERVED = new Set(["hub", "users", ADMIN, SYSTEM]);

function siteFile(values: HubValues, name: string): string {
  return join(pathsOf(values).root, `${name}.conf`);
}

/** Null where none are given. */
async function leafUrls({ url }: HubValues): Promise<readonly string[] | null> {
  if (url === undefined) return null;
  const { addressesIn, isLocal } = await import("../../hub/nats/connection.js");
  return addressesIn(url).map((address) => {
    if (address.protocol !== "tls:" && !isLocal([address.hostname])) {
      throw new UsageError(`a leaf node reaches the hub over TLS: --url tls://${address.host}`);
    }
    return `${address.protocol}//${address.host}`;
  });
}

async function writeSite(
  site: HubUser,
  all: readonly HubUser[],
  urls: readonly string[],
  values: HubValues,
): Promise<void> {
  const { siteConfig } = await import("../../hub/nats/users.js");
  const seed = readFileSync(pathsOf(values).key(site.name), "utf8").trim();
  const caPath = values.ca === undefined ? undefined : resolve(values.ca);
  const config = siteConfig({ site, seed, all, port: portOf(values), urls, caPath });
  writeFileSync(siteFile(values, site.name), config, { mode: 0o600 });
}

/** Its file, as far as it is the list of users; the rest may be its owner's by now. */
async function renewSite(name: string, all: readonly HubUser[], values: HubValues): Promise<void> {
  const { renewedSiteConfig } = await import("../../hub/nats/users.js");
  const [path, site] = [siteFile(values, name), all.find((user) => user.name === name)];
  if (site === undefined || !existsSync(path)) return;
  writeFileSync(path, renewedSiteConfig(readFileSync(path, "utf8"), site, all), { mode: 0o600 });
}

function isPerson(kind: HubUserKind): boolean {
  return kind === "member" || kind === "machine";
}
