// `palaver replay`: plays a recorded session in the same terminal UI, or prints it where there is no terminal.

import { readRecording } from "../../agents/recordings/recording-reader.js";
import { openReplay, type ReplayOptions } from "../../agents/recordings/replay-link.js";
import type { Ask } from "../../contract/asks.js";
import type { Block } from "../../session/transcript/block.js";
import { realTimers } from "../../system/timers.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { loadConfig } from "../config/load-config.js";
import { exitCodes, UsageError } from "../exit-codes.js";

const help = `palaver replay FILE [options]

Plays a session that was recorded with "palaver run --record FILE". The
original prompts and answers are shown; secrets are not in the file.
Without a terminal the transcript is printed as plain text.

  --speed N        1 original speed (default), 4 four times as fast, 0 at once
  --from TIME      show everything before this at once: 90, 1:30, 1:02:03
  --idle SECONDS   cap pauses at this length (default 5; 0 keeps them)

Examples
  palaver replay session.jsonl --speed 4
  palaver replay session.jsonl --from 2:30
  palaver replay session.jsonl > transcript.txt
`;

const options = {
  speed: { type: "string", default: "1" },
  from: { type: "string", default: "0" },
  idle: { type: "string", default: "5" },
} as const;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("replay", args, options);
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) {
      throw new UsageError("replay needs one file: palaver replay session.jsonl");
    }
    const playback = optionsOf(values);
    const name = await agentIn(path);
    if (process.stdin.isTTY && process.stdout.isTTY) await playInTerminal(name, path, playback);
    else process.stdout.write(await transcriptText(name, path));
    return exitCodes.done;
  },
};

function optionsOf({ speed, from, idle }: Record<"speed" | "from" | "idle", string>): ReplayOptions {
  const idleS = numberOf("--idle", idle);
  return {
    speed: numberOf("--speed", speed),
    fromMs: timeOf(from) * 1000,
    ...(idleS === 0 ? {} : { gapMsMax: idleS * 1000 }),
    after: realTimers.after,
  };
}

function numberOf(flag: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  throw new UsageError(`${flag} takes a number from 0 on, not "${text}"`);
}

/** Seconds: "90", "1:30" and "0:01:30" are the same. */
function timeOf(text: string): number {
  if (!/^(?:\d+:){0,2}\d+(?:\.\d+)?$/.test(text)) {
    throw new UsageError(`--from takes a time such as 90 or 1:30, not "${text}"`);
  }
  return text.split(":").reduce((total, part) => total * 60 + Number(part), 0);
}

/** The first line names the agent; a file that is no recording fails before the terminal is touched. */
async function agentIn(path: string): Promise<string> {
  try {
    for await (const item of readRecording(path)) {
      if (item.kind === "entry" && item.entry.dir === "meta" && item.entry.kind === "recording")
        return item.entry.agent;
    }
  } catch (error) {
    throw new UsageError(unreadable(error, path));
  }
  return "agent";
}

function unreadable(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `there is no file ${path}; palaver run --record FILE NAME makes one`;
  return code === undefined ? message : `${path} cannot be read: ${message}`;
}

async function playInTerminal(name: string, path: string, options: ReplayOptions): Promise<void> {
  const { openTerminal } = await import("../terminal-ui.js");
  const config = loadConfig({ environment: process.env, folder: process.cwd() });
  await openTerminal({ name, openLink: (handlers) => openReplay(path, options, handlers) }, config);
}

/** All of it at once: what closed is printed, in its order. */
async function transcriptText(agent: string, path: string): Promise<string> {
  const { emptyTranscript, reduceTranscript } = await import("../../session/transcript/transcript.js");
  const { exportTranscript } = await import("../../terminal/painter/export/export-transcript.js");
  const blocks: Block[] = [];
  const asks = new Map<string, Ask>();
  let state = emptyTranscript;
  const take = (input: Parameters<typeof reduceTranscript>[1]) => {
    const step = reduceTranscript(state, input, 0);
    state = step.state;
    for (const change of step.changes) if (change.type === "closed") blocks.push(change.block);
  };
  const link = openReplay(
    path,
    { speed: 0, after: realTimers.after },
    {
      nowMs: () => 0,
      onEvent(event) {
        if (event.type === "ask.raised") asks.set(event.ask.id, event.ask);
        take(event);
      },
      onAskSettled(askId, outcome) {
        const ask = asks.get(askId);
        if (ask !== undefined) take({ type: "ask.settled", ask, outcome, delivery: null });
      },
    },
  );
  await link.played;
  const { error } = await link.stop();
  if (error !== null) throw new UsageError(error);
  const facts = { agent, exportedAt: new Date().toISOString(), palaver: PALAVER_VERSION };
  return exportTranscript(blocks, "text", facts);
}
