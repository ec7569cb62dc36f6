// What can be meant in the composer: the agent's commands after a slash, files of its folder after an @.
import { filesMatching } from "./found-files.js";
import type { SessionFollower } from "./session-follower.js";

export interface Completion {
  readonly label: string;
  readonly summary: string;
  /** The whole text with the completion in it. */
  readonly text: string;
}

/** An @ at the start of a word, and what follows it up to the cursor; in quotes it may hold spaces. */
const MENTION = /(?:^|[\s(["'=])(@(?:"([^"]*)|([^\s"]*)))$/;
const SHOWN_MAX = 8;

/** Calls back with what fits; the returned function ends the search. */
export function completionsFor(
  text: string,
  cursor: number,
  session: SessionFollower,
  onFound: (completions: readonly Completion[]) => void,
): () => void {
  const before = text.slice(0, cursor);
  const slash = /^\/([\w:-]*)$/.exec(before);
  if (slash !== null) {
    onFound(commands(slash[1] ?? "", session));
    return () => undefined;
  }
  const mention = MENTION.exec(before);
  if (mention === null) {
    onFound([]);
    return () => undefined;
  }
  const [, prefix = "", quoted, plain = ""] = mention;
  const start = before.length - prefix.length;
  return filesMatching(session.id, quoted ?? plain, (files) =>
    onFound(
      files.slice(0, SHOWN_MAX).map((path) => ({
        label: path,
        summary: "",
        text: `${text.slice(0, start)}${/\s/.test(path) ? `@"${path}"` : `@${path}`} ${text.slice(cursor).trimStart()}`,
      })),
    ),
  );
}

function commands(begun: string, { facts }: SessionFollower): Completion[] {
  return facts
    .peek()
    .commands.filter(({ name }) => name.startsWith(begun))
    .slice(0, SHOWN_MAX)
    .map(({ name, summary, hint }) => ({
      label: `/${name}${hint === undefined ? "" : ` ${hint}`}`,
      summary,
      text: `/${name} `,
    }));
}
