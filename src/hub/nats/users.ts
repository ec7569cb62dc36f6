// The members and machines of a hub, and a server configuration that allows each exactly what it needs. A machine asks and
// ends its own questions, and a member answers under their own name. No one may create consumers: a consumer delivers to any
// subject that its creator chooses, such as one for another member's answers.
import { createHash } from "node:crypto";
import { nkeys } from "@nats-io/transport-node";
import { inboxOf } from "./connection.js";
import { API, DOMAIN, LEADER_ELECTED, streamNames } from "./subjects.js";

/** "site": the leaf node of a place, for the users there. */
export type HubUserKind = "member" | "machine" | "admin" | "site";

export interface HubUser {
  readonly kind: HubUserKind;
  readonly name: string;
  /** The public half of the key. */
  readonly key: string;
  /** Of a site: whose messages it may pass on. */
  readonly users?: readonly string[];
}

interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

const { question, answer, end, now, body } = streamNames;

// The hub's own servers map the name with the domain to the one without; both are checked.
const apis = ["$JS.API", API];
const reads = apis.flatMap((api) => [
  ...[question, answer, end, now, body].map((stream) => `${api}.STREAM.INFO.${stream}`),
  ...[question, answer, end, body].map((stream) => `${api}.STREAM.MSG.GET.${stream}`),
  ...[question, end, now].map((stream) => `${api}.DIRECT.GET.${stream}`),
]);

const leaders = `${LEADER_ELECTED}*`;

function permissionsOf({ kind, name, users = [] }: HubUser, all: readonly HubUser[]): Permissions {
  switch (kind) {
    case "member":
      return {
        publish: [`pv.answer.*.*.*.${name}`, `pv.shown.*.*.*.${name}`, ...reads],
        subscribe: [`${inboxOf(name)}.>`, "pv.live.>", leaders],
      };
    case "machine":
      return {
        publish: [...["question", "end", "now", "body"].map((kind) => `pv.${kind}.${name}.>`), ...reads],
        subscribe: [`${inboxOf(name)}.>`, `pv.answered.${name}.>`, `pv.shown.${name}.>`, `pv.live.${name}.>`, leaders],
      };
    case "admin":
      return { publish: apis.map((api) => `${api}.>`), subscribe: [`${inboxOf(name)}.>`] };
    case "site": {
      const there = all.filter((user) => users.includes(user.name) && user.kind !== "site");
      const each = there.map((user) => permissionsOf(user, all));
      const union = (of: keyof Permissions) => [...new Set(each.flatMap((permissions) => permissions[of]))];
      return { publish: union("publish"), subscribe: union("subscribe") };
    }
  }
}

/** The private half is for the file of the user alone. */
export function newKey(): { readonly key: string; readonly seed: string } {
  const pair = nkeys.createUser();
  return { key: pair.getPublicKey(), seed: new TextDecoder().decode(pair.getSeed()) };
}

