// The two families of errors. Wire errors have numbers and cross the boundary between programs; local errors have
// string codes and never do. A bad line is neither: it is a fault, a value that travels beside the good frames.

/** Numbers on the wire: JSON-RPC's own where it has one, and ours from -32010 on. */
export const wireErrorCodes = {
  malformed: -32700,
  invalidFrame: -32600,
  unknownType: -32601,
  invalidField: -32602,
  internal: -32603,
  frameTooLong: -32010,
  nestedTooDeep: -32011,
  noActiveSession: -32020,
  sessionNotFound: -32021,
  sessionBusy: -32022,
  notSupported: -32023,
} as const;

export type WireErrorName = keyof typeof wireErrorCodes;

/** What was wrong with something that came over a wire. Reported, never thrown; the stream continues after it. */
export type Fault = {
  name: WireErrorName;
  /** One sentence for the user: what is wrong and where. */
  message: string;
  /** The beginning of the offending line, as it came: hostile until made safe. */
  excerpt: string;
};

/**
 * Why a dialog could not be answered. The first five are the contract's; `overloaded` says that the agent already has
 * as many dialogs open as it may have.
 */
export type UiErrorCode =
  | "timeout"
  | "connection_closed"
  | "server_shutdown"
  | "invalid_response"
  | "remote"
  | "overloaded";
