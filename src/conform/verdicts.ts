// Collects what was seen of each rule, and reports it. One failure fails a rule; a rule whose situation never came up is not seen.

import { safeLine } from "../text/safe.js";
import { type RuleId, rules } from "./rules.js";

export type Verdict = "passed" | "failed" | "not seen";

export type RuleReport = { id: RuleId; title: string; verdict: Verdict; details: string[]; advice: string };

export type ConformReport = { command: string[]; framesSeen: number; rules: RuleReport[] };

const DETAILS_MAX = 5;

export class Verdicts {
  readonly #held = new Set<RuleId>();
  readonly #failures = new Map<RuleId, string[]>();
  readonly #notes = new Map<RuleId, string>();
  readonly #advice = new Map<RuleId, string>();
  #ending: string | null = null;

  hold(rule: RuleId): void {
    this.#held.add(rule);
  }

  /** How many rules are broken. */
  get failed(): number {
    return this.#failures.size;
  }

  /** `advice` replaces that of the rule. */
  fail(rule: RuleId, detail: string, advice?: string): void {
    if (advice !== undefined) this.#advice.set(rule, advice);
    const details = this.#failures.get(rule) ?? [];
    if (details.length < DETAILS_MAX && !details.includes(detail)) details.push(detail);
    this.#failures.set(rule, details);
  }

  /** Why a rule could not be looked at. */
  note(rule: RuleId, reason: string): void {
    this.#notes.set(rule, reason);
  }

  /** Why nothing more was looked at. */
  endedBy(reason: string): void {
    this.#ending = reason;
  }

  check(rule: RuleId, holds: boolean, detail: string): void {
    if (holds) this.hold(rule);
    else this.fail(rule, detail);
  }

  report(): RuleReport[] {
    return rules.map(({ id, title, advice: usual }) => {
      const advice = this.#advice.get(id) ?? usual;
      const failures = this.#failures.get(id);
      if (failures !== undefined) return { id, title, advice, verdict: "failed", details: failures };
      if (this.#held.has(id)) return { id, title, advice, verdict: "passed", details: [] };
      const note = this.#notes.get(id) ?? this.#ending ?? undefined;
      return { id, title, advice, verdict: "not seen", details: note === undefined ? [] : [note] };
    });
  }
}

const marks: Record<Verdict, string> = { passed: "✓", failed: "✕", "not seen": "–" };

export function countVerdicts({ rules }: ConformReport): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { passed: 0, failed: 0, "not seen": 0 };
  for (const { verdict } of rules) counts[verdict] += 1;
  return counts;
}

export function reportText(report: ConformReport): string {
  const counts = countVerdicts(report);
  // Rules that were not tested for the same reason have it once.
  const told = new Set<string>();
  const rows = report.rules.flatMap((rule) => {
    const details = rule.verdict === "not seen" ? rule.details.filter((detail) => !told.has(detail)) : rule.details;
    for (const detail of details) told.add(detail);
    return ruleRows({ ...rule, details });
  });
  const summary = `${counts.passed} passed, ${counts.failed} failed, ${counts["not seen"]} not seen`;
  const verdict =
    counts.failed === 0 ? "The agent follows the lines protocol." : "The agent breaks the lines protocol.";
  return [`palaver conform: ${safeLine(report.command.join(" "))}`, "", ...rows, "", `${verdict} ${summary}`, ""].join(
    "\n",
  );
}

export function reportJson(report: ConformReport): string {
  const json = JSON.stringify({ ...report, counts: countVerdicts(report) }, null, 2);
  // JSON does not escape 8-bit controls, and the report has text of the agent.
  return `${json.replace(/[\x7f-\x9f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}\n`;
}

function ruleRows({ verdict, title, details, advice }: RuleReport): string[] {
  const head = `  ${marks[verdict]} ${title}${verdict === "not seen" ? ": not seen" : ""}`;
  const seen = details.map((detail) => `      ${safeLine(detail)}`);
  return verdict === "failed" ? [head, ...seen, `      → ${advice}`] : [head, ...seen];
}
