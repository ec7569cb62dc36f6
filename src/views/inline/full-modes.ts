// The terminal modes of the full screen. They are on only while it is shown, also across a suspend, and a watchdog resets all
// of them after a crash.
import { WHEEL_OFF, WHEEL_ON } from "../../terminal/painter/full/wheel.js";
import { ALTERNATE_LEAVE } from "../../terminal/painter/sequences.js";

/** The alternate screen has a stack of keyboard modes of its own, which begins empty. */
const KITTY_KEYS_PUSH = "\x1b[>5u";
const KITTY_KEYS_POP = "\x1b[<u";

export type MouseUse = "wheel" | "off";

export function fullModesOn(mouse: MouseUse): string {
  return KITTY_KEYS_PUSH + (mouse === "wheel" ? WHEEL_ON : "");
}

/** While the full screen shows. */
export function mouseBytes(mouse: MouseUse): string {
  return mouse === "wheel" ? WHEEL_ON : WHEEL_OFF;
}

export const FULL_MODES_OFF: string = WHEEL_OFF + KITTY_KEYS_POP;

/**
 * For a watchdog, before its other bytes, and only while the alternate screen is in use: on the main screen, leaving it
 * would put the cursor wherever it was last saved.
 */
export const LEAVE_FULL_SCREEN: string = FULL_MODES_OFF + ALTERNATE_LEAVE;
