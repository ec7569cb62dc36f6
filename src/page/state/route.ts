// The current screen, kept in the fragment of the address: it survives a reload, the back button works, and it is never sent
// to a server.
import { signal } from "@preact/signals";

export type Route =
  | { readonly at: "home" | "daemon" | "devices" | "new" }
  | { readonly at: "ask" | "session"; readonly id: string }
  | { readonly at: "pair"; readonly code: string }
  | { readonly at: "share"; readonly secret: string };

export function routeOf(hash: string): Route {
  const [name = "", ...rest] = hash.replace(/^#/, "").split("=");
  const value = decoded(rest.join("="));
  if (value !== "") {
    if (name === "ask" || name === "session") return { at: name, id: value };
    if (name === "pair") return { at: "pair", code: value };
    if (name === "share") return { at: "share", secret: value };
  }
  return { at: name === "daemon" || name === "devices" || name === "new" ? name : "home" };
}

/** What a user pastes may be the code or the address that has it. */
export function pairCodeIn(text: string): string {
  return /#pair=([^#\s]+)/.exec(text)?.[1] ?? text.trim();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export function hashOf(route: Exclude<Route, { at: "pair" | "share" }>): string {
  if ("id" in route) return `#${route.at}=${encodeURIComponent(route.id)}`;
  return `#${route.at}`;
}

export const route = signal<Route>({ at: "home" });

export function goTo(next: Exclude<Route, { at: "pair" | "share" }>): void {
  location.hash = hashOf(next);
}

/** Follows the address. A code or secret leaves it before anything else is done, and does not stay in the history. */
export function readAddress(): void {
  route.value = routeOf(location.hash);
  const { at } = route.value;
  if (at === "pair" || at === "share") history.replaceState(null, "", "/");
}

/** The code or secret was used. */
export function forgetSecretRoute(): void {
  route.value = { at: "home" };
}
