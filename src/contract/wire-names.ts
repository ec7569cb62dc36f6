// The wires that an agent may speak, by the names people type. Whoever lists, checks or completes them reads this list.

export const wireNames = ["lines", "acp", "claude", "pi", "codelia", "rpc"] as const;
export type WireName = (typeof wireNames)[number];

const resumableWires: ReadonlySet<string> = new Set<WireName>(["acp", "claude", "pi", "codelia"]);

/** Whether an agent can be told over its wire which of its sessions to resume. */
export function canResumeOver(wire: WireName | "detect"): boolean {
  return resumableWires.has(wire);
}
