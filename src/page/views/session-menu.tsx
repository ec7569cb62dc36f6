// What can be done with a session besides talking: copy the last reply, share a read-only link, end it.
import { useState } from "preact/hooks";
import { refusalWords } from "../net/requests.js";
import { daemon } from "../state/page.js";
import { goTo } from "../state/route.js";
import type { SessionFollower } from "../state/session-follower.js";

export function SessionMenu({ session }: { session: SessionFollower }) {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const path = `/sessions/${encodeURIComponent(session.id)}`;
  const isEnded = session.facts.value.phase === "ended";
  const share = async () => {
    const answer = await daemon.requests.once("POST", `${path}/shares`);
    const { url } = (answer?.body ?? {}) as { readonly url?: string };
    if (answer === null || url === undefined) setWords(answer === null ? "no connection" : refusalWords(answer));
    else setWords(url);
  };
  const end = async () => {
    await daemon.requests.once("DELETE", path);
    setOpen(false);
    if (isEnded) goTo({ at: "home" });
  };
  return (
    <div class="menu">
      <button type="button" class="quiet" aria-expanded={isOpen} aria-label="more" onClick={() => setOpen(!isOpen)}>
        ⋯
      </button>
      {isOpen && (
        <div class="menu-list">
          <button type="button" class="quiet" onClick={() => void copied(lastReply(session)).then(setWords)}>
            copy the last reply
          </button>
          {!daemon.isReadOnly.value && (
            <>
              <button type="button" class="quiet" onClick={() => void share()}>
                share a read-only link
              </button>
              <button type="button" class="quiet l-danger" onClick={() => void end()}>
                {isEnded ? "forget this session" : "end this session"}
              </button>
            </>
          )}
          {words !== "" && (
            <p class="pre" role="status">
              {words}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function lastReply({ cells }: SessionFollower): string {
  const last = cells.peek().findLast(({ block }) => block.peek().kind === "prose");
  const block = last?.block.peek();
  return block?.kind === "prose" ? block.text : "";
}

async function copied(text: string): Promise<string> {
  if (text === "") return "there is no reply yet";
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "the clipboard needs HTTPS";
  }
}
