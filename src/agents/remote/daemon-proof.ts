// A daemon proves that it knows the token before a client sends the token. A port outlives its daemon: another program that
// listens there later must learn nothing. The client sends a random challenge, the daemon answers with a digest of it under
// the token. The address is part of the digest, so that the challenge cannot be passed on to another daemon.
import { createHmac, timingSafeEqual } from "node:crypto";

export const PROVE_PATH = "/prove";

export interface DaemonAddress {
  readonly url: string;
  readonly token: string;
}

/** What a daemon says about itself, covered by the digest. */
export interface DaemonClaims {
  readonly program: string;
  readonly version: string;
  readonly pid: number;
}

export interface ProofRequest {
  readonly nonce: string;
  /** Host and port at which the daemon listens, as it knows them and as the client dialled them. */
  readonly address: string;
}

export const NONCE_PATTERN = /^[0-9a-f]{32,128}$/;

export function proofOf(
  token: string,
  { nonce, address }: ProofRequest,
  { program, version, pid }: DaemonClaims,
): string {
  const text = JSON.stringify(["palaver daemon proof", nonce, address.toLowerCase(), program, version, pid]);
  return createHmac("sha256", token).update(text).digest("hex");
}

export function isProof(proof: string, token: string, request: ProofRequest, claims: DaemonClaims): boolean {
  const [given, expected] = [Buffer.from(proof), Buffer.from(proofOf(token, request, claims))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
