// Files and functions that may be longer than the limits, each with its size and the reason. The list only shrinks:
// split something, or lower a number, but do not add what could be split.
import type { SizeException } from "./sizes.js";

export const sizeExceptions: readonly SizeException[] = [];
