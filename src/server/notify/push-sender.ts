// Sends Web Push messages to paired devices: the keys that identify this daemon to push services, the subscriptions of the devices, and
// what went wrong with each. Keys and subscriptions lie in a file that only the owner can read. The message itself is encrypted for
// the browser (RFC 8291), so that a push service learns when something waits, and not what.
import { createECDH, createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { parsedJson } from "../../contract/json-value.js";
import { type PushFile, type PushMessage, type PushSubscriptionParams, pushFileSchema } from "../../contract/page.js";
import { errorMessage } from "../../contract/plain-word.js";
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

  async subscribe(deviceId: string, subscription: PushSubscriptionParams): Promise<void> {
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
    const status = await post(subscription.endpoint, { headers, body, ca: this.options.ca });
    if (status >= 200 && status < 300) return null;
    return status === 404 || status === 410 ? GONE : `the push service answered ${status}`;
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

interface PushRequest {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
  readonly ca: string | undefined;
}

// Over HTTPS only, and no redirect is followed.
function post(endpoint: string, { headers, body, ca }: PushRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers, signal: AbortSignal.timeout(ANSWER_MS_MAX), ...(ca && { ca }) };
    const sent = request(endpoint, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
