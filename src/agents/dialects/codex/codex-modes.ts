// What codex may do without asking, as one mode: its approval policy and its sandbox together. Any other pair, from the user's
// configuration of codex, is a mode of its own that is shown but cannot be chosen.
import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { Settings } from "../front-end-commands.js";

interface CodexMode {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly approvalPolicy: string;
  readonly sandbox: string;
}

const modes: readonly CodexMode[] = [
  {
    ...{ value: "read-only", label: "read only", description: "asks before it changes anything" },
    ...{ approvalPolicy: "on-request", sandbox: "readOnly" },
  },
  {
    ...{ value: "ask", label: "ask", description: "asks before edits and before commands not known to be safe" },
    ...{ approvalPolicy: "untrusted", sandbox: "workspaceWrite" },
  },
  {
    ...{ value: "auto", label: "auto", description: "works in this folder; asks for the network and other folders" },
    ...{ approvalPolicy: "on-request", sandbox: "workspaceWrite" },
  },
  {
    ...{ value: "full-access", label: "full access", description: "no sandbox" },
    ...{ approvalPolicy: "never", sandbox: "dangerFullAccess" },
  },
];

/** The policies, as codex tells them. */
export type CodexPolicies = {
  readonly approvalPolicy?: unknown;
  readonly sandbox?: unknown;
  readonly sandboxPolicy?: unknown;
};

type ModeOption = Settings[number]["options"][number];

export class CodexModes {
  /** What codex works in; null until it has told of its policies. */
  private running: ModeOption | null = null;
  /** Goes along with every turn, so that a turn that failed to start does not leave codex in another mode than is shown. */
  private chosen: { readonly mode: CodexMode; isSent: boolean } | null = null;

  get isKnown(): boolean {
    return this.running !== null;
  }

  /** Whether codex has yet to be told of a choice. */
  get isPending(): boolean {
    return this.chosen?.isSent === false;
  }

  /** A choice does not change the turn that runs, so both are shown until it has ended. */
  settingDuring(time: "turn" | "pause"): Settings[number] {
    const { running, isPending } = this;
    const shown = (isPending ? this.chosen?.mode : running) ?? running;
    const isLater = time === "turn" && isPending && shown?.value !== running?.value;
    const options = modes.map(({ value, label, description }) => {
      const later = isLater && value === shown?.value ? `${running?.label}, ${label} from the next turn` : label;
      return { value, label: later, description };
    });
    const custom = shown?.value === "custom" ? [shown] : [];
    return {
      ...{ key: "mode", label: "Permissions", kind: "mode" },
      ...{ value: shown?.value ?? "", options: [...custom, ...options] },
    };
  }

  heard({ approvalPolicy, sandbox, sandboxPolicy }: CodexPolicies): void {
    if (approvalPolicy === undefined || approvalPolicy === null) return;
    const box = objectOf(sandboxPolicy ?? sandbox);
    const place = plainWord(box["type"] ?? "");
    const extras = extrasOf(box);
    const isKnown = (mode: CodexMode) => mode.approvalPolicy === approvalPolicy && mode.sandbox === place;
    const known = extras === "" ? modes.find(isKnown) : undefined;
    const policy = typeof approvalPolicy === "string" ? approvalPolicy : "granular";
    const label = [policy, spaced(place), extras].filter(Boolean).join(", ");
    this.running = known ?? { value: "custom", label };
    // A choice that codex has not been told yet stands.
    if (!this.isPending && known !== this.chosen?.mode) this.chosen = null;
  }

  /** False for a mode that there is not. */
  choose(value: string): boolean {
    const mode = modes.find((known) => known.value === value);
    if (mode === undefined) return false;
    this.chosen = { mode, isSent: false };
    return true;
  }

  /** What the next turn is told. */
  takeWishes(): JsonObject {
    if (this.chosen === null) return {};
    this.chosen.isSent = true;
    this.running = this.chosen.mode;
    const { approvalPolicy, sandbox } = this.chosen.mode;
    return { approvalPolicy, sandboxPolicy: { type: sandbox } };
  }
}

/** What the sandbox allows beyond its type, which no mode of ours promises. */
function extrasOf({ type, networkAccess = false, writableRoots = [] }: JsonObject): string {
  if (type === "dangerFullAccess") return "";
  const hasNetwork = ![false, null, "restricted"].some((closed) => closed === networkAccess);
  const hasRoots = !Array.isArray(writableRoots) || writableRoots.length > 0;
  const extras = [hasNetwork ? "network" : "", hasRoots ? "other folders" : ""].filter(Boolean).join(", ");
  return extras === "" ? "" : `with ${extras}`;
}

/** "workspaceWrite" as words. */
function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
