// The state of codex in sentences: warnings, limits, servers that do not start. A notification that is in no list here and in no
// schema is reported once.

import { notice } from "../agent-notices.js";
import type { Happening } from "../step-builder.js";
import type { CodexNotice } from "./codex-frames.js";

/** Known, and not shown, or shown in another way. */
export const quietMethods: ReadonlySet<string> = new Set([
  ...["thread/started", "thread/status/changed", "thread/readState/changed", "thread/archived", "thread/unarchived"],
  ...["thread/deleted", "thread/reverted", "thread/attachment/updated", "thread/queue/changed"],
  ...["thread/project/updated", "thread/goal/updated", "thread/goal/cleared", "thread/prediction/updated"],
  ...["project/changed", "skills/changed", "thread/environment/connected", "thread/environment/disconnected"],
  ...["turn/moderationMetadata", "turn/diff/updated", "item/reasoning/summaryPartAdded"],
  ...["item/fileChange/outputDelta", "item/commandExecution/terminalInteraction", "item/autoApprovalReview/started"],
  ...["item/autoApprovalReview/completed", "autoApprovalReview/strictReviewRequired", "hook/started"],
  ...["rawResponseItem/completed", "rawResponse/completed", "mcpServer/event/stream/notification"],
  ...["mcpServer/oauthLogin/completed", "account/updated", "account/gatewayOAuth/changed", "app/list/updated"],
  ...["remoteControl/status/changed", "fs/changed", "model/verification", "model/safetyBuffering/updated"],
  ...["modelProvider/authRecoveryStarted", "modelProvider/authRecoveryCompleted"],
]);

export function summaryNews({ summary, details }: CodexNotice<"configWarning">): Happening {
  return notice("warn", summary, details);
}

export function reroutedNews({ fromModel, toModel, reason }: CodexNotice<"model/rerouted">): Happening {
  return notice("warn", `${toModel} answers instead of ${fromModel}`, reason);
}

export function serverNews({ name, status, error }: CodexNotice<"mcpServer/startupStatus/updated">): Happening[] {
  return status === "failed" ? [notice("warn", `the MCP server ${name} did not start`, error)] : [];
}

export function hookNews({ run }: CodexNotice<"hook/completed">): Happening[] {
  const { eventName = "", status, statusMessage } = run;
  return ["failed", "blocked", "stopped"].includes(status)
    ? [notice("warn", `the hook ${eventName} ${status === "failed" ? "failed" : `${status} codex`}`, statusMessage)]
    : [];
}

export function loginNews({ success, error }: CodexNotice<"account/login/completed">): Happening {
  return success ? notice("success", "signed in") : notice("error", "the login failed", error);
}

export function failureWords({ message, additionalDetails }: CodexNotice<"error">["error"]): string {
  const details = additionalDetails === undefined || message.includes(additionalDetails) ? [] : [additionalDetails];
  return [message, ...details].filter(Boolean).join(": ") || "codex failed without giving a reason";
}

const NEAR_PERCENT = 90;

/** The limits of the account. codex repeats them after every answer; each is told when it comes near and when it is reached. */
export class CodexLimits {
  private readonly told = new Set<string>();

  news({ rateLimits }: CodexNotice<"account/rateLimits/updated">): Happening[] {
    const { primary, secondary, rateLimitReachedType: reached } = rateLimits;
    const near = [primary, secondary].flatMap((limit) => {
      const name = limitName(limit?.windowDurationMins);
      const isNear = limit !== undefined && limit.usedPercent >= NEAR_PERCENT;
      const words = `${name} is near: ${Math.round(limit?.usedPercent ?? 0)} % used`;
      return this.once(name, isNear) ? [notice("warn", words)] : [];
    });
    const isReached = reached !== undefined;
    const words = `a limit of your account is reached: ${(reached ?? "").replaceAll("_", " ")}`;
    return this.once("reached", isReached) ? [...near, notice("error", words)] : near;
  }

  private once(name: string, isSo: boolean): boolean {
    const isNews = isSo && !this.told.has(name);
    if (isSo) this.told.add(name);
    else this.told.delete(name);
    return isNews;
  }
}

function limitName(minutes: number | undefined): string {
  if (minutes === undefined) return "the rate limit";
  const hours = Math.round(minutes / 60);
  return hours >= 48 ? `the limit of ${Math.round(hours / 24)} days` : `the limit of ${Math.max(1, hours)} h`;
}
