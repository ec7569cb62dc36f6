// The judge's report in words for a stranger: what holds, what does not, what was seen instead, and what to do.
import { safeLine } from "../text/safe.js";
import type { ConformReport } from "./judge.js";
import type { RuleReport, Verdict } from "./verdicts.js";

const marks: Record<Verdict, string> = { passed: "✓", failed: "✕", "not seen": "–" };

export function countVerdicts({ rules }: ConformReport): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { passed: 0, failed: 0, "not seen": 0 };
  for (const { verdict } of rules) counts[verdict] += 1;
  return counts;
}

export function reportText(report: ConformReport): string {
  const counts = countVerdicts(report);
  const rows = report.rules.flatMap(ruleRows);
  const summary = `${counts.passed} passed, ${counts.failed} failed, ${counts["not seen"]} not seen`;
  const verdict = counts.failed === 0 ? "The agent speaks the lines wire." : "The agent breaks the lines wire.";
  return [`palaver conform: ${safeLine(report.command.join(" "))}`, "", ...rows, "", `${verdict} ${summary}`, ""].join(
    "\n",
  );
}

export function reportJson(report: ConformReport): string {
  const json = JSON.stringify({ ...report, counts: countVerdicts(report) }, null, 2);
  // JSON lets the 8-bit controls stand as they are, and what an agent said is in it.
  return `${json.replace(/[\x7f-\x9f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}\n`;
}

function ruleRows({ verdict, title, details, advice }: RuleReport): string[] {
  const head = `  ${marks[verdict]} ${title}${verdict === "not seen" ? ": not seen" : ""}`;
  const seen = details.map((detail) => `      ${safeLine(detail)}`);
  return verdict === "failed" ? [head, ...seen, `      → ${advice}`] : [head, ...seen];
}
