// Starts daemon programs as processes of their own, in a state folder of their own, and speaks with them over real sockets.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { projectRoot } from "../run-program.js";

/** Inside the project, so that packages are found; with `palaver/daemon` taken from the sources at hand. */
export async function compile(entry: string): Promise<string> {
  const outfile = join(projectRoot, ".cache", "e2e", entry.replace(/\W+/g, "-").concat(".mjs"));
  mkdirSync(join(outfile, ".."), { recursive: true });
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["esbuild"],
    alias: { "palaver/daemon": "./src/daemon/exports.ts" },
    define: { PALAVER_VERSION: '"0.0.0"' },
    logLevel: "error",
  });
  return outfile;
}

export const standIn = "src/testing/daemon/stand-in-daemon.ts";

export interface DaemonProcess {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly port: number;
  readonly child: ChildProcess;
  /** Settles with the exit code, or with the name of the signal. */
  readonly exited: Promise<number | string | null>;
  stderr(): string;
}

export function temporaryPlace(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "palaver-e2e-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export async function startDaemon(
  script: string,
  { env = {}, cwd = projectRoot }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<DaemonProcess> {
  const child = spawn(process.execPath, ["--expose-gc", script], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const exited = new Promise<number | string | null>((resolve) =>
    child.on("close", (code, signal) => resolve(code ?? signal)),
  );
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.on("close", (code) => reject(new Error(`ended with ${code} before it was ready: ${stderr}`)));
  });
  const { url, token, pid } = JSON.parse(line) as { url: string; token: string; pid: number };
  return { url, token, pid, port: Number(new URL(url).port), child, exited, stderr: () => stderr };
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** One request with the token, unless the headers say otherwise. */
export function ask(
  { url, token }: Pick<DaemonProcess, "url" | "token">,
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers: { authorization: `Bearer ${token}`, ...headers } });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: text, headers: answer.headers }));
      answer.on("error", reject);
    });
    sent.end(body);
  });
}

/** Sends bytes as they are and gives back all that comes until the daemon closes the connection. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
}

export const shownValue = async (daemon: DaemonProcess, name: string): Promise<string> => {
  const entries = JSON.parse((await ask(daemon, "/state")).body) as { handler_name: string; value: string }[];
  return entries.find(({ handler_name }) => handler_name === name)?.value ?? "";
};
