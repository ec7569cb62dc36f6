// The versions of the lines protocol, what two sides agree on, and lists of names. Apart from the schemas, so that a program that
// needs only a number bundles only a number.
import type { ServerCapabilities, UiCapabilities } from "./capabilities.js";

/** The version of the lines wire that this package speaks by default; it stands in `ready` and in `initialized`. */
export const PROTOCOL_VERSION = "2";

/** All versions that it speaks. */
export const protocolVersions = ["1", "2"] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** The version whose rules hold: "2.1" only adds to "2". Null for one that this package does not know. */
export function knownVersion(version: string): ProtocolVersion | null {
  const [major] = version.split(".", 1);
  return protocolVersions.find((known) => known === major) ?? null;
}

/** What an agent that began with `own` uses for a front end that knows `versions`: its own, or the newest below it. */
export function agreedVersion(own: ProtocolVersion, versions: readonly string[]): ProtocolVersion {
  const shared = protocolVersions.filter((known) => versions.some((version) => knownVersion(version) === known));
  return shared.includes(own) ? own : (shared.filter((known) => known < own).at(-1) ?? own);
}

export function unknownVersionWords(version: string): string {
  const known = protocolVersions.join(" and ");
  return `it uses version ${JSON.stringify(version.slice(0, 40))} of the lines protocol; this Palaver supports ${known}`;
}

/** The four that every front end has; each other one needs its bit, such as `supports_form`. */
export const basicDialogMethods = ["select", "confirm", "input", "editor"] as const;

/** True when both sides said yes; otherwise the legacy texts are sent. */
export function agreeOnPreflightEvents(ui: UiCapabilities, server: ServerCapabilities): boolean {
  return ui.supports_permission_preflight_events === true && server.supports_permission_preflight_events === true;
}

/** True when both sides said yes: a message is then sent as what was added to it, and whole only at its end. */
export function agreeOnMessageDeltas(ui: UiCapabilities, server: ServerCapabilities): boolean {
  return ui.supports_message_deltas === true && server.supports_message_deltas === true;
}

/** The schemas that are published, one file each. */
export const publishedSchemaNames = ["lines-commands", "lines-outputs", "rpc", "session-events"] as const;
export type PublishedSchemaName = (typeof publishedSchemaNames)[number];
