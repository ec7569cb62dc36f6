// The questions that we ask ourselves, before we do something for an agent that it did not ask the person about. They look
// like the agent's own: allow once, allow for this session, or no.
import { type Ask, permissionResultSchema } from "../../contract/asks.js";
import type { FileChange } from "../../contract/file-change.js";
import type { AskAnswer } from "./ask-book.js";

export type GateWish = {
  readonly title: string;
  readonly tool: string;
  readonly message: string;
  /** What "always" would cover, in words; without it there is no such choice. */
  readonly always?: string;
  readonly command?: string;
  readonly path?: string;
  readonly changes?: readonly FileChange[];
  readonly danger?: string;
};

export function gateQuestion({ always, changes, ...wish }: GateWish): Ask["question"] {
  const once = { id: "once", label: "allow once", choice: "allow_once" } as const;
  const ever =
    always === undefined
      ? []
      : [{ id: "always", label: `allow ${always}`, choice: "allow_always" as const, description: "this session" }];
  const no = { id: "no", label: "no", choice: "reject_once" } as const;
  return {
    kind: "permission",
    params: {
      ...wish,
      choices: [once, ...ever, no],
      ...(always === undefined ? {} : { rule: always, scope: "this session" }),
      ...(changes === undefined ? {} : { changes: [...changes] }),
    },
  };
}

/** What the person said: a cancel, and whatever else is no choice of ours, is a no. */
export function spanOf(answer: AskAnswer): "once" | "always" | "never" {
  const choice = choiceOf(answer);
  return choice === "once" || choice === "always" ? choice : "never";
}

/** The id of the chosen answer; null for a cancel. */
export function choiceOf(answer: AskAnswer): string | null {
  if (answer.kind === "cancelled") return null;
  if (typeof answer.value === "string") return answer.value;
  return permissionResultSchema.safeParse(answer.value).data?.choiceId ?? null;
}
