// The answers to a permission request. The words are ours and come from the kind of each option, because the kind decides
// what happens; the agent's own name for it is told beside it when it says something else. An option whose kind we do not
// know cannot be named truthfully, and so is not offered.
import type { AcpRequestParams } from "../../../contract/acp.js";
import type { PermissionParams } from "../../../contract/asks.js";

export type PermissionChoice = PermissionParams["choices"][number];
type Option = AcpRequestParams<"session/request_permission">["options"][number];

type Words = {
  readonly label: string;
  /** What the label does not say. */
  readonly more?: string;
  /** Names that say the same as the label. */
  readonly same: RegExp;
};

// What an agent remembers is up to the agent: it makes no difference to what Palaver does for it.
const words: Readonly<Record<PermissionChoice["choice"], Words>> = {
  allow_once: { label: "allow once", same: /^(?:yes|(?:allow|approve|accept|proceed)(?: once)?)$/i },
  allow_always: { label: "always allow", more: "remembered by the agent", same: /^(?:always allow|allow always)$/i },
  reject_once: { label: "no", same: /^(?:no|(?:reject|deny|decline|cancel)(?: once)?)$/i },
  reject_always: { label: "never", more: "remembered by the agent", same: /^(?:never|always reject|reject always)$/i },
};

const kinds = Object.keys(words) as PermissionChoice["choice"][];

export function isKnownKind(kind: string | null | undefined): kind is PermissionChoice["choice"] {
  return kinds.some((known) => known === kind);
}

/** In one order, whatever the agent's. Options that share an id cannot be told apart by an answer: none of them counts. */
export function choicesOf(options: readonly Option[]): PermissionChoice[] {
  const choices = options.flatMap(({ optionId, name, kind }): PermissionChoice[] => {
    const isOnly = options.filter((other) => other.optionId === optionId).length === 1;
    return isKnownKind(kind) && isOnly ? [choiceOf(optionId, name ?? "", kind)] : [];
  });
  return choices.sort((a, b) => kinds.indexOf(a.choice) - kinds.indexOf(b.choice));
}

function choiceOf(id: string, name: string, choice: PermissionChoice["choice"]): PermissionChoice {
  const { label, more, same } = words[choice];
  const called = name === "" || same.test(name.trim()) ? [] : [`the agent calls it "${name}"`];
  const description = [...(more === undefined ? [] : [more]), ...called].join("; ");
  return { id, label, choice, ...(description === "" ? {} : { description }) };
}
