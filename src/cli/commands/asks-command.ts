// `palaver asks`: the questions that wait for an answer at the project's daemon, for people and for scripts.

import type { Ask } from "../../contract/asks.js";
import type { SelectOption } from "../../contract/dialogs.js";
import { confirmQuestion, permissionQuestion } from "../../terminal/painter/dialogs/approval-answers.js";
import { approvalParts, disguisesIn, performerLines } from "../../terminal/painter/dialogs/approval-body.js";
import { safeLine, safeReveal } from "../../text/safe.js";
import { jsonPage } from "../../views/mini/json-line.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command.js";
import { daemonOptions, daemonOptionsHelp } from "../daemon-connection.js";
import { exitCodes } from "../exit-codes.js";
import { withSessions } from "../session-connection.js";

const help = `palaver asks [options]

The questions that wait for an answer at the daemon of this project, the oldest
first: of the agents that live in it, of MCP clients, and of runs that wait for
an answer there ("palaver prompt --on-ask wait"). palaver answer answers one;
palaver attach shows them as dialogs.

  --json             the questions as JSON
${daemonOptionsHelp}

Examples
  palaver asks
  palaver asks --json | jq -r '.[].id'
`;

export const asksCommand: Command = {
  help,
  async run(args) {
    const values = readFlags("asks", args, { ...daemonOptions, json: { type: "boolean", default: false } });
    const asks = await withSessions(values, (client) => client.asks());
    process.stdout.write(values.json ? jsonPage(asks) : asksWords(asks));
    return exitCodes.done;
  },
};

//   q1f2e3d4c  confirm     Deploy to production?
//              from tool deploy
//   q5a6b7c8d  select      Which package manager?
//              npm · pnpm · yarn
//   q9a0b1c2d  permission  Bash sudo rm -rf build
//              danger: it runs with other rights (sudo); it deletes folders with all that is in them (rm -r)
//              allow_once · reject_once
export function asksWords(asks: readonly Ask[]): string {
  if (asks.length === 0) return "nobody asks anything\n";
  const width = Math.max(...asks.map(({ id }) => safeLine(id).length));
  return asks
    .map((ask) => {
      const { id, question, origin } = ask;
      const head = `${safeLine(id).padEnd(width)}  ${question.kind.padEnd(10)}  ${safeLine(question.params.title)}`;
      const from = origin.kind === "agent" ? "" : `from ${origin.kind} ${safeLine(origin.name ?? "")}`.trimEnd();
      const details = [...approvedLines(ask), choicesOf(ask), from].filter((words) => words !== "");
      return [head, ...details.map((words) => `${" ".repeat(width + 2)}${words}`)].join("\n").concat("\n");
    })
    .join("");
}

/** A longer one is cut here, and says so; --json and palaver attach show all of it. */
const APPROVED_LINES_MAX = 20;

// Who answers from here must have read what a dialog would show.
function approvedLines({ question }: Ask): string[] {
  if (question.kind !== "permission" && question.kind !== "confirm") return [];
  const { approval } =
    question.kind === "permission" ? permissionQuestion(question.params) : confirmQuestion(question.params);
  const dangers = [approval.danger, ...disguisesIn(approval)].filter((words) => words !== "");
  const body = approvalParts(approval).flatMap((part) => part.split(/\r?\n/));
  const hidden = body.length - APPROVED_LINES_MAX;
  const more = hidden > 0 ? [`… ${hidden} more lines`] : [];
  return [
    ...dangers.map((words) => `danger: ${safeReveal(words)}`),
    ...body.slice(0, APPROVED_LINES_MAX).map(safeReveal),
    ...more,
    ...performerLines(approval),
  ];
}

// An answer names a value; where a dialog shows other words for it, they stand beside it.
function optionWords({ label, value }: SelectOption): string {
  return label === value ? safeLine(value) : `${safeLine(value)} (${safeReveal(label)})`;
}

function choicesOf({ question }: Ask): string {
  if (question.kind === "select") return question.params.options.map(optionWords).join(" · ");
  if (question.kind === "permission") return question.params.choices.map(({ choice }) => choice).join(" · ");
  if (question.kind === "form") return question.params.fields.map(({ name }) => safeLine(name)).join(" · ");
  return "";
}
