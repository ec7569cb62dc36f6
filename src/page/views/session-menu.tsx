// What can be done with a session besides talking: copy the last reply, export, share a read-only link, end it.
import { useState } from "preact/hooks";
import { refusalWords } from "../net/requests.js";
import { exportSession } from "../state/exported.js";
import { daemon } from "../state/page.js";
import { goTo } from "../state/route.js";
import type { SessionFollower } from "../state/session-follower.js";

export function SessionMenu({ session, name }: { session: SessionFollower; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const [link, setLink] = useState("");
  const save = (format: "markdown" | "html") => {
    setWords("reading the transcript…");
    void exportSession(session, format, name).then(setWords);
  };
  const share = async () => {
    const answer = await daemon.requests.once("POST", `/sessions/${encodeURIComponent(session.id)}/shares`);
    const { url } = (answer?.body ?? {}) as { readonly url?: string };
    if (answer === null || url === undefined) setWords(answer === null ? "no connection" : refusalWords(answer));
    else setLink(url);
  };
  return (
    <div class="menu">
      <button type="button" class="quiet" aria-expanded={isOpen} aria-label="more" onClick={() => setOpen(!isOpen)}>
        ⋯
      </button>
      {isOpen && (
        <div class="menu-list">
          <Item run={() => void copied(lastReply(session)).then(setWords)}>copy the last reply</Item>
          <Item run={() => save("markdown")}>export as Markdown</Item>
          <Item run={() => save("html")}>export as HTML</Item>
          {!daemon.isReadOnly.value && link === "" && <Item run={() => void share()}>share a read-only link</Item>}
          {link !== "" && (
            <>
              <p class="pre shared">{link}</p>
              <Item run={() => void copied(link).then(setWords)}>copy the link</Item>
            </>
          )}
          {!daemon.isReadOnly.value && <EndItem session={session} done={() => setOpen(false)} />}
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

function Item({ run, children }: { run: () => void; children: string }) {
  return (
    <button type="button" class="quiet" onClick={run}>
      {children}
    </button>
  );
}

// An agent that was ended by mistake has lost its work, so that it takes two taps.
function EndItem({ session, done }: { session: SessionFollower; done: () => void }) {
  const [isSure, setSure] = useState(false);
  const isEnded = session.facts.value.phase === "ended";
  const end = async () => {
    await daemon.requests.once("DELETE", `/sessions/${encodeURIComponent(session.id)}`);
    done();
    if (isEnded) goTo({ at: "home" });
  };
  const label = isEnded ? "forget this session" : "end this session";
  return (
    <button type="button" class="quiet l-danger" onClick={() => (isSure ? void end() : setSure(true))}>
      {isSure ? `yes, ${label}` : `${label}…`}
    </button>
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
