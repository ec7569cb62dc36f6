// The members and machines of a hub, and the server's configuration for exactly what each of them may do. A machine asks and ends
// its own questions, a member answers under their own name, and neither can do anything else: no consumer either, for the server would
// deliver to any subject that its maker names, including one where the answer of another member belongs.
import { nkeys } from "@nats-io/transport-node";
import { inboxOf } from "./connection.js";
import { API, DOMAIN, streamNames } from "./subjects.js";

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

function permissionsOf({ kind, name, users = [] }: HubUser, all: readonly HubUser[]): Permissions {
  switch (kind) {
    case "member":
      return { publish: [`pv.answer.*.*.*.${name}`, ...reads], subscribe: [`${inboxOf(name)}.>`, "pv.live.>"] };
    case "machine":
      return {
        publish: [...["question", "end", "now", "body"].map((kind) => `pv.${kind}.${name}.>`), ...reads],
        subscribe: [`${inboxOf(name)}.>`, `pv.answered.${name}.>`, `pv.live.${name}.>`],
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

/** The file with the users, which the server's configuration includes. */
export function usersConfig(users: readonly HubUser[]): string {
  return `# Written by palaver hub users; nats-server --signal reload makes it count.\n${usersBlock(users, users)}`;
}

function usersBlock(users: readonly HubUser[], all: readonly HubUser[]): string {
  const entries = users.map((user) => {
    const { publish, subscribe } = permissionsOf(user, all);
    const permissions = { publish: { allow: publish }, subscribe: { allow: subscribe } };
    const of = user.users === undefined ? "" : ` ${user.users.join(",")}`;
    return `  # ${user.kind} ${user.name} ${user.key}${of}\n  ${JSON.stringify({ nkey: user.key, permissions })}\n`;
  });
  return `users = [\n${entries.join("")}]\n`;
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
  readonly tls: { readonly certPath: string; readonly keyPath: string } | null;
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
${tls === null ? "" : `tls { cert_file: ${quoted(tls.certPath)}, key_file: ${quoted(tls.keyPath)} }\n`}max_payload: 1MB
accounts {
  SYS { users: [ { nkey: ${systemKey} } ] }
  TEAM {
    jetstream: enabled
    include "./users.conf"
  }
}
system_account: SYS
`;
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
  const users = all.filter(({ name }) => site.users?.includes(name));
  const tls = caPath === undefined ? "" : `, tls: { ca_file: ${JSON.stringify(caPath)} }`;
  return `# The leaf node of ${site.name}. It holds the key of the site: keep it private.
server_name: ${site.name}
listen: 127.0.0.1:${port}
max_payload: 1MB
accounts {
  SYS { }
  TEAM {
${usersBlock(users, all)}  }
}
system_account: SYS
leafnodes { remotes: [ { urls: ${JSON.stringify(urls)}, account: TEAM, nkey: ${seed}${tls} } ] }
`;
}
