// What is being written in each session. It outlives a reload and a tab that the browser has killed, and goes with the tab.

const PREFIX = "palaver-draft-";

export function draftOf(sessionId: string): string {
  return attempted(() => sessionStorage.getItem(PREFIX + sessionId)) ?? "";
}

export function keepDraft(sessionId: string, text: string): void {
  attempted(() =>
    text === "" ? sessionStorage.removeItem(PREFIX + sessionId) : sessionStorage.setItem(PREFIX + sessionId, text),
  );
}

/** The device may be in other hands by now. */
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
