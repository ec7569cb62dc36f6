// Starts daemon programs as processes of their own, in a state folder of their own, and speaks with them over real sockets.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { projectRoot } from "../run-program.js";

/**
 * Inside the project, so that packages are found; with `palaver/daemon` taken from the sources at hand. Each worker has files of its own:
 * another one may just be running the same program.
 */
export async function compile(entry: string): Promise<string> {
  const outfile = join(projectRoot, ".cache", "e2e", entry.replace(/\W+/g, "-").concat(`-${process.pid}.mjs`));
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
    alias: { "palaver/daemon": "./src/server/exports.ts" },
    define: { PALAVER_VERSION: '"0.0.0"' },
    logLevel: "error",
  });
  return outfile;
}

export const standIn = "test/rigs/daemon/stand-in-daemon.ts";

/** A program that is ready, because it has printed its first line. */
export interface ReadyProgram {
  readonly child: ChildProcess;
  readonly firstLine: string;
  /** Settles with the exit code, or with the name of the signal. */
  readonly exited: Promise<number | string | null>;
  stdout(): string;
  stderr(): string;
}

export interface DaemonProcess extends ReadyProgram {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly port: number;
}

export function temporaryPlace(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "palaver-e2e-")));
  places.add(path);
  return path;
}

export interface StartOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly args?: readonly string[];
}

const started = new Set<ChildProcess>();
const places = new Set<string>();

/** Ends what the tests of a file left running, then removes the folders that it may have written to. */
export async function endPrograms(): Promise<void> {
  await Promise.all([...started].map(killed));
  for (const path of places) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  started.clear();
  places.clear();
}

function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

export async function startProgram(script: string, wishes: StartOptions = {}): Promise<ReadyProgram> {
  const { env = {}, cwd = projectRoot, args = [] } = wishes;
  const child = spawn(process.execPath, ["--expose-gc", script, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const exited = new Promise<number | string | null>((resolve) =>
    child.on("close", (code, signal) => resolve(code ?? signal)),
  );
  const firstLine = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.includes("\n")) resolve(stdout.slice(0, stdout.indexOf("\n")));
    });
    child.on("close", (code) => reject(new Error(`ended with ${code} before it was ready: ${stderr}`)));
  });
  return { child, firstLine, exited, stdout: () => stdout, stderr: () => stderr };
}

/** The stand-in says where it is and what opens it. */
export async function startDaemon(script: string, wishes: StartOptions = {}): Promise<DaemonProcess> {
  const program = await startProgram(script, wishes);
  const { url, token, pid } = JSON.parse(program.firstLine) as { url: string; token: string; pid: number };
  return { ...program, url, token, pid, port: Number(new URL(url).port) };
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

export const shownValue = async (daemon: Pick<DaemonProcess, "url" | "token">, name: string): Promise<string> => {
  const entries = JSON.parse((await ask(daemon, "/state")).body) as { handler_name: string; value: string }[];
  return entries.find(({ handler_name }) => handler_name === name)?.value ?? "";
};
