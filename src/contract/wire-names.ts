// The wires that an agent may speak, by the names people type. Whoever lists, checks or completes them reads this list.

export const wireNames = ["lines", "acp", "claude", "pi", "codelia", "rpc"] as const;
export type WireName = (typeof wireNames)[number];
