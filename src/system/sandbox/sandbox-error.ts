/** The sandbox cannot be set up like this; the message says why. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}
