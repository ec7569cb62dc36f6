// Drafts: the unsent text of each session and the partial answers to each question. They survive a reload and a tab that the
// browser has killed, and are deleted with the tab.

const PREFIX = "palaver-draft-";

export function draftOf(sessionId: string): string {
  return attempted(() => sessionStorage.getItem(PREFIX + sessionId)) ?? "";
}

export function keepDraft(sessionId: string, text: string): void {
  attempted(() =>
    text === "" ? sessionStorage.removeItem(PREFIX + sessionId) : sessionStorage.setItem(PREFIX + sessionId, text),
  );
}

/** What was filled in, without what is secret: it is kept as text. */
export function keptFields(id: string): Readonly<Record<string, unknown>> {
  return (attempted(() => JSON.parse(draftOf(id) || "{}")) ?? {}) as Readonly<Record<string, unknown>>;
}

/** The device may have another user by now. */
export function forgetDrafts(): void {
  attempted(() => sessionStorage.clear());
}

/** Null without storage, or when it is full: a draft then lasts as long as the page. */
function attempted<Result>(use: () => Result): Result | null {
  try {
    return use();
  } catch {
    return null;
  }
}
