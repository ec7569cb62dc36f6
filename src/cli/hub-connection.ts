// How a command reaches the hub: the address of --hub or the settings, and the key of this person or machine. The client of NATS is
// loaded only here, and only where a hub is asked for.
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../contract/plain-word.js";
import type { Hub } from "../hub/hub.js";
import type { HubLogin } from "../hub/nats/connection.js";
import type { Settings } from "../session/settings/setting-table.js";
import { configFolder } from "../session/user-folders.js";
import { loadConfig } from "./config/load-config.js";
import { UsageError } from "./exit-codes.js";

/** For `parseArgs`: --hub alone takes the address of the settings. */
export const hubOptions = { hub: { type: "string", bare: { means: "", unless: /^(?:nats|tls):/ } } } as const;

export const hubOptionsHelp = `  --hub [URL]        ask the hub of your team instead, for all its machines
                     (settings hub.url, hub.user and hub.key)`;

const ADDRESS = /^(?:nats|tls):\/\/[^\s/?#@]+$/;

/** "member": the user who answers, who may have another name than the machine. */
export function hubLogin(given: string, settings: Settings, as: "user" | "member" = "user"): HubLogin {
  const url = given === "" ? settings["hub.url"] : given;
  const isMember = as === "member" && settings["hub.member"] !== "";
  const [user, key] = isMember
    ? [settings["hub.member"], settings["hub.member_key"]]
    : [settings["hub.user"], settings["hub.key"]];
  if (url === "")
    throw new UsageError("--hub needs an address, as in --hub tls://hub.example.org, or the setting hub.url");
  if (!url.split(",").every((part) => ADDRESS.test(part.trim()))) {
    throw new UsageError(`--hub takes an address such as tls://hub.example.org, not "${url}"`);
  }
  if (user === "")
    throw new UsageError("the setting hub.user says who you are at the hub; palaver hub users add NAME makes one");
  const keyPath = key || keyPathOf(user);
  if (!existsSync(keyPath))
    throw new UsageError(
      `there is no key for the hub at ${keyPath}; the setting ${isMember ? "hub.member_key" : "hub.key"} names it`,
    );
  return { url, user, keyPath, ...(settings["hub.ca"] === "" ? {} : { caPath: settings["hub.ca"] }) };
}

/** Where the key of a user lies, if the settings do not say. */
function keyPathOf(user: string): string {
  const folder = configFolder(process.env, () => userInfo().homedir);
  return join(folder ?? "", "hub", `${user}.nk`);
}

/** The user waits for the command. */
const PATIENCE_MS = 10_000;

/** One request of a command to the hub of the settings. */
export async function withHub<Result>(
  given: string,
  work: (at: { readonly hub: Hub; readonly login: HubLogin }) => Promise<Result>,
): Promise<Result> {
  const { settings } = loadConfig({ environment: process.env, folder: process.cwd() });
  const login = hubLogin(given, settings, "member");
  const hub = await openHub(login, { patienceMs: PATIENCE_MS });
  try {
    return await work({ hub, login });
  } finally {
    await hub.close();
  }
}

/** Rejects in words when the hub cannot be reached, does not know the key, or would lose data. */
export async function openHub(login: HubLogin, patience: { readonly patienceMs?: number } = {}): Promise<Hub> {
  const { connectHub } = await import("../hub/nats/connection.js");
  const { NatsHub } = await import("../hub/nats/nats-hub.js");
  const connection = await connectHub(login).catch((error: unknown) => {
    throw new Error(`the hub at ${login.url} cannot be reached: ${errorMessage(error)}`);
  });
  try {
    return await NatsHub.open(connection, { user: login.user, ...patience });
  } catch (error) {
    await connection.close();
    const isOther = error instanceof Error && /permissions violation.*_INBOX_/i.test(error.message);
    throw isOther ? new Error(`the key ${login.keyPath} is not the key of ${login.user}`) : error;
  }
}
