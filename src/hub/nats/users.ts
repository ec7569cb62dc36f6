// The members and machines of a hub, and the server's configuration for exactly what each of them may do. A machine asks and ends
// its own questions, a member answers under their own name, and neither can do anything else: no consumer either, for the server would
// deliver to any subject that its maker names, including one where the answer of another member belongs.
import { nkeys } from "@nats-io/transport-node";
import { inboxOf } from "./connection.js";
import { streamNames } from "./subjects.js";

export type HubUserKind = "member" | "machine" | "admin";

export interface HubUser {
  readonly kind: HubUserKind;
  readonly name: string;
  /** The public half of the key. */
  readonly key: string;
}

interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

const { question, answer, end, now } = streamNames;

const reads = [
  ...[question, answer, end, now].map((stream) => `$JS.API.STREAM.INFO.${stream}`),
  ...[question, answer, end].map((stream) => `$JS.API.STREAM.MSG.GET.${stream}`),
  ...[question, end, now].map((stream) => `$JS.API.DIRECT.GET.${stream}`),
];

function permissionsOf({ kind, name }: HubUser): Permissions {
  switch (kind) {
    case "member":
      return { publish: [`pv.answer.*.*.*.${name}`, ...reads], subscribe: [`${inboxOf(name)}.>`, "pv.live.>"] };
    case "machine":
      return {
        publish: [`pv.question.${name}.>`, `pv.end.${name}.>`, `pv.now.${name}.>`, ...reads],
        subscribe: [`${inboxOf(name)}.>`, `pv.answered.${name}.>`, `pv.live.${name}.>`],
      };
    case "admin":
      return { publish: ["$JS.API.>"], subscribe: [`${inboxOf(name)}.>`] };
  }
}

/** The private half is for the file of the user alone. */
export function newKey(): { readonly key: string; readonly seed: string } {
  const pair = nkeys.createUser();
  return { key: pair.getPublicKey(), seed: new TextDecoder().decode(pair.getSeed()) };
}

/** The file with the users, which the server's configuration includes. */
export function usersConfig(users: readonly HubUser[]): string {
  const entries = users.map((user) => {
    const { publish, subscribe } = permissionsOf(user);
    const permissions = { publish: { allow: publish }, subscribe: { allow: subscribe } };
    return `  # ${user.kind} ${user.name} ${user.key}\n  ${JSON.stringify({ nkey: user.key, permissions })}\n`;
  });
  return `# Written by palaver hub users; nats-server --signal reload makes it count.\nusers = [\n${entries.join("")}]\n`;
}

export function usersIn(config: string): HubUser[] {
  return [...config.matchAll(/^ {2}# (member|machine|admin) ([\w-]+) (U[A-Z2-7]{55})$/gm)].map(
    ([, kind = "", name = "", key = ""]) => ({ kind: kind as HubUserKind, name, key }),
  );
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
