// Makes elements from text and nodes, never from markup, so that an agent's text cannot become anything but text.

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}

/** Browsers forgive white space and control characters inside a scheme; an address with any of them is no address. */
const CLICKABLE = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}\p{Cf}]+$/iu;

/** A link that opens apart from the page and tells nothing of it; other schemes stay text. */
export function linkOrText(href: string, ...children: readonly Node[]): Node {
  if (!CLICKABLE.test(href)) return element("span", "", ...children);
  const link = element("a", "", ...children);
  link.href = href;
  link.rel = "noopener noreferrer nofollow";
  link.target = "_blank";
  return link;
}

/** The look of a run of code as a class. */
export function classOf(look: string | readonly string[] | undefined): string {
  if (look === undefined) return "";
  return (typeof look === "string" ? [look] : look).map((part) => `l-${part}`).join(" ");
}
