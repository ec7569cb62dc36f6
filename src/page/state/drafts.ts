// What was being written in each session, and what was sent there; both live as long as the page, and never leave it.

const HISTORY_MAX = 100;
const drafts = new Map<string, string>();
const sent = new Map<string, readonly string[]>();

export function draftOf(sessionId: string): string {
  return drafts.get(sessionId) ?? "";
}

export function keepDraft(sessionId: string, text: string): void {
  drafts.set(sessionId, text);
}

/** The newest first. */
export function historyOf(sessionId: string): readonly string[] {
  return sent.get(sessionId) ?? [];
}

export function keepSent(sessionId: string, text: string): void {
  const others = historyOf(sessionId).filter((known) => known !== text);
  sent.set(sessionId, [text, ...others].slice(0, HISTORY_MAX));
}
