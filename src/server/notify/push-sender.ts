// Sends Web Push messages to paired devices: the keys that identify this daemon to push services, the subscriptions of the devices, and
// what went wrong with each. Keys and subscriptions lie in a file that only the owner can read. The message itself is encrypted for
// the browser (RFC 8291), so that a push service learns when something waits, and not what. A device names the address, so that it
// must be a public one: the daemon sends no requests for a device into this machine or its network.
import { createECDH, createHash } from "node:crypto";
import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { BlockList, isIPv6, type LookupFunction } from "node:net";
import { parsedJson } from "../../contract/json-value.js";
import {
  type PushFile,
  type PushMessage,
  type PushSubscriptionParams,
  pushFileSchema,
  pushResultSchema,
  pushSubscriptionSchema,
} from "../../contract/page.js";
import { errorMessage } from "../../contract/plain-word.js";
import { HttpRefusal, jsonAnswer, type RouteGroup, type RouteRequest, readJsonBody } from "../http/route.js";
import { replaceFile } from "../project/daemon-folder.js";

export interface PushSenderOptions {
  /** Null keeps everything in memory. */
  readonly path: string | null;
  /** Whom a push service may write to; an https address. */
  subject(): string;
  isPaired(deviceId: string): boolean;
  /** A message could not be delivered, or the file not be written. */
  onProblem(words: string): void;
  /** More certificates to trust. */
  readonly ca?: string | undefined;
  /** Hosts that may have a private address. */
  readonly privateHosts?: readonly string[] | undefined;
}

/** How long a push service keeps a message for a device that is off. */
const KEPT_SECONDS = 12 * 3_600;
const ANSWER_MS_MAX = 10_000;

export class PushSender {
  private readonly options: PushSenderOptions;
  private keys = newKeys();
  /** By device. */
  private readonly subscriptions = new Map<string, PushSubscriptionParams>();
  private readonly problems = new Map<string, string>();
  private writing: Promise<void> = Promise.resolve();

  constructor(options: PushSenderOptions) {
    this.options = options;
  }

  async load(): Promise<void> {
    if (this.options.path === null) return;
    const text = await readFile(this.options.path, "utf8").catch(() => "");
    const { data } = pushFileSchema.safeParse(parsedJson(text));
    if (data === undefined) return;
    this.keys = data.keys;
    for (const { device, ...subscription } of data.subscriptions) this.subscriptions.set(device, subscription);
  }

  /** What `GET /device` says. */
  stateFor(deviceId: string): { public_key: string; problem: string | null } {
    return { public_key: this.keys.public_key, problem: this.problems.get(deviceId) ?? null };
  }

  /** Throws for an address where no messages are sent. */
  async subscribe(deviceId: string, subscription: PushSubscriptionParams): Promise<void> {
    await this.addressesOf(subscription.endpoint).catch((error) => {
      // A name that cannot be resolved now may be later; whatever it is then is judged again.
      if (error instanceof PrivateAddress) throw error;
    });
    this.subscriptions.set(deviceId, subscription);
    this.problems.delete(deviceId);
    await this.save();
  }

  async unsubscribe(deviceId: string): Promise<void> {
    if (!this.subscriptions.delete(deviceId)) return;
    await this.save();
  }

  /** The devices that take push messages. */
  devices(): string[] {
    for (const id of this.subscriptions.keys()) if (!this.options.isPaired(id)) void this.unsubscribe(id);
    return [...this.subscriptions.keys()];
  }

  /** Null when the push service has taken it; otherwise what went wrong, which the device shows too. */
  async send(deviceId: string, message: PushMessage): Promise<string | null> {
    const subscription = this.subscriptions.get(deviceId);
    if (subscription === undefined) return "this device takes no push messages";
    const problem = await this.delivered(subscription, message).catch((error) => errorMessage(error));
    if (problem === null) this.problems.delete(deviceId);
    else {
      this.problems.set(deviceId, problem);
      this.options.onProblem(`a push message was not delivered: ${problem}`);
      if (problem === GONE) await this.unsubscribe(deviceId);
    }
    return problem;
  }

  flush(): Promise<void> {
    return this.writing;
  }

