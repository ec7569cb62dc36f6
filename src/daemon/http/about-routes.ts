// What a daemon says about itself: which program and version it is, how it is, and the proof that it is the one whose token
// the client knows. The proof is the one thing that needs no token, because it comes before the token.
import { type DaemonHealth, healthSchema, proofSchema, versionSchema } from "../../contract/daemon.js";
import { type DaemonClaims, NONCE_PATTERN, PROVE_PATH, proofOf } from "../../links/daemon/daemon-proof.js";
import { HttpRefusal, jsonAnswer, type RouteGroup } from "./route.js";

export interface AboutPorts {
  readonly claims: DaemonClaims;
  readonly token: string;
  /** The host it listens on; null where it listens on all of them, and a client may mean any. */
  readonly host: string | null;
  health(): DaemonHealth;
}

export function aboutRoutes({ claims, token, host, health }: AboutPorts): RouteGroup {
  const { version } = claims;
  return [
    {
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
    },
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
      summary: "Whether the daemon is well, and whose it is",
      answers: { 200: { description: "Its process, project and uptime", schema: healthSchema } },
      handle: () => jsonAnswer(health()),
    },
  ];
}
