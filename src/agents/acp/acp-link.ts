// The link of an ACP agent: its dialect, and the effects that the dialect decided on. Nothing is decided here. An agent that has
// to be restarted, because it reads a secret at its start, keeps the same link.
import { spawn } from "node:child_process";
import { resolve as resolvePath } from "node:path";
import type { AgentCommand } from "../agent-process.js";
import { type EffectHandler, openDialectLink, type SessionLink } from "../dialect-link.js";
import { createAcpDialect } from "../dialects/acp/acp-dialect.js";
import type { AcpEffect } from "../dialects/acp/acp-effect.js";
import type { AcpLimits } from "../dialects/acp/context.js";
import type { EffectResult } from "../dialects/dialect.js";
import { present } from "../dialects/frames/lenient-field.js";
import { withoutOwnPrograms } from "../found-program.js";
import { restartableLink } from "../link-relay.js";
import type { SessionLinkOptions } from "../session-link.js";
import { TerminalProcesses } from "./terminal-processes.js";
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
