// The stage of the MCP tests: a server for one run over a real board of asks, clients of both eras over real HTTP, a person who
// is played by the test, and a plain way to send what no client would.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished } from "vitest";
import type { Ask, AuditRecord } from "../../../src/contract/asks.js";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import type { AgentNotice, McpPorts, StatusReport } from "../../../src/server/mcp/mcp-ports.js";
import { mcpAsks } from "../../../src/server/mcp/mcp-routes.js";
import { openRunServer, type RunServer } from "../../../src/server/mcp/run-server.js";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export interface Stage {
  readonly server: RunServer;
  readonly board: AskRegistry;
  readonly audits: AuditRecord[];
  readonly statuses: StatusReport[];
  readonly notices: AgentNotice[];
  connect(era: Era, name?: string): Promise<Client>;
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The open asks, once there are this many. */
  waitForAsks(count: number): Promise<readonly Ask[]>;
  answerNext(value: unknown): Promise<Ask>;
  cancelNext(): Promise<Ask>;
}

/** Whatever a test opens is closed after it, the last one first. */
export function atEnd(end: () => Promise<void>): void {
  onTestFinished(end);
}

export async function openStage(more: Partial<McpPorts> = {}): Promise<Stage> {
  const audits: AuditRecord[] = [];
  const statuses: StatusReport[] = [];
  const notices: AgentNotice[] = [];
  const board = new AskRegistry({ onAudit: (record) => audits.push(record) });
  const server = await openRunServer({
    version: "1.2.3",
    asks: mcpAsks(board),
    onStatus: (report) => void statuses.push(report),
    onNotice: (notice) => void notices.push(notice),
    ...more,
  });
  onTestFinished(() => server.close());
  const settleNext = async (settle: (ask: Ask) => unknown): Promise<Ask> => {
    await expect.poll(() => board.openAsks().length, { interval: 10, timeout: 25_000 }).toBeGreaterThan(0);
    const [ask] = board.openAsks();
    if (ask === undefined) throw new Error("nothing was asked");
    expect(settle(ask)).toMatchObject({ kind: "accepted" });
    return ask;
  };
  return {
    server,
    board,
    audits,
    statuses,
    notices,
    connect: (era, name = "tester") => connect(server, era, name),
    post: (body, headers = {}) => post(server, body, headers),
    waitForAsks: (count) => waitForAsks(board, count),
    answerNext: (value) => settleNext(({ id }) => board.answer(id, { value }, "somebody")),
    cancelNext: () => settleNext(({ id }) => board.answer(id, "cancel", "somebody")),
  };
}

export async function connect({ url, token }: Pick<RunServer, "url" | "token">, era: Era, name = "tester") {
  const mode = era === "2026-07-28" ? { pin: era } : "legacy";
  const client = new Client({ name, version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  expect(client.getNegotiatedProtocolVersion()).toBe(era);
  return client;
}

async function waitForAsks(board: AskRegistry, count: number): Promise<readonly Ask[]> {
  await expect.poll(() => board.openAsks().length, { interval: 10, timeout: 25_000 }).toBe(count);
  return board.openAsks();
}

function post({ url, token }: RunServer, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
  });
}

/** The messages of a response, whichever way they came. */
export async function messagesOf(response: Response): Promise<unknown[]> {
  const text = await response.text();
  if (!/event-stream/.test(response.headers.get("content-type") ?? "")) return text === "" ? [] : [JSON.parse(text)];
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}
