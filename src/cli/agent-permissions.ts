// The permission rules of the embedded agent, from the settings of the folder it works in. Whose rule it is decides what it
// can do: a project's rule stands beside the person's own and never lifts a denial of theirs, and one that allows
// something is in the settings only when the person has trusted the project's file.
import type { LayeredRule, PermissionLayer, PermissionMode } from "../session/permission/policy.js";
import type { PermissionDecision } from "../session/permission/request.js";
import { parseRuleLists } from "../session/permission/rule.js";
import type { SettingKey } from "../session/settings/setting-table.js";
import type { SettingOrigin } from "../session/settings.js";
import type { LoadedConfig } from "./config/load-config.js";
import { UsageError } from "./usage-error.js";

type RuleKey = Extract<SettingKey, `permissions.${string}`>;

const RULE_LISTS: Readonly<
  Record<RuleKey, { readonly decision: PermissionDecision; readonly when: "always" | "headless" }>
> = {
  "permissions.allow": { decision: "allow", when: "always" },
  "permissions.ask": { decision: "ask", when: "always" },
  "permissions.deny": { decision: "deny", when: "always" },
  "permissions.headless.allow": { decision: "allow", when: "headless" },
  "permissions.headless.deny": { decision: "deny", when: "headless" },
};

export type AgentPermissions = { readonly mode: PermissionMode; readonly rules: readonly LayeredRule[] };

/** Throws a UsageError that names every rule which is none, and where it stands. */
export function permissionsIn({ settings, shares }: Pick<LoadedConfig, "settings" | "shares">): AgentPermissions {
  const problems: string[] = [];
  const rules: LayeredRule[] = [];
  for (const key of Object.keys(RULE_LISTS) as RuleKey[]) {
    const { decision, when } = RULE_LISTS[key];
    for (const { origin, values } of shares.get(key) ?? []) {
      const parsed = parseRuleLists({ [decision]: values }, "file" in origin ? origin.file : key);
      rules.push(...parsed.rules.map((rule) => ({ layer: layerOf(origin, when), rule })));
      problems.push(...parsed.problems);
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join("\n  "));
  return { mode: settings.read_only ? "read-only" : "normal", rules };
}

function layerOf({ kind }: SettingOrigin, when: "always" | "headless"): PermissionLayer {
  if (kind === "project") return when === "headless" ? "project-headless" : "project";
  return when === "headless" ? "headless" : "user";
}
