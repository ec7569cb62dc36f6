// The person called a command wrongly: the message says what is wrong and what would be right. Ends with exit code 2.

export class UsageError extends Error {
  override readonly name = "UsageError";
}
