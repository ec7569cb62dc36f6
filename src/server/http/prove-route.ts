// The proof that this is the daemon whose token the client knows. It is the one route that needs no token, because it comes
// before the token.

import { type DaemonClaims, NONCE_PATTERN, PROVE_PATH, proofOf } from "../../agents/remote/daemon-proof.js";
import { proofSchema } from "../../contract/daemon.js";
import { HttpRefusal, jsonAnswer, type Route } from "./route.js";

export interface ProvePorts {
  readonly claims: DaemonClaims;
  readonly token: string;
  /** The host it listens on; null where it listens on all of them, and a client may mean any. */
  readonly host: string | null;
}

export function proveRoute({ claims, token, host }: ProvePorts): Route {
  return {
    method: "GET",
    path: PROVE_PATH,
    access: "open",
    summary: "Which daemon this is, with a digest of the nonce under its token; needs no token",
    query: [{ name: "nonce", description: "Random, 16 to 64 bytes in hexadecimal" }],
    answers: { 200: { description: "The program, its version and process, and the digest", schema: proofSchema } },
    handle({ url, headers }) {
      const nonce = url.searchParams.get("nonce") ?? "";
      if (!NONCE_PATTERN.test(nonce)) throw new HttpRefusal(400, "the nonce is missing or not hexadecimal");
      const meant = headers.get("host") ?? "";
      const address = host === null ? meant : meant.replace(/^.*(?=:\d+$)/, host);
      return jsonAnswer({ ...claims, proof: proofOf(token, { nonce, address }, claims) });
    },
  };
}
