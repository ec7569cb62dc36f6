// Numbers that both ends of a stream must agree on. They stand apart from the schemas, so that the page, which trusts its own
// daemon once the numbers match, loads no schemas.

/** A view and a daemon of different numbers do not understand each other. 0.1 had 1, and did not say so. */
export const SESSION_PROTOCOL = 2;

/** The same for the page and its overview. */
export const PAGE_PROTOCOL = 1;

/** A stream is never silent for longer than this. */
export const PAGE_BEAT_MS = 15_000;

/** After this much silence a client treats a stream as dead. */
export const PAGE_STALE_MS = 40_000;