/** The file with the users, which the configuration of each server includes. */
export function usersConfig(users: readonly HubUser[]): string {
  const block = usersBlock(users, users);
  const stamp = digestOf(block).slice(0, 32);
  const head = "# Written by palaver hub users; it counts on each server that has it, after palaver hub reload.";
  return `${head}\n${block}# A server says by this name which users it knows; nothing is ever sent there.\nexports = [ { stream: "${STAMP}${stamp}" } ]\n`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export const TEAM_ACCOUNT = "TEAM";
const STAMP = "pv.users.";

/** Which state of the users a file has; null for one that an older Palaver wrote. */
export function usersStampIn(config: string): string | null {
  return /^exports = \[ \{ stream: "(pv\.users\.\w+)" \} \]$/m.exec(config)?.[1] ?? null;
}

function usersBlock(users: readonly HubUser[], all: readonly HubUser[]): string {
  const entries = users.map((user) => {
    const { publish, subscribe } = permissionsOf(user, all);
    const permissions = { publish: onlyTo(publish), subscribe: onlyTo(subscribe) };
    const of = user.users === undefined || user.users.length === 0 ? "" : ` ${user.users.join(",")}`;
    return `  # ${user.kind} ${user.name} ${user.key}${of}\n  ${JSON.stringify({ nkey: user.key, permissions })}\n`;
  });
  return `users = [\n${entries.join("")}]\n`;
}

/** To the server, a list that allows nothing is no list: everything would be allowed. */
function onlyTo(subjects: readonly string[]) {
  return subjects.length === 0 ? { deny: [">"] } : { allow: subjects };
}

export function usersIn(config: string): HubUser[] {
  const lines = config.matchAll(/^ {2}# (member|machine|admin|site) ([\w-]+) (U[A-Z2-7]{55})(?: ([\w,-]+))?$/gm);
  return [...lines].map(([, kind = "", name = "", key = "", users]) => ({
    ...{ kind: kind as HubUserKind, name, key },
    ...(users === undefined ? {} : { users: users.split(",") }),
  }));
}

export interface ServerConfigOptions {
  readonly port: number;
  readonly storeFolder: string;
  /** Of the user who may ask the servers about themselves. */
  readonly systemKey: string;
  /** Null only for a server that listens on this machine alone. */
  readonly tls: ServerTls | null;
}

interface ServerTls {
  readonly certPath: string;
  readonly keyPath: string;
  /** The authority of the team's own; the server does not need it, the commands of the administrator do. */
  readonly caPath?: string | undefined;
}

/** The configuration of one server. The file with the users lies beside it. */
export function serverConfig({ port, storeFolder, systemKey, tls }: ServerConfigOptions): string {
  const quoted = (text: string) => JSON.stringify(text);
  return `# A server of the hub. Every answer is on disk before it is confirmed.
listen: ${tls === null ? "127.0.0.1" : "0.0.0.0"}:${port}
jetstream {
  store_dir: ${quoted(storeFolder)}
  sync_interval: always
  domain: ${DOMAIN}
}
${tls === null ? "" : tlsLine(tls)}max_payload: 1MB
accounts {
  SYS { users: [ { nkey: ${systemKey} } ] }
  ${TEAM_ACCOUNT} {
    jetstream: enabled
    include "./users.conf"
  }
}
system_account: SYS
`;
}

function tlsLine({ certPath, keyPath, caPath }: ServerTls): string {
  const files = { cert_file: certPath, key_file: keyPath, ...(caPath === undefined ? {} : { ca_file: caPath }) };
  const fields = Object.entries(files).map(([name, path]) => `${name}: ${JSON.stringify(path)}`);
  return `tls { ${fields.join(", ")} }\n`;
}

/** Where a server with this configuration listens, and what its certificate is, as `serverConfig` writes it. */
export function listenerIn(config: string): { readonly port: number | null; readonly tls: Partial<ServerTls> | null } {
  const port = /^listen: .*:(\d+)/m.exec(config)?.[1];
  const tls = /^tls \{([^}]*)\}/m.exec(config)?.[1];
  const file = (name: string) => {
    const path = new RegExp(`${name}: "([^"]*)"`).exec(tls ?? "")?.[1];
    return path === undefined ? {} : { [name === "ca_file" ? "caPath" : "certPath"]: path };
  };
  return {
    port: port === undefined ? null : Number(port),
    tls: tls === undefined ? null : { ...file("cert_file"), ...file("ca_file") },
  };
}

export interface SiteConfigOptions {
  readonly site: HubUser;
  /** The private half of the site's key. */
  readonly seed: string;
  readonly all: readonly HubUser[];
  readonly port: number;
  /** Where the hub takes leaf nodes. */
  readonly urls: readonly string[];
  readonly caPath?: string | undefined;
}

/** The whole configuration of a leaf node: it knows the users of its site and stores nothing. */
export function siteConfig({ site, seed, all, port, urls, caPath }: SiteConfigOptions): string {
  const tls = caPath === undefined ? "" : `, tls: { ca_file: ${JSON.stringify(caPath)} }`;
  return `# The leaf node of ${site.name}. It holds the key of the site: keep it private.
server_name: ${serverName(site, all)}
listen: 127.0.0.1:${port}
max_payload: 1MB
accounts {
  SYS { }
  ${TEAM_ACCOUNT} {
${siteUsers(site, all)}  }
}
system_account: SYS
leafnodes { remotes: [ { urls: ${JSON.stringify(urls)}, account: ${TEAM_ACCOUNT}, nkey: ${seed}${tls} } ] }
`;
}

/** The same configuration with other users. */
export function renewedSiteConfig(config: string, site: HubUser, all: readonly HubUser[]): string {
  return config
    .replace(/^server_name: .*$/m, () => `server_name: ${serverName(site, all)}`)
    .replace(/^users = \[\n(?:.*\n)*?\]\n/m, () => siteUsers(site, all));
}

/** The hub sees by it which users a leaf node knows. */
export function leafNodeName(site: HubUser, all: readonly HubUser[]): string {
  return `${site.name}-${digestOf(siteUsers(site, all)).slice(0, 8)}`;
}

/** In quotes: a site may have a number for a name. */
function serverName(site: HubUser, all: readonly HubUser[]): string {
  return JSON.stringify(leafNodeName(site, all));
}

/** Of a leaf node, whatever users it knows. */
export function siteOfLeafNode(name: string): string {
  return name.replace(/-[0-9a-f]{8}$/, "");
}

function siteUsers(site: HubUser, all: readonly HubUser[]): string {
  return usersBlock(
    all.filter(({ name }) => site.users?.includes(name)),
    all,
  );
}
