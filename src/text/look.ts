// The roles and attributes that everything on the screen is painted with. A role says what a text means; a theme
// decides how it looks.

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

/**
 * "faint" is an attribute; the role "dim" may be a colour. "mark" highlights changed words inside `add` or `remove`.
 */
export type Attribute = "bold" | "faint" | "italic" | "underline" | "reverse" | "strike" | "mark";

/** Several may be combined; the last role wins. */
export type Look = Role | Attribute | readonly (Role | Attribute)[];

/** Those of all marks around a text. */
export type Looks = readonly (Role | Attribute)[];

/** The themes of text/themes.ts; the page needs only their names. */
export const THEME_NAMES = ["harbour", "ember", "moss", "paper", "dawn"] as const;

/** "none" is also what NO_COLOR asks for. */
export type ColourDepth = "none" | "16" | "256" | "truecolor";
