// Does for an agent what its dialect decided: files, commands, and addresses to open. Every permission was given before an
// effect comes here; nothing is decided here, and what goes wrong is a result.

import type { EffectHandler } from "../dialect-link.js";
import type { AcpEffect } from "../dialects/acp/acp-effect.js";
import type { EffectResult } from "../dialects/dialect.js";
import { openAddress } from "./browser.js";
import { findMentionedFiles } from "./mentioned-files.js";
import { TerminalProcesses } from "./terminal-processes.js";
import { inspectFile, locatePath, readTextFile, writeTextFile } from "./workspace-files.js";

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
