// Permission requests of the agent: raises the approval, sends the chosen option back, and keeps what a yes grants. The labels
// of the choices are ours and follow from the kind of each option; the agent's own name is added when it says something
// else. An option of an unknown kind is not offered.

import type { PermissionParams } from "../../../contract/asks.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import type { AskAnswer } from "./acp-asks.js";
import type { FilePlace } from "./acp-effect.js";
import type { AcpRequestParams } from "./acp-frames.js";
import type { AcpContext } from "./context.js";
import { choiceOf } from "./gate.js";
import { absolutePath } from "./paths.js";
import { permissionOf } from "./permission-question.js";
import type { Session } from "./session.js";
import { type ToolContent, type ToolFacts, wholeFileOf } from "./tool-view.js";

type Params = AcpRequestParams<"session/request_permission">;

const cancelledOutcome = { outcome: { outcome: "cancelled" } };

export function askPermission(context: AcpContext, request: AgentRequest, params: Params, session: Session): void {
  const { effects, out } = context;
  session.messages.finish();
  const facts = session.tools.askedAbout(params.toolCall);
  if (session.turn === "stopping") {
    request.answer(cancelledOutcome);
    return;
  }
  for (const { kind } of params.options)
    if (!isKnownKind(kind)) out.unknown("kind of answer", kind ?? "none", params, session.id);
  const whole = context.facts.habits.wholeFiles === "shown-as-content" ? wholeFileOf(facts) : null;
  if (whole === null) raise(context, request, params, session, facts);
  else {
    const path = absolutePath(whole.path, session.cwd);
    effects.perform({ type: "file.inspect", path, workspace: session.cwd }, (result) => {
      const change = result.ok ? changeOf(result.value as FilePlace, whole.content) : [];
      if (session.turn === "stopping") request.answer(cancelledOutcome);
      else if (request.isOpen)
        raise(context, request, params, session, { ...facts, content: [...facts.content, ...change] });
    });
  }
}

/** The change to the file, unless it is binary. */
function changeOf({ realPath, oldText, isText }: FilePlace, newText: string): ToolContent[] {
  return isText ? [{ type: "diff", path: realPath, oldText, newText }] : [];
}

function raise(context: AcpContext, request: AgentRequest, params: Params, session: Session, facts: ToolFacts): void {
  const { asks } = context;
  const id = params.toolCall.toolCallId;
  const choices = choicesOf(params.options);
  const toolCallId = session.tools.nameOf(id);
  const { terminal } = context.facts.habits;
  const permission = permissionOf({ facts, choices, toolCallId, cwd: session.cwd, terminal });
  const question = { kind: "permission", params: permission.params } as const;
  const askId = asks.raise({ sessionId: session.id, origin: { kind: "agent" }, question }, (answer) => {
    const chosen = chosenBy(answer, choices, session);
    if (chosen?.choice.startsWith("allow")) session.grants.give(permission.grants);
    else session.tools.rejected(id);
    request.answer(chosen === null ? cancelledOutcome : { outcome: { outcome: "selected", optionId: chosen.id } });
  });
  request.whenTakenBack(() => asks.takenBack(askId));
}

// Closing the dialog rejects this call and the agent continues; only a stopped turn cancels.
function chosenBy(answer: AskAnswer, choices: readonly PermissionChoice[], session: Session): PermissionChoice | null {
  if (session.turn === "stopping") return null;
  const chosen = choices.find(({ id }) => id === choiceOf(answer));
  return chosen ?? choices.find(({ choice }) => choice === "reject_once") ?? null;
}

export type PermissionChoice = PermissionParams["choices"][number];
type Option = AcpRequestParams<"session/request_permission">["options"][number];

type Words = {
  readonly label: string;
  /** What the label does not say. */
  readonly more?: string;
  /** Names that say the same as the label. */
  readonly same: RegExp;
};

// What the agent remembers does not change what Palaver allows.
const words: Readonly<Record<PermissionChoice["choice"], Words>> = {
  allow_once: { label: "allow once", same: /^(?:yes|(?:allow|approve|accept|proceed)(?: once)?)$/i },
  allow_always: { label: "always allow", more: "remembered by the agent", same: /^(?:always allow|allow always)$/i },
  reject_once: { label: "no", same: /^(?:no|(?:reject|deny|decline|cancel)(?: once)?)$/i },
  reject_always: { label: "never", more: "remembered by the agent", same: /^(?:never|always reject|reject always)$/i },
};

const kinds = Object.keys(words) as PermissionChoice["choice"][];

function isKnownKind(kind: string | null | undefined): kind is PermissionChoice["choice"] {
  return kinds.some((known) => known === kind);
}

/** In a fixed order. Options that share an id are dropped, because an answer could mean either. */
function choicesOf(options: readonly Option[]): PermissionChoice[] {
  const choices = options.flatMap(({ optionId, name, kind }): PermissionChoice[] => {
    const isOnly = options.filter((other) => other.optionId === optionId).length === 1;
    return isKnownKind(kind) && isOnly ? [wordedChoice(optionId, name ?? "", kind)] : [];
  });
  return choices.sort((a, b) => kinds.indexOf(a.choice) - kinds.indexOf(b.choice));
}

function wordedChoice(id: string, name: string, choice: PermissionChoice["choice"]): PermissionChoice {
  const { label, more, same } = words[choice];
  const called = name === "" || same.test(name.trim()) ? [] : [`the agent calls it "${name}"`];
  const description = [...(more === undefined ? [] : [more]), ...called].join("; ");
  return { id, label, choice, ...(description === "" ? {} : { description }) };
}
