// What the exit codes of `palaver` mean; scripts rely on them.

export const exitCodes = {
  done: 0,
  agentFailed: 1,
  badUsage: 2,
  answerNeeded: 3,
  cancelled: 4,
  timedOut: 124,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export class UsageError extends Error {
  override readonly name = "UsageError";
}
