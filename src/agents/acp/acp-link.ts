// An agent that speaks the Agent Client Protocol, as a running process: its dialect, and the hands for what it may want. One
// that has to be started again, because it reads a secret at its start, stays the same link.
import { resolve } from "node:path";
import type { AgentCommand } from "../agent-process.js";
import { type EffectHandler, openDialectLink, type SessionLink } from "../dialect-link.js";
import { createAcpDialect } from "../dialects/acp/acp-dialect.js";
import type { AcpEffect } from "../dialects/acp/acp-effect.js";
import type { AcpLimits } from "../dialects/acp/context.js";
import type { EffectResult } from "../dialects/dialect.js";
import { restartableLink } from "../link-relay.js";
import type { SessionLinkOptions } from "../session-link.js";
import { openAddress } from "./browser.js";
import { TerminalProcesses } from "./terminal-processes.js";
import { findMentionedFiles, inspectFile, locatePath, readTextFile, writeTextFile } from "./workspace-files.js";

type Restart = Pick<Extract<AcpEffect, { type: "agent.restart" }>, "env" | "methodId" | "sessionId">;

export function openAcpLink(
  command: AgentCommand,
  options: SessionLinkOptions,
  limits: Partial<AcpLimits> = {},
): SessionLink {
  // Only in memory, and only for this agent.
  const typed: Record<string, string> = {};
  // A process that was handed over is there once; the next one is started.
  const { start: _handedOver, ...afterwards } = options;
  return restartableLink<Restart>((again, restart) => {
    Object.assign(typed, again?.env);
    const env = { ...command.env, ...typed };
    const environment: Readonly<Record<string, string | undefined>> = { ...process.env, ...command.env };
    const resume = again?.sessionId ?? options.resume;
    const create = () =>
      createAcpDialect({
        workspace: resolve(command.cwd ?? process.cwd()),
        clientVersion: PALAVER_VERSION,
        command,
        // What was typed is not asked for as long as it works, and asked for again when it does not.
        hasVariable: (name) => (environment[name] ?? "") !== "",
        limits,
        ...(resume === undefined ? {} : { resume }),
        ...(again === null ? {} : { startedAgain: { methodId: again.methodId } }),
        ...(options.mcpServers === undefined ? {} : { mcpServers: options.mcpServers }),
      });
    const link = again === null ? options : afterwards;
    return openDialectLink({ ...command, env }, create, createAcpPerformer(restart), link);
  });
}

type RestartEffect = Extract<AcpEffect, { type: "agent.restart" }>;

export function createAcpPerformer(restart: (effect: RestartEffect) => void): EffectHandler<AcpEffect> {
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
  return { ok: false, message: message ?? String(error), ...(code === undefined ? {} : { code }) };
}
