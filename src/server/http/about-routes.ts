// What a daemon says about itself: version, health, and the proof that it has the token.

import { type DaemonClaims, NONCE_PATTERN, PROVE_PATH, proofOf } from "../../agents/remote/daemon-proof.js";
import { type DaemonHealth, healthSchema, proofSchema, versionSchema } from "../../contract/daemon.js";
import { HttpRefusal, jsonAnswer, type Route, type RouteGroup } from "./route.js";

export function aboutRoutes(version: string, health: () => DaemonHealth): RouteGroup {
  return [
    {
      method: "GET",
      path: "/version",
      summary: "The version of the program that runs here",
      answers: { 200: { description: "The version", schema: versionSchema } },
      handle: () => jsonAnswer({ version }),
    },
    {
      method: "GET",
      path: "/health",
      summary: "Status, process and project of the daemon",
      answers: { 200: { description: "Its process, project and uptime", schema: healthSchema } },
      handle: () => jsonAnswer(health()),
    },
  ];
}

interface ProvePorts {
  readonly claims: DaemonClaims;
  readonly token: string;
  /** The host it listens on; null for every address. */
  readonly host: string | null;
}

/** The one route without a token: clients call it before they send theirs. */
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
