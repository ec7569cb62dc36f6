// Why a daemon does not start.
export type DaemonErrorCode =
  | "already_running"
  | "other_program"
  | "unresponsive"
  | "not_stopped"
  | "address_refused"
  | "port_taken";

export class DaemonError extends Error {
  override readonly name = "DaemonError";
  readonly code: DaemonErrorCode;

  constructor(code: DaemonErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
