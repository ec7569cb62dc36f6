// `palaver answer`: answers an open question at the project's daemon, from a script or another terminal.

import type { Ask } from "../../contract/asks.js";
import type { AnswerResult } from "../../contract/daemon.js";
import { DaemonRefusal } from "../../server/client/daemon-client.js";
import { fitAnswer } from "../../session/answer-fit.js";
import { safeLine } from "../../text/safe.js";
import { jsonLine } from "../../views/mini/json-line.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { daemonOptions, daemonOptionsHelp, withSessions } from "../daemon-connection.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { complain } from "../printed.js";
import { spokenAnswer } from "../prompt/spoken-answer.js";

const help = `palaver answer [options] ID [VALUE…]

Answers an open question at the daemon of this project. ID is what palaver
asks shows, or the beginning of it. VALUE is the text, one of the options, or
yes and no; for a permission also allow_once, allow_always, reject_once and
reject_always; for a form JSON; for several choices several values, or JSON.
The first answer counts; a later one fails with exit code 1 and names who was
first.

  --yes, --no        instead of a value: allow it, or do not
  --cancel           instead of a value: give no answer at all
  --by NAME          who answers, for the record (default: the name of your
                     account)
  --json             the outcome as JSON
${daemonOptionsHelp}

Examples
  palaver answer q1f2 --yes
  palaver answer q5a6 pnpm
  palaver answer q9 '{"name": "checkout-v2", "public": true}'
`;

const options = {
  ...daemonOptions,
  yes: { type: "boolean", default: false },
  no: { type: "boolean", default: false },
  cancel: { type: "boolean", default: false },
  by: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("answer", args, options);
    const [id, ...words] = positionals;
    if (id === undefined) throw new UsageError("answer needs the id of a question: palaver asks lists them");
    const said = saidIn(words, values);
    const by = values.by ?? process.env["USER"] ?? "script";
    return withSessions(values, async (client) => {
      const ask = askNamed(id, await client.asks());
      const { verdict, result } = await client.answer(ask?.id ?? id, sent(ask, said), by).catch(unknownAsk);
      process.stdout.write(values.json ? jsonLine(result) : "");
      if (verdict === "late") complain(`palaver: ${lateWords(result)}`);
      return verdict === "late" ? exitCodes.agentFailed : exitCodes.done;
    }) satisfies Promise<ExitCode>;
  },
};

function unknownAsk(error: unknown): never {
  const isUnknown = error instanceof DaemonRefusal && error.status === 404;
  throw isUnknown ? new Error(`${error.message}; palaver asks lists them`) : error;
}

type Said = readonly string[] | "cancel";

const ONE_VALUE = 'answer takes one value, or one of --yes, --no and --cancel; a text goes in quotes: "a b"';

function saidIn(words: readonly string[], { yes, no, cancel }: { yes: boolean; no: boolean; cancel: boolean }): Said {
  const flags = [yes && "yes", no && "no", cancel && "cancel"].filter((flag) => flag !== false);
  if (flags.length > 0 ? words.length + flags.length > 1 : words.length === 0) throw new UsageError(ONE_VALUE);
  return cancel ? "cancel" : [...words, ...flags.map(String)];
}

/** By its id or a prefix of it; null when it is not open. */
function askNamed(id: string, asks: readonly Ask[]): Ask | null {
  const exact = asks.find((ask) => ask.id === id);
  const alike = exact === undefined ? asks.filter((ask) => ask.id.startsWith(id)) : [exact];
  if (alike.length > 1) throw new UsageError(`several questions begin with "${safeLine(id)}"; palaver asks lists them`);
  return alike[0] ?? null;
}

// For a question that is not open, null makes the daemon report its outcome and settles nothing.
function sent(ask: Ask | null, said: Said): { value: unknown } | { cancel: true } {
  if (said === "cancel") return { cancel: true };
  if (ask === null) return { value: null };
  const answer = spokenAnswer(ask, said);
  if (answer === undefined) throw new UsageError(ONE_VALUE);
  const fitted = fitAnswer(ask, answer);
  if (fitted.kind === "unfit") throw new UsageError(fitted.problem);
  return fitted.kind === "cancelled" ? { cancel: true } : { value: fitted.value };
}

function lateWords({ outcome, by, reason }: AnswerResult): string {
  if (outcome === "answered") return `${safeLine(by ?? "another client")} has answered already`;
  if (outcome === "cancelled") return `${safeLine(by ?? "another client")} has cancelled it already`;
  return outcome === "expired"
    ? "it was too late: the time for an answer is over"
    : `it was withdrawn: ${reason ?? "the agent does not ask any more"}`;
}
