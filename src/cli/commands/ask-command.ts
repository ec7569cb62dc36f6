// `palaver ask`: one question from a shell script, in a small dialog on the terminal, with the answer on standard output. When no
// one can be asked, it answers with its default or fails.

import type { Ask, AskOutcome } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import { fitAnswer } from "../../session/answer-fit.js";
import { answerCommandWords } from "../../session/ask-facts.js";
import { decideAlone, type OnAsk } from "../../session/headless-policy.js";
import { settleAsk } from "../../views/mini/ask-decider.js";
import { type AskRecord, recordOf, unansweredRecord } from "../../views/mini/ask-record.js";
import { isBuildService } from "../../views/mini/find-ask-view.js";
import { jsonLine } from "../../views/mini/json-line.js";
import { answeredLine, LocalAsks } from "../../views/mini/local-asks.js";
import type { Command } from "../command-table.js";
import { type LoadedConfig, loadConfig } from "../config/load-config.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { keepAsks } from "../keep-asks.js";
import { processClock } from "../process-clock.js";
import { type AskArguments, askHelp as help, readAskArguments } from "../prompt/ask-arguments.js";
import { askViewHere, lookHere } from "../prompt/here.js";
import { inputBesides } from "../stdin-prompt.js";

export const command: Command = {
  help,
  async run(args) {
    if (args[0] === "spin") return (await import("../prompt/spin.js")).spin(args.slice(1));
    const given = await readAskArguments(args, (input, pauseMsMax) => {
      return inputBesides({ input, pauseMsMax, ...(input === "wait" ? { onSilence: reportWaiting } : {}) });
    });
    const config = loadConfig({ flags: given.flags, environment: process.env, folder: process.cwd() });
    const ask = askOf(given);
    const onAsk = config.settings.on_ask;
    const open = await askViewHere(config, given.input, "user");
    const keep = keepAsks("palaver ask", () => []);
    let askId = ask.id;
    const asks = new LocalAsks({ clock: processClock, audit: (record) => keep({ ...record, askId }) });
    const waiting = (id: string) => {
      askId = id;
      if (given.notes === "all") process.stderr.write(`? waits at the daemon: ${answerCommandWords(ask, id)}\n`);
    };
    if (open !== null) asks.show(open);
    const settled = asks.ask(ask);
    const why = open !== null ? null : onAsk === "wait" ? await askElsewhere(asks, ask, waiting) : noTerminal();
    const outcome = why ?? (await settled);
    if (asks.shownAs === "drawn" && typeof outcome !== "string") {
      await asks.whenHidden();
      if (given.notes === "all") keepLine(ask, outcome, config);
    }
    const code = finished(asks, ask, outcome, { ...given, onAsk });
    await asks.close();
    return code;
  },
};

// The dialog is gone from the screen; one line of it stays for the user.
function keepLine(ask: Ask, outcome: AskOutcome, config: LoadedConfig): void {
  const line = process.stderr.isTTY ? answeredLine(ask, outcome, lookHere(config)) : null;
  if (line !== null) process.stderr.write(line);
}

function reportWaiting(): void {
  process.stderr.write("waiting for the options on standard input, one a line\n");
}

function noTerminal(): string {
  const isTold = isBuildService(process.env);
  return isTold ? "the variable CI is set, so no one is asked on a terminal" : "there is no terminal to ask on";
}

function askOf({ question, timeoutMs }: AskArguments): Ask {
  return {
    id: "ask",
    sessionId: null,
    turnId: null,
    origin: { kind: "agent" },
    question,
    deadlineMs: timeoutMs === null ? null : processClock.nowMs() + timeoutMs,
  };
}

/** Settles it as it is answered at the daemon of the project; or says why it is not. */
async function askElsewhere({ source }: LocalAsks, ask: Ask, onLeft: (id: string) => void): Promise<string | null> {
  const { waitingRoomHere } = await import("../prompt/remote-ask.js");
  const room = await waitingRoomHere({ asker: () => "reconnects" }, () => undefined);
  return room.leave(ask, onLeft).then(
    (outcome) => {
      settleAsk(source, ask.id, outcome);
      return null;
    },
    (error: unknown) => errorMessage(error),
  );
}

type GivenAsk = AskArguments & { readonly onAsk: OnAsk };

function finished(asks: LocalAsks, ask: Ask, settled: AskOutcome | string, given: GivenAsk): ExitCode {
  if (typeof settled === "string" || settled.kind === "expired" || settled.kind === "withdrawn") {
    return unanswered(asks, ask, settled, given);
  }
  return settled.kind === "answered" ? printed(ask, settled.value, given) : exitCodes.cancelled;
}

// What no one answered is told on standard error, and so is a default that answered instead.
function unanswered({ source }: LocalAsks, ask: Ask, why: AskOutcome | string, given: GivenAsk): ExitCode {
  const fitted = given.preset === undefined ? null : fitAnswer(ask, given.preset);
  if (fitted?.kind === "answered") {
    const outcome = { ...fitted, by: "--default" };
    settleAsk(source, ask.id, outcome);
    tell(given, recordOf(ask, outcome, "person"));
    return printed(ask, fitted.value, given);
  }
  if (typeof why !== "string" && why.kind === "expired") {
    tell(given, recordOf(ask, why, "person"));
    return exitCodes.timedOut;
  }
  const decision = decideAlone(ask, given.onAsk, "user");
  if (decision.kind === "undecided") {
    tell(given, unansweredRecord(ask, { why: typeof why === "string" ? why : noTerminal(), resume: null }));
    return exitCodes.answerNeeded;
  }
  settleAsk(source, ask.id, decision);
  tell(given, recordOf(ask, decision, "alone"));
  return decision.kind === "answered" ? printed(ask, decision.value, given) : exitCodes.cancelled;
}

function tell({ notes }: AskArguments, record: AskRecord): void {
  if (notes === "all") process.stderr.write(jsonLine(record));
}

function printed({ question }: Ask, value: unknown, { output, notes }: AskArguments): ExitCode {
  const isNo = question.kind === "confirm" && value === false;
  if (question.kind === "confirm" && notes === "answer") return isNo ? exitCodes.agentFailed : exitCodes.done;
  process.stdout.write(output === "json" || question.kind === "form" ? jsonLine(value) : `${words(value)}\n`);
  return isNo ? exitCodes.agentFailed : exitCodes.done;
}

function words(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.join("\n") : String(value);
}
