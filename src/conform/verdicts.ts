// Collects what was seen of each rule. A rule is failed by its first failure, passed when it was seen to hold, and
// otherwise not seen: the agent never came into the situation.
import { type RuleId, rules } from "./rules.js";

export type Verdict = "passed" | "failed" | "not seen";

export type RuleReport = { id: RuleId; title: string; verdict: Verdict; details: string[]; advice: string };

/** More than this many details of one rule say nothing new. */
const DETAILS_MAX = 5;

export class Verdicts {
  readonly #held = new Set<RuleId>();
  readonly #failures = new Map<RuleId, string[]>();
  readonly #notes = new Map<RuleId, string>();

  hold(rule: RuleId): void {
    this.#held.add(rule);
  }

  fail(rule: RuleId, detail: string): void {
    const details = this.#failures.get(rule) ?? [];
    if (details.length < DETAILS_MAX && !details.includes(detail)) details.push(detail);
    this.#failures.set(rule, details);
  }

  /** Why a rule could not be looked at. */
  note(rule: RuleId, reason: string): void {
    this.#notes.set(rule, reason);
  }

  check(rule: RuleId, holds: boolean, detail: string): void {
    if (holds) this.hold(rule);
    else this.fail(rule, detail);
  }

  report(): RuleReport[] {
    return rules.map(({ id, title, advice }) => {
      const failures = this.#failures.get(id);
      if (failures !== undefined) return { id, title, advice, verdict: "failed", details: failures };
      if (this.#held.has(id)) return { id, title, advice, verdict: "passed", details: [] };
      const note = this.#notes.get(id);
      return { id, title, advice, verdict: "not seen", details: note === undefined ? [] : [note] };
    });
  }
}
