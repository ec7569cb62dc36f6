// Every buffer and queue of Palaver has a maximum, and the ones that several rooms share have their name here.

/** The longest frame any wire accepts. A longer one is a reported fault, and the stream continues after it. */
export const FRAME_BYTES_MAX = 32 * 1024 * 1024;

/** How deep the JSON of one frame may nest. Real frames stay below twenty; the rest is noise or an attack. */
export const NESTING_LEVELS_MAX = 256;

/** How much of a bad line a fault quotes. */
export const FAULT_EXCERPT_CHARS_MAX = 160;

/** How many dialogs one agent may have open at once; the next one is refused, not queued without bound. */
export const PENDING_DIALOGS_MAX = 65_536;

/** Open asks of one agent at once; the next one is refused. */
export const OPEN_ASKS_MAX = 2_000;

/** Outcomes that are kept, so that a late answer gets the first one. */
export const SETTLED_ASKS_KEPT_MAX = 1_000;

/** How long the user must not have typed before a dialog takes keys; longer than most pauses between words. */
export const TYPING_GUARD_MS_DEFAULT = 800;

/**
 * How long nothing may follow an answer key before it counts: text that is typed with a key every second answers nothing.
 * Longer than the wait before a held key repeats (250 ms on a Linux console, 500 ms on macOS, 660 ms under X11).
 */
export const ANSWER_HOLD_MS = 1_000;

/** How long a moved selection stands before Enter sends it; an arrow and Enter that follow at once choose in another list. */
export const ENTER_PAUSE_MS = 300;

/** How often a shown ask makes sure that this process reads keys. */
export const GUARD_BEAT_MS = 100;

/** A timer of an ask that is later than this missed keys: they are typing, and no silence. */
export const STALL_MS = 150;

/** The second press of ctrl+c or Esc counts as a second one within this time. */
export const DOUBLE_PRESS_MS = 2_000;
