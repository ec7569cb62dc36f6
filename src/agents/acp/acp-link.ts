// The link of an ACP agent: its dialect, and the effects that the dialect decided on. Nothing is decided here. An agent that has
// to be restarted, because it reads a secret at its start, keeps the same link.
import { type ChildProcess, spawn } from "node:child_process";
import { realpath } from "node:fs/promises";
import { resolve as resolvePath } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { keepWithUs, signalGroup } from "../../system/child-groups.js";
import { withoutOwnPrograms } from "../../system/foreign-programs.js";
import type { AgentCommand } from "../agent-process.js";
import { type EffectHandler, openDialectLink, type SessionLink } from "../dialect-link.js";
import { createAcpDialect } from "../dialects/acp/acp-dialect.js";
import type { AcpEffect, TerminalExit, TerminalProgress } from "../dialects/acp/acp-effect.js";
import type { AcpLimits } from "../dialects/acp/context.js";
import type { EffectResult } from "../dialects/dialect.js";
import { present } from "../dialects/frames/lenient-field.js";
import { restartableLink } from "../link-relay.js";
import type { SessionLinkOptions } from "../session-link.js";
import { findMentionedFiles, inspectFile, locatePath, readTextFile, writeTextFile } from "./workspace-files.js";

type RestartEffect = Extract<AcpEffect, { type: "agent.restart" }>;

export function openAcpLink(
  command: AgentCommand,
  options: SessionLinkOptions,
  limits: Partial<AcpLimits> = {},
): SessionLink {
  // Kept in memory only, for this agent only.
  const typed: Record<string, string> = {};
  // A given process is used once; a restart starts a new one.
  const { start: _handedOver, ...afterwards } = options;
  return restartableLink<RestartEffect>((again, restart) => {
    Object.assign(typed, again?.env);
    const env = { ...command.env, ...typed };
    const environment: Readonly<Record<string, string | undefined>> = { ...process.env, ...command.env };
    const resume = again?.sessionId ?? options.resume;
    const dialect = createAcpDialect({
      workspace: resolvePath(command.cwd ?? process.cwd()),
      clientVersion: PALAVER_VERSION,
      command,
      // A typed variable does not count: if the agent still refuses, it is asked for again.
      hasVariable: (name) => (environment[name] ?? "") !== "",
      limits,
      ...present({ resume, mcpServers: options.mcpServers }),
      ...(again === null ? {} : { startedAgain: { methodId: again.methodId } }),
    });
    const link = again === null ? options : afterwards;
    return openDialectLink({ ...command, env }, dialect, createAcpEffectHandler(restart), link);
  });
}

export function createAcpEffectHandler(restart: (effect: RestartEffect) => void): EffectHandler<AcpEffect> {
  const terminals = new TerminalProcesses();
  return {
    async perform(effect, report) {
      if (effect.type === "agent.restart") {
        restart(effect);
        return { ok: true, value: null };
      }
      try {
        return await carryOut(effect, report, terminals);
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => terminals.close(),
  };
}

async function carryOut(
  effect: Exclude<AcpEffect, RestartEffect>,
  report: (value: unknown) => void,
  terminals: TerminalProcesses,
): Promise<EffectResult> {
  switch (effect.type) {
    case "path.locate":
      return locatePath(effect);
    case "file.read":
      return readTextFile(effect);
    case "file.inspect":
      return inspectFile(effect);
    case "file.write":
      return writeTextFile(effect);
    case "mentions.find":
      return { ok: true, value: await findMentionedFiles(effect) };
    case "terminal.run":
      return terminals.run(effect, report);
    case "terminal.kill":
      terminals.kill(effect.of);
      return { ok: true, value: null };
    case "address.open":
      return openAddress(effect.url);
  }
}

function failureOf(error: unknown): EffectResult {
  const { message, code } = error as NodeJS.ErrnoException;
  return { ok: false, message: message ?? String(error), ...present({ code }) };
}

/** In the user's browser, after a yes. The address is one argument and never goes through a shell. */
function openAddress(url: string): Promise<EffectResult> {
  const [command, args] = openerFor(process.platform, url);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: withoutOwnPrograms(process.env),
      stdio: "ignore",
      detached: true,
      windowsHide: true,
    });
    child.on("error", (error) => resolve({ ok: false, message: error.message }));
    child.on("close", (code) => {
      resolve(code === 0 ? { ok: true, value: null } : { ok: false, message: `${command} ended with code ${code}` });
    });
    child.unref();
  });
}

function openerFor(platform: NodeJS.Platform, url: string): [command: string, args: string[]] {
  if (platform === "darwin") return ["open", [url]];
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return ["xdg-open", [url]];
}

type RunEffect = Extract<AcpEffect, { type: "terminal.run" }>;

/** The shortest time between two reports: a command may print byte by byte. */
const REPORT_EVERY_MS = 40;
const KILL_AFTER_MS = 2_000;

// Commands that run for an agent, each in its own process group. Output is reported in batches; all of them end with the agent.
class TerminalProcesses {
  private readonly running = new Map<string, ChildProcess>();

  async run(effect: RunEffect, report: (progress: TerminalProgress) => void): Promise<EffectResult> {
    const { command, args, env, cwd, id } = effect;
    if ((await realpath(cwd)) !== cwd) {
      return { ok: false, message: `${cwd} no longer leads where it did when it was allowed` };
    }
    return new Promise((resolve) => {
      // Without pipes where too many files are open; the error comes as an event.
      const child: ChildProcess = spawn(command, [...args], {
        cwd,
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true,
      });
      const output = new PacedOutput(report);
      child.stdout?.on("data", (chunk: Buffer) => output.push("stdout", chunk));
      child.stderr?.on("data", (chunk: Buffer) => output.push("stderr", chunk));
      child.on("spawn", () => {
        keepWithUs(child);
        this.running.set(id, child);
        report({ kind: "started" });
      });
      child.on("error", (error) => {
        if (child.pid === undefined) resolve({ ok: false, message: error.message });
      });
      child.on("close", (exitCode, signal) => {
        this.running.delete(id);
        output.end();
        resolve({ ok: true, value: { exitCode, signal } satisfies TerminalExit });
      });
    });
  }

  kill(id: string): void {
    const child = this.running.get(id);
    if (child === undefined) return;
    signalGroup(child, "SIGTERM");
    const timer = setTimeout(() => signalGroup(child, "SIGKILL"), KILL_AFTER_MS);
    child.once("close", () => clearTimeout(timer));
  }

  close(): void {
    for (const child of this.running.values()) signalGroup(child, "SIGKILL");
  }
}

// Both streams in order of arrival; a character that was cut by a chunk is completed first.
class PacedOutput {
  private readonly report: (progress: TerminalProgress) => void;
  private readonly decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  private waiting = "";
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(report: (progress: TerminalProgress) => void) {
    this.report = report;
  }

  push(stream: "stdout" | "stderr", chunk: Buffer): void {
    this.waiting += this.decoders[stream].write(chunk);
    this.timer ??= setTimeout(() => this.flush(), REPORT_EVERY_MS);
  }

  end(): void {
    this.waiting += this.decoders.stdout.end() + this.decoders.stderr.end();
    this.flush();
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const text = this.waiting;
    this.waiting = "";
    if (text !== "") this.report({ kind: "output", text });
  }
}
