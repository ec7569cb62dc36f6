// The folder of a hub's administrator: the configuration of the servers, the users with a private file for each key, and how its
// commands reach the servers.
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessage } from "../../contract/plain-word.js";
import type { connectHub } from "../../hub/nats/connection.js";
import type { HubUser, HubUserKind } from "../../hub/nats/users.js";
import { type readArguments, wholeNumber } from "../arguments.js";
import { UsageError } from "../exit-codes.js";

export const hubFolderOptions = {
  folder: { type: "string", default: "hub" },
  url: { type: "string" },
  port: { type: "string" },
  cert: { type: "string" },
  "cert-key": { type: "string" },
  ca: { type: "string" },
  replicas: { type: "string" },
  days: { type: "string" },
  gigabytes: { type: "string" },
  machine: { type: "boolean", default: false },
  site: { type: "string" },
} as const;

export type HubValues = ReturnType<typeof readArguments<typeof hubFolderOptions>>["values"];

export const ADMIN = "admin";
export const SYSTEM = "system";

export function pathsOf({ folder }: HubValues) {
  const root = resolve(folder);
  return {
    ...{ root, config: join(root, "hub.conf"), users: join(root, "users.conf") },
    key: (user: string) => join(root, "keys", `${user}.nk`),
  };
}

export function portOf({ port }: HubValues): number {
  return countFrom("--port", port ?? "4222", { min: 1, max: 65_535 });
}

export function countFrom(option: string, text: string, { min, max }: { min: number; max: number }): number {
  const count = wholeNumber(option, text, max);
  if (count < min) throw new UsageError(`${option} has to be ${min} or more`);
  return count;
}

export async function newUser(values: HubValues, kind: HubUserKind, name: string): Promise<HubUser> {
  const { newKey } = await import("../../hub/nats/users.js");
  const { key, seed } = newKey();
  writePrivate(pathsOf(values).key(name), seed);
  return { kind, name, key };
}

export async function knownUsers(values: HubValues): Promise<HubUser[]> {
  const { usersIn } = await import("../../hub/nats/users.js");
  const path = pathsOf(values).users;
  if (!existsSync(path)) throw new UsageError(`there is no hub in ${values.folder}; palaver hub init makes one`);
  return usersIn(readFileSync(path, "utf8"));
}

export async function writeUsers(values: HubValues, list: readonly HubUser[]): Promise<void> {
  const { usersConfig } = await import("../../hub/nats/users.js");
  writeFileSync(pathsOf(values).users, usersConfig(list), { mode: 0o600 });
}

export function writePrivate(path: string, text: string): void {
  writeFileSync(path, `${text}\n`, { mode: 0o600, flag: "wx" });
}

export async function listenerOf(values: HubValues) {
  const { listenerIn } = await import("../../hub/nats/users.js");
  const { config } = pathsOf(values);
  return existsSync(config) ? listenerIn(readFileSync(config, "utf8")) : { port: null, tls: null };
}

/** How other machines reach the server, as far as its certificate says. */
export async function urlFor(values: HubValues): Promise<string> {
  const { port, tls } = await listenerOf(values);
  if (values.url !== undefined) return values.url;
  if (tls === null) return `nats://127.0.0.1:${port ?? portOf(values)}`;
  const names = existsSync(tls.certPath ?? "")
    ? new X509Certificate(readFileSync(tls.certPath ?? "")).subjectAltName
    : "";
  const host = /(?:DNS|IP Address):([\w.-]+)/.exec(names ?? "")?.[1] ?? "HOST";
  return `tls://${host}:${port}`;
}

export async function connected(values: HubValues, user: string, more: Parameters<typeof connectHub>[1] = {}) {
  const { connectHub } = await import("../../hub/nats/connection.js");
  const { port, tls } = await listenerOf(values);
  const keyPath = pathsOf(values).key(user);
  if (!existsSync(keyPath)) {
    throw new UsageError(
      `there is no key ${keyPath}; run this on the administrator's machine, and name its folder with --folder`,
    );
  }
  const own = `${tls === null ? "nats" : "tls"}://127.0.0.1:${port ?? portOf(values)}`;
  const { url = own, ca: caPath = tls?.caPath } = values;
  // On this machine the server is known by its certificate, not by its name.
  const certPath = values.url === undefined && existsSync(tls?.certPath ?? "") ? tls?.certPath : undefined;
  const files = { ...(caPath === undefined ? {} : { caPath }), ...(certPath === undefined ? {} : { certPath }) };
  try {
    return await connectHub({ url, user, keyPath, ...files }, more);
  } catch (error) {
    throw new Error(`the server at ${url} cannot be reached: ${errorMessage(error)}`);
  }
}
