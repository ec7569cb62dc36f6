// The devices that may use the daemon without its token: browsers that were paired, and links that share one session. Each has a
// secret of its own; only its digest is kept, in a file that only the owner can read. A revoked device loses its open streams.
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parsedJson } from "../../contract/json-value.js";
import { type Device, type DeviceFile, deviceFileSchema } from "../../contract/page.js";
import { safeLine } from "../../text/safe.js";
import type { PairedDevice } from "../http/request-guard.js";
import { replaceFile } from "../project/daemon-folder.js";

export interface DeviceRegistryOptions {
  /** Null keeps them in memory only. */
  readonly path: string | null;
  readonly wallMs?: () => number;
  /** The file could not be written. */
  onError(error: unknown): void;
}

interface KnownDevice extends PairedDevice {
  device: Device;
  readonly digest: string;
  readonly revocation: AbortController;
}

/** Of each scope: shared links cannot use up the places of devices. */
const DEVICES_MAX = 200;
const NAME_CHARS_MAX = 40;
/** A device has to pair again after this long. */
export const DEVICE_MS_MAX = 180 * 24 * 3_600_000;
/** How exact `seen_at_ms` is. */
const SEEN_STEP_MS = 60_000;

export type NewDevice = Pick<Device, "name" | "scope" | "session" | "made_by">;

/** There are too many devices. */
export class DevicesFull extends Error {
  override readonly name = "DevicesFull";
}

export class DeviceRegistry {
  private readonly options: DeviceRegistryOptions;
  private readonly wallMs: () => number;
  /** By the digest of the secret. */
  private readonly known = new Map<string, KnownDevice>();
  private writing: Promise<void> = Promise.resolve();

  constructor(options: DeviceRegistryOptions) {
    this.options = options;
    this.wallMs = options.wallMs ?? Date.now;
  }

  /** Reads the file; one that is missing or malformed has no devices in it. */
  async load(): Promise<void> {
    if (this.options.path === null) return;
    const text = await readFile(this.options.path, "utf8").catch(() => "{}");
    const { data } = deviceFileSchema.safeParse(parsedJson(text));
    const kept = (["full", "share"] as const).flatMap((scope) =>
      (data?.devices ?? []).filter((device) => device.scope === scope).slice(-DEVICES_MAX),
    );
    for (const { digest, ...device } of kept) this.hold(device, digest);
  }

  list(): Device[] {
    return [...this.known.values()].map(({ device }) => device);
  }

  /** The secret is shown once, here. */
  async add(about: NewDevice): Promise<{ device: Device; secret: string }> {
    if (this.list().filter(({ scope }) => scope === about.scope).length >= DEVICES_MAX) {
      const what = about.scope === "full" ? "paired devices" : "shared links";
      throw new DevicesFull(`there are already ${DEVICES_MAX} ${what}; revoke some`);
    }
    const secret = randomBytes(32).toString("base64url");
    const nowMs = this.wallMs();
    const times = { created_at_ms: nowMs, seen_at_ms: nowMs };
    const device: Device = {
      id: `d${randomBytes(4).toString("hex")}`,
      ...about,
      name: this.freeName(about.name),
      ...times,
    };
    this.hold(device, digestOf(secret));
    await this.save();
    return { device, secret };
  }

  /** The device with this secret. */
  find(secret: string): PairedDevice | null {
    const found = this.known.get(digestOf(secret));
    if (found === undefined) return null;
    const nowMs = this.wallMs();
    if (nowMs - found.device.created_at_ms > DEVICE_MS_MAX) {
      void this.revoke(found.device.id);
      return null;
    }
    if (nowMs - found.device.seen_at_ms > SEEN_STEP_MS) {
      found.device = { ...found.device, seen_at_ms: nowMs };
      void this.save();
    }
    return { device: found.device, revoked: found.revoked };
  }

  /** Ends its streams at once, and those of the links that it made. */
  async revoke(id: string): Promise<void> {
    const ended = [...this.known.values()].filter(({ device }) => device.id === id || device.made_by === id);
    for (const { digest, revocation } of ended) {
      this.known.delete(digest);
      revocation.abort();
    }
    if (ended.length > 0) await this.save();
  }

  /** All that was changed so far is on disk, or could not be. */
  flush(): Promise<void> {
    return this.writing;
  }

  private hold(device: Device, digest: string): void {
    const revocation = new AbortController();
    this.known.set(digest, { device, digest, revocation, revoked: revocation.signal });
  }

  // Names are addresses of answers, so that no two devices have the same.
  private freeName(wanted: string): string {
    const name = safeLine(wanted).trim().slice(0, NAME_CHARS_MAX) || "device";
    const taken = new Set(this.list().map((device) => device.name));
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? name : `${name} ${number}`;
      if (!taken.has(free)) return free;
    }
  }

  private save(): Promise<void> {
    const { path, onError } = this.options;
    if (path === null) return Promise.resolve();
    this.writing = this.writing.then(async () => {
      const devices = [...this.known.values()].map(({ device, digest }) => ({ ...device, digest }));
      const file: DeviceFile = { version: 1, devices };
      await replaceFile(path, `${JSON.stringify(file)}\n`).catch(onError);
    });
    return this.writing;
  }
}

function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
