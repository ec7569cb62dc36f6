// Selects one of the five themes: the one chosen on this device, or else by the system's light or dark mode.
import { signal } from "@preact/signals";
import { THEME_NAMES } from "../../text/look.js";

const KEY = "palaver-theme";
export const themeNames = ["auto", ...THEME_NAMES] as const;
export type PageTheme = (typeof themeNames)[number];

function stored(): PageTheme {
  try {
    const name = localStorage.getItem(KEY);
    return themeNames.find((known) => known === name) ?? "auto";
  } catch {
    return "auto";
  }
}

export const theme = signal<PageTheme>(stored());

export function setTheme(name: PageTheme): void {
  theme.value = name;
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export function wearTheme(name: PageTheme): void {
  if (name === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = name;
}
