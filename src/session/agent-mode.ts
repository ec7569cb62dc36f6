// The mode an agent works in: its permission mode, approval preset or the like. Agents name their modes as they please, so that
// one that never asks is recognised by its words.
import { safeLine } from "../text/safe.js";
import type { AgentSettings, SessionFacts } from "./session-facts.js";

export type ModeSetting = AgentSettings[number];
type ModeOption = ModeSetting["options"][number];

export function modeSetting({ settings }: Pick<SessionFacts, "settings">): ModeSetting | null {
  return settings.find(({ kind }) => kind === "mode") ?? null;
}

/** What the status shows; null for an agent without modes. */
export function currentMode(facts: Pick<SessionFacts, "settings">): ModeOption | null {
  const setting = modeSetting(facts);
  if (setting === null || setting.value === "") return null;
  return setting.options.find(({ value }) => value === setting.value) ?? { value: setting.value, label: setting.value };
}

const NEVER_ASKS = new RegExp(
  [
    ...[
      "yolo",
      "bypass",
      "full[ _-]?access",
      "danger",
      "unsafe",
      "unrestricted",
      "\\bnever\\b",
      "skip[ _-]?permission",
    ],
    ...[
      "do?n['’]?t[ _-]?ask",
      "(?:no|without)[ _-]?(?:ask|approval|confirm|permission)",
      "auto[ _-]?(?:approve|pilot)",
    ],
    "(?:allow|accept|approve|trust)[ _-]?(?:all|every)",
  ].join("|"),
  "i",
);

/** Whether the agent acts without asking in this mode, as far as its name says. */
export function neverAsks({ value, label }: Pick<ModeOption, "value" | "label">): boolean {
  // As it is seen: characters without a width do not hide a word.
  return [value, label].some((name) => NEVER_ASKS.test(safeLine(name)));
}

/** The next one for the key that cycles. A mode that never asks is chosen by name alone. */
export function nextMode({ value, options }: ModeSetting): ModeOption | null {
  const at = options.findIndex((option) => option.value === value);
  const others = [...options.slice(at + 1), ...options.slice(0, Math.max(0, at))];
  return others.find((option) => !neverAsks(option)) ?? null;
}

/** By its value or its label; the beginning is enough when it fits one alone. */
export function modeNamed({ options }: ModeSetting, words: string): ModeOption | null {
  const wanted = words.toLowerCase();
  const names = (option: ModeOption) => [option.value.toLowerCase(), option.label.toLowerCase()];
  const exact = options.find((option) => names(option).includes(wanted));
  const begun = options.filter((option) => names(option).some((name) => name.startsWith(wanted)));
  return exact ?? (begun.length === 1 ? (begun[0] ?? null) : null);
}
