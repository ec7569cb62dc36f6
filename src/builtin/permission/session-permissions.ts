// The permission policy of one session: the rules it was given, what the person said "always" to, and its mode.

import { realpath } from "node:fs/promises";
import { errorMessage } from "../../contract/plain-word.js";
import {
  asRead,
  decidePermission,
  defaultPolicy,
  type LayeredRule,
  type PermissionMode,
  type PermissionPolicy,
  type Presence,
  withRule,
} from "../../session/permission/policy.js";
import type { PermissionDecision, PermissionRequest, PermissionVerdict } from "../../session/permission/request.js";
import { parseRule } from "../../session/permission/rule.js";
import { suggestRule } from "../../session/permission/suggestion.js";
import type { ReadSubject } from "../tool.js";
import type { PermissionDesk } from "./permission-gate.js";
import type { RuleMemory } from "./rule-memory.js";

export type SessionPermissionsOptions = {
  readonly folder: string;
  readonly mode: PermissionMode;
  readonly presence: Presence;
  /** From the person's and the project's configuration. */
  readonly rules: readonly LayeredRule[];
  readonly memory: RuleMemory;
  onProblem(words: string): void;
};

export class SessionPermissions implements PermissionDesk {
  readonly #options: SessionPermissionsOptions;
  readonly #project: string;
  #policy: PermissionPolicy;

  private constructor(options: SessionPermissionsOptions, project: string) {
    const { mode, presence, rules } = options;
    this.#options = options;
    this.#project = project;
    this.#policy = { ...defaultPolicy, mode, presence, rules: [...rules] };
  }

  static async open(options: SessionPermissionsOptions): Promise<SessionPermissions> {
    // The same folder by another name is the same project.
    const project = await realpath(options.folder);
    const permissions = new SessionPermissions(options, project);
    const remembered = await options.memory.rulesOf(project).catch(() => []);
    // Version 0.1 offered commands "with any arguments"; those are asked about again.
    for (const text of remembered.filter((each) => !/^bash\(.*:\*\)$/s.test(each))) permissions.#allow(text);
    return permissions;
  }

  get mode(): PermissionMode {
    return this.#policy.mode;
  }

  setMode(mode: PermissionMode): void {
    this.#policy = { ...this.#policy, mode };
  }

  decide(request: PermissionRequest): PermissionVerdict {
    return decidePermission(this.#policy, request);
  }

  readDecision(file: ReadSubject): PermissionDecision {
    return this.decide(asRead(file)).decision;
  }

  suggest(request: PermissionRequest): string | null {
    return suggestRule(request, this.#policy)?.text ?? null;
  }

  async remember(rule: string): Promise<void> {
    this.#allow(rule);
    try {
      await this.#options.memory.add(this.#project, rule);
    } catch (error) {
      const words = errorMessage(error);
      this.#options.onProblem(`"always" holds for this session only, it could not be written down: ${words}`);
    }
  }

  #allow(text: string): void {
    const parsed = parseRule(text, { decision: "allow", where: "what you chose before" });
    if (parsed.ok) this.#policy = withRule(this.#policy, "session", parsed.rule);
    else this.#options.onProblem(parsed.problem);
  }
}
