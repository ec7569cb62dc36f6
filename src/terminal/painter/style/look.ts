// The vocabulary of looks. Everything on the screen is painted with one of eleven roles and a few attributes; no other
// part of the program knows a colour. A role says what a text means, so that a theme can decide how that looks.

export const ROLES = [
  "text",
  "dim",
  "accent",
  "user",
  "ok",
  "warn",
  "danger",
  "info",
  "add",
  "remove",
  "select",
] as const;

export type Role = (typeof ROLES)[number];

/** "faint" is the attribute; the role "dim" may be a colour of its own. "mark" points out what changed inside an `add` or `remove`. */
export type Attribute = "bold" | "faint" | "italic" | "underline" | "reverse" | "strike" | "mark";

/** One role, one attribute, or several together; of two roles the last one wins. */
export type Look = Role | Attribute | readonly (Role | Attribute)[];

/** How many colours the terminal has. "none" is also what NO_COLOR asks for. */
export type ColourDepth = "none" | "16" | "256" | "truecolor";
