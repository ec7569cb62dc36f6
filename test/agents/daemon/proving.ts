// A stand-in for a daemon that knows its token: answers the question for a proof, and says whether that was the question.
import type { IncomingMessage, ServerResponse } from "node:http";
import { proofOf } from "../../../src/agents/remote/daemon-proof.js";

const claims = { program: "stand-in", version: "1", pid: 7 };

export function proofFor({ url = "", headers }: IncomingMessage, token: string): string {
  const nonce = new URL(url, "http://x").searchParams.get("nonce") ?? "";
  return JSON.stringify({ ...claims, proof: proofOf(token, { nonce, address: headers.host ?? "" }, claims) });
}

export function proved(request: IncomingMessage, response: ServerResponse, token: string): boolean {
  if (request.url?.startsWith("/prove?") !== true) return false;
  response.end(proofFor(request, token));
  return true;
}
