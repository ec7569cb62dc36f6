// Random names. Node's crypto is loaded with the first one: at the start it would take longer than the first frame.
export function randomHex(bytes: number): string {
  return process.getBuiltinModule("node:crypto").randomBytes(bytes).toString("hex");
}