  private async delivered(subscription: PushSubscriptionParams, message: PushMessage): Promise<string | null> {
    const { default: webPush } = await import("web-push");
    const { public_key: publicKey, private_key: privateKey } = this.keys;
    const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
      vapidDetails: { subject: this.options.subject(), publicKey, privateKey },
      TTL: KEPT_SECONDS,
      urgency: "high",
      // A later message about the same ask replaces one that was not delivered yet.
      ...(message.kind === "test" ? {} : { topic: topicOf(message.id) }),
    });
    const addresses = await this.addressesOf(subscription.endpoint);
    const status = await post(subscription.endpoint, { headers, body, ca: this.options.ca, addresses });
    if (status >= 200 && status < 300) return null;
    return status === 404 || status === 410 ? GONE : `the push service answered ${status}`;
  }

  private async addressesOf(endpoint: string): Promise<readonly Address[]> {
    const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, "");
    const found = await lookup(host, { all: true });
    const isAllowed = this.options.privateHosts?.includes(host) === true;
    if (!isAllowed && found.some(isPrivate)) throw new PrivateAddress(host);
    return found;
  }

  private save(): Promise<void> {
    const { path, onProblem } = this.options;
    if (path === null) return Promise.resolve();
    this.writing = this.writing.then(async () => {
      const subscriptions = [...this.subscriptions].map(([device, subscription]) => ({ ...subscription, device }));
      const file: PushFile = { version: 1, keys: this.keys, subscriptions };
      await replaceFile(path, `${JSON.stringify(file)}\n`).catch((error) => onProblem(errorMessage(error)));
    });
    return this.writing;
  }
}

const GONE = "the browser no longer takes push messages; turn them on again";

function newKeys(): PushFile["keys"] {
  const pair = createECDH("prime256v1");
  const public_key = pair.generateKeys("base64url");
  return { public_key, private_key: pair.getPrivateKey("base64url").padStart(43, "A") };
}

/** At most 32 characters of base64url, and another one for each ask. */
function topicOf(askId: string): string {
  return createHash("sha256").update(askId).digest("base64url").slice(0, 32);
}

interface Address {
  readonly address: string;
  readonly family: number;
}

class PrivateAddress extends Error {
  override readonly name = "PrivateAddress";

  constructor(host: string) {
    super(`${host} is an address of this machine or a private network; notify.push_hosts can allow it`);
  }
}

/** Addresses that do not lead to the internet. */
const PRIVATE = new BlockList();
const PRIVATE_4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3";
/** Also 6to4 and the gateways of a network of one's own, where IPv6 addresses stand for IPv4 ones of any kind. */
const PRIVATE_6 = "::/96 64:ff9b:1::/48 2002::/16 fc00::/7 fe80::/9 ff00::/8";
for (const range of [...PRIVATE_4.split(" "), ...PRIVATE_6.split(" ")]) {
  const [net = "", bits] = range.split("/");
  PRIVATE.addSubnet(net, Number(bits), isIPv6(net) ? "ipv6" : "ipv4");
  // Mapped IPv4 addresses are found by themselves. Those behind a public gateway (NAT64) reach the internet in many networks.
  if (!isIPv6(net)) PRIVATE.addSubnet(`64:ff9b::${net}`, 96 + Number(bits), "ipv6");
}

function isPrivate({ address, family }: Address): boolean {
  return PRIVATE.check(address, family === 6 ? "ipv6" : "ipv4");
}

interface PushRequest {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
  readonly ca: string | undefined;
  /** Those that were judged: the name is not resolved again. */
  readonly addresses: readonly Address[];
}

// Over HTTPS only, and no redirect is followed.
function post(endpoint: string, { headers, body, ca, addresses }: PushRequest): Promise<number> {
  const [first] = addresses;
  const judged: LookupFunction = (_name, { all }, found) =>
    all === true ? found(null, [...addresses]) : found(null, first?.address ?? "", first?.family);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const options = { method: "POST", headers, signal, lookup: judged, ...(ca && { ca }) };
    const sent = request(endpoint, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

// Push messages over HTTP: a paired device says where it takes them, that it no longer does, and asks for one to try.

const answers = { 200: { description: "Done; or why not, in words", schema: pushResultSchema } };

export function pushRoutes(sender: PushSender): RouteGroup {
  return [
    {
      method: "POST",
      path: "/push",
      summary: "Send this device a push message for every ask that waits",
      body: { schema: pushSubscriptionSchema },
      answers,
      async handle(request) {
        const subscription = await readJsonBody(request, pushSubscriptionSchema);
        if (!isHttps(subscription.endpoint)) throw new HttpRefusal(400, "endpoint: must be an https address");
        await sender.subscribe(deviceOf(request), subscription).catch((error) => {
          throw new HttpRefusal(400, `endpoint: ${errorMessage(error)}`);
        });
        return jsonAnswer({ problem: null });
      },
    },
    {
      method: "DELETE",
      path: "/push",
      summary: "Send this device no more push messages",
      answers,
      async handle(request) {
        await sender.unsubscribe(deviceOf(request));
        return jsonAnswer({ problem: null });
      },
    },
    {
      method: "POST",
      path: "/push/test",
      summary: "Send this device one push message now",
      answers,
      handle: async (request) => jsonAnswer({ problem: await sender.send(deviceOf(request), { kind: "test" }) }),
    },
  ];
}

function deviceOf({ caller }: RouteRequest): string {
  if (caller.kind !== "device") throw new HttpRefusal(403, "only a paired device takes push messages");
  return caller.device.id;
}

function isHttps(endpoint: string): boolean {
  return URL.canParse(endpoint) && new URL(endpoint).protocol === "https:";
}
