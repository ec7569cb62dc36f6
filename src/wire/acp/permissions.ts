// Permission requests of the agent: its question becomes ours, the chosen option goes back, and what was allowed is
// remembered for the moment when the agent wants us to do it. Agents order their options as they like; we show them in one
// order and go by their kind, never by their place.

import type { AcpRequestParams } from "../../contract/acp.js";
import type { Ask, PermissionParams } from "../../contract/asks.js";
import { plainWord } from "../../contract/plain-word.js";
import type { AskAnswer } from "./ask-book.js";
import { contentText } from "./content-text.js";
import type { AcpContext } from "./context.js";
import { choiceOf } from "./gate.js";
import { absolutePath, isInside } from "./paths.js";
import { type AgentRequest, objectOf } from "./peer.js";
import type { Session } from "./session.js";
import { changesOf, commandOf, diffOf, pathsOf, showsArguments, type ToolFacts, toolWords } from "./tool-view.js";

type Params = AcpRequestParams<"session/request_permission">;
type Choice = PermissionParams["choices"][number];

const kinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

const cancelledOutcome = { outcome: { outcome: "cancelled" } };

export function askPermission(context: AcpContext, request: AgentRequest, params: Params, session: Session): void {
  const { asks, out } = context;
  session.messages.finish();
  const facts = session.tools.askedAbout(params.toolCall);
  // The person stopped this turn: whatever it still wants to ask, the answer is known.
  if (session.turn === "stopping") {
    request.answer(cancelledOutcome);
    return;
  }
  const choices = choicesOf(params);
  for (const { kind } of params.options)
    if (!isKnown(kind)) out.unknown(session.id, "kind of answer", kind ?? "none", params);
  const { toolCallId } = params.toolCall;
  const question = questionOf(facts, choices, session.tools.nameOf(toolCallId), session.cwd);
  const askId = asks.raise({ sessionId: session.id, origin: { kind: "agent" }, question }, (answer) => {
    const chosen = chosenBy(answer, choices, session);
    if (chosen?.choice === "allow_once") session.allowances.allow(facts, "once");
    else if (chosen?.choice === "allow_always") session.allowances.allow(facts, "always");
    else session.tools.rejected(toolCallId);
    request.answer(chosen === null ? cancelledOutcome : { outcome: { outcome: "selected", optionId: chosen.id } });
  });
  request.whenTakenBack(() => asks.takenBack(askId));
}

function isKnown(kind: string | null | undefined): kind is Choice["choice"] {
  return kinds.some((known) => known === kind);
}

// A kind nobody knows is offered, and never taken for a yes of ours.
function choicesOf({ options }: Params): Choice[] {
  const choices = options.map(({ optionId, name, kind }): Choice => {
    const known = { id: optionId, label: name || optionId };
    return isKnown(kind)
      ? { ...known, choice: kind }
      : { ...known, choice: "reject_once", description: "of unknown kind" };
  });
  return choices.sort((a, b) => kinds.indexOf(a.choice) - kinds.indexOf(b.choice));
}

type PermissionQuestion = Extract<Ask["question"], { kind: "permission" }>;

function questionOf(facts: ToolFacts, choices: Choice[], toolCallId: string, cwd: string): PermissionQuestion {
  const { name, args } = toolWords(facts, cwd);
  const about = [args["command"], args["path"], args["pattern"], args["url"]].find((word) => typeof word === "string");
  const title = [name, plainWord(about ?? "").split("\n")[0]].filter(Boolean).join(" ");
  const command = commandOf(facts) ?? (typeof args["command"] === "string" ? args["command"] : null);
  const changes = changesOf(facts);
  const diff = changes.length === 0 ? diffOf(facts) : null;
  const [path] = pathsOf(facts);
  const message = messageOf(facts, [title, command, ...pathsOf(facts)].join("\n"));
  const danger = dangerOf(facts, cwd);
  return {
    kind: "permission",
    params: {
      title,
      tool: name,
      toolCallId,
      choices,
      ...(message === "" ? {} : { message }),
      ...(command === null || command === "" ? {} : { command }),
      ...(changes.length === 0 ? {} : { changes }),
      ...(diff === null ? {} : { diff }),
      ...(path === undefined ? {} : { path }),
      ...(danger === null ? {} : { danger }),
    },
  };
}

// The agent's own words, as far as they are not on the screen already: a title may be the only place that says why.
function messageOf(facts: ToolFacts, shown: string): string {
  const said = facts.content.flatMap((item) => {
    const content = objectOf(item["content"]);
    return item.type === "content" ? [contentText([{ ...content, type: plainWord(content["type"]) }])] : [];
  });
  const texts = showsArguments(facts) ? [facts.title] : [facts.title, ...said];
  return texts.filter((text) => /\W/.test(text.trim()) && !shown.includes(text.trim())).join("\n");
}

function dangerOf(facts: ToolFacts, cwd: string): string | null {
  if (facts.kind !== "edit" && facts.kind !== "delete" && facts.kind !== "move") return null;
  const outside = pathsOf(facts).filter((path) => !isInside(absolutePath(path, cwd), cwd));
  return outside.length === 0 ? null : `outside of the workspace: ${outside.join(", ")}`;
}

// Who closes a question says no to it, and the agent may go on; only a stopped turn is cancelled.
function chosenBy(answer: AskAnswer, choices: readonly Choice[], session: Session): Choice | null {
  if (session.turn === "stopping") return null;
  const chosen = choices.find(({ id }) => id === choiceOf(answer));
  return chosen ?? choices.find(({ choice, description }) => choice === "reject_once" && !description) ?? null;
}
