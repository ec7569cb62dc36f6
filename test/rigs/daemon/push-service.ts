// A push service and the browser behind it: takes messages over HTTPS, checks the signature of the daemon, and decrypts what only the
// browser can read (RFC 8291 and 8292), with nothing of the code that sent it.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), "utf8");

export const pushCertificate = fixture("localhost.crt");

export interface TakenMessage {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What the daemon claims under its key; null when the signature is not its own. */
  readonly claims: { aud: string; sub: string; exp: number } | null;
}

export class PushService {
  readonly messages: TakenMessage[] = [];
  /** What the next messages are answered with. */
  status = 201;
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  private readonly browser: ReturnType<typeof createECDH>;
  private readonly auth: Buffer;

  private constructor(origin: string) {
    this.browser = createECDH("prime256v1");
    const p256dh = this.browser.generateKeys("base64url");
    this.auth = randomBytes(16);
    this.subscription = { endpoint: `${origin}/push/abc`, keys: { p256dh, auth: this.auth.toString("base64url") } };
  }

  static async open(): Promise<PushService> {
    const taken: { service: PushService | null } = { service: null };
    const server = createServer({ cert: pushCertificate, key: fixture("localhost.key") }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { service } = taken;
        service?.take(Buffer.concat(chunks), request.headers);
        response.writeHead(service?.status ?? 500).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    taken.service = new PushService(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return taken.service;
  }

  private take(bytes: Buffer, headers: TakenMessage["headers"]): void {
    this.messages.push({ body: JSON.parse(this.decrypted(bytes)), headers, claims: claimsIn(headers) });
  }

  //   salt (16) │ record size (4) │ length of the sender's key (1) │ the key (65) │ ciphertext with its tag (16)
  private decrypted(bytes: Buffer): string {
    const salt = bytes.subarray(0, 16);
    const keyEnd = 21 + (bytes[20] ?? 0);
    const sender = bytes.subarray(21, keyEnd);
    const ours = this.browser.getPublicKey();
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), ours, sender]);
    const secret = Buffer.from(hkdfSync("sha256", this.browser.computeSecret(sender), this.auth, info, 32));
    const key = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16));
    const nonce = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12));
    const cipher = createDecipheriv("aes-128-gcm", key, nonce);
    cipher.setAuthTag(bytes.subarray(-16));
    const padded = Buffer.concat([cipher.update(bytes.subarray(keyEnd, -16)), cipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
  }
}

//   Authorization: vapid t=HEADER.CLAIMS.SIGNATURE, k=PUBLIC KEY
function claimsIn(headers: TakenMessage["headers"]): TakenMessage["claims"] {
  const [, token = "", key = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers["authorization"])) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }, format: "jwk" });
  const signed = Buffer.from(`${head}.${claims}`);
  const isOurs = verify(
    "sha256",
    signed,
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  return isOurs ? JSON.parse(Buffer.from(claims, "base64url").toString()) : null;
}
