// The menu of a session: copy the last reply, export, share a read-only link, end it.
import { useState } from "preact/hooks";
import type { ExportFormat } from "../../terminal/painter/export/export-transcript.js";
import { refusalWords } from "../net/requests.js";
import { daemon, pagePorts } from "../state/page.js";
import { goTo } from "../state/route.js";
import type { SessionFollower } from "../state/session-follower.js";
import { SureButton, useClosing } from "./parts.jsx";

export function SessionMenu({ session, name }: { session: SessionFollower; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  const [link, setLink] = useState("");
  const place = useClosing<HTMLDivElement>(isOpen, () => setOpen(false));
  const save = (format: "markdown" | "html") => {
    setWords("reading the transcript…");
    void exportSession(session, format, name).then(setWords);
  };
  const share = async () => {
    const answer = await daemon.requests.once("POST", `/sessions/${encodeURIComponent(session.id)}/shares`);
    const { url } = (answer?.body ?? {}) as { readonly url?: string };
    if (answer === null || url === undefined) setWords(answer === null ? "no connection" : refusalWords(answer));
    else {
      setLink(url);
      setWords("It shows this session until you revoke it under “this device”.");
    }
  };
  return (
    <div ref={place} class="menu">
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
          {!daemon.isReadOnly.value && daemon.onlySession.value === null && (
            <EndItem session={session} done={() => setOpen(false)} />
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

function Item({ run, children }: { run: () => void; children: string }) {
  return (
    <button type="button" class="quiet" onClick={run}>
      {children}
    </button>
  );
}

// An agent that was ended by mistake has lost its work, so that it takes two taps.
function EndItem({ session, done }: { session: SessionFollower; done: () => void }) {
  const isEnded = session.facts.value.phase === "ended";
  const end = async () => {
    await daemon.requests.once("DELETE", `/sessions/${encodeURIComponent(session.id)}`);
    done();
    if (isEnded) goTo({ at: "home" });
  };
  const label = isEnded ? "forget this session" : "end this session";
  return <SureButton label={`${label}…`} sure={`yes, ${label}`} run={() => void end()} />;
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

// A transcript as a file on this device, in the same formats as in the terminal.

const KINDS = { markdown: ["md", "text/markdown"], html: ["html", "text/html"] } as const;
const SAVED_MS_MAX = 60_000;

/** Saves all of the transcript; what came of it, in words. */
async function exportSession(
  session: SessionFollower,
  format: ExportFormat & keyof typeof KINDS,
  name: string,
): Promise<string> {
  if (!(await session.readAll())) return "no connection: earlier parts are missing";
  const { exportTranscript } = await import("../../terminal/painter/export/export-transcript.js");
  const identity = daemon.identity.peek();
  const blocks = session.cells.peek().map(({ block }) => block.peek());
  const text = exportTranscript(blocks, format, {
    agent: name,
    model: session.facts.peek().model,
    exportedAt: new Date(pagePorts.nowMs()).toISOString(),
    palaver: identity.kind === "known" ? identity.facts.daemon.version : "",
  });
  const [ending, type] = KINDS[format];
  save(new Blob([text], { type }), `${fileName(name)}.${ending}`);
  return "saved";
}

function fileName(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "session"
  );
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  pagePorts.after(SAVED_MS_MAX, () => URL.revokeObjectURL(url));
}
