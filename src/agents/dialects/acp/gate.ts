// The approval for an effect that no grant covers. It is built from the effect alone: the command with its folder and
// variables, or the file on disk and as it would be. It contains no words of the agent.
import { type Ask, type PermissionParams, permissionResultSchema } from "../../../contract/asks.js";
import { wireErrorCodes } from "../../../contract/errors.js";
import { filled } from "../frames/lenient-field.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import type { AskReply } from "../pending-asks.js";
import type { AcpContext } from "./context.js";
import type { Session } from "./session.js";

export type GatedEffect = Pick<PermissionParams, "command" | "path" | "changes" | "danger"> & {
  readonly tool: "read" | "edit" | "run";
  /** Follows the verb in the title. */
  readonly about: string;
  readonly details: NonNullable<PermissionParams["details"]>;
  /** What "always" covers, in words; without it that choice is not offered. */
  readonly always?: string;
};

export type Gate = {
  readonly request: AgentRequest;
  readonly session: Session;
  readonly effect: GatedEffect;
  onAllowed(span: "once" | "always"): void;
};

/** Asks, and refuses the agent's request unless the user allows it. */
export function askFirst({ asks }: AcpContext, { request, session, effect, onAllowed }: Gate): void {
  asks.question({ sessionId: session.id, question: questionOf(effect, session), request }, (answer) => {
    const choice = choiceOf(answer);
    const span = choice === "always" && effect.always === undefined ? null : choice;
    if (span !== "once" && span !== "always") {
      request.refuse(wireErrorCodes.internal, `denied by the user: ${effect.tool} ${effect.about}`);
    } else if (request.isOpen) onAllowed(span);
  });
}

/** Which kind of tool call an effect belongs to. */
const toolKinds = { read: "read", edit: "edit", run: "execute" } as const;

function questionOf({ about, always, details, ...effect }: GatedEffect, session: Session): Ask["question"] {
  const once = { id: "once", label: "allow once", choice: "allow_once" } as const;
  const no = { id: "no", label: "no", choice: "reject_once" } as const;
  const toolCallId = session.tools.onlyRunning(toolKinds[effect.tool]);
  return {
    kind: "permission",
    params: {
      ...effect,
      title: `${effect.tool} ${about}`,
      message: "Nothing you allowed before covers this.",
      performedBy: "palaver",
      choices: [once, ...(always === undefined ? [] : [alwaysChoice]), no],
      ...(always === undefined ? {} : { rule: always, scope: "this session" }),
      ...filled({ toolCallId, details }),
    },
  };
}

const alwaysChoice = { id: "always", label: "always allow", choice: "allow_always" } as const;

/** The id of the chosen answer; null for a cancel. */
export function choiceOf(answer: AskReply): string | null {
  if (answer.kind === "unanswered") return null;
  if (typeof answer.value === "string") return answer.value;
  return permissionResultSchema.safeParse(answer.value).data?.choiceId ?? null;
}
