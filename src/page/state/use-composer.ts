// What is being written in a session: the draft, its pictures, what could be meant, and the keys that move through them.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Attachment, attachmentsOf } from "./attachments.js";
import { type Completion, completionsFor } from "./completions.js";
import { draftOf, keepDraft } from "./drafts.js";
import type { SessionFollower } from "./session-follower.js";

export function useComposer(session: SessionFollower) {
  const [text, setText] = useState(() => draftOf(session.id));
  const [images, setImages] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  const past = useRef(-1);
  const latest = useRef(text);
  const show = (next: string) => {
    latest.current = next;
    setText(next);
  };
  const write = (next: string) => {
    show(next);
    keepDraft(session.id, next);
  };
  const giveBack = (returned: string) => write([returned, latest.current].filter(Boolean).join("\n"));
  useEffect(() => {
    const taken = session.takenBack.value;
    if (taken === "") return;
    session.takenBack.value = "";
    giveBack(taken);
  }, [session.takenBack.value]);
  const attach = async (files: readonly File[]) => {
    const { attachments, problem: said } = await attachmentsOf(files, session.facts.peek().images);
    setImages((before) => [...before, ...attachments]);
    setProblem(said);
  };
  const submit = async () => {
    const said = text.trim();
    if (said === "" && images.length === 0) return;
    const sent = images.map(({ data, mime_type }) => ({ data, mime_type }));
    // The draft is kept until the daemon has the message.
    show("");
    setImages([]);
    past.current = -1;
    const intent = { type: "submit", text: said, ...(sent.length === 0 ? {} : { images: sent }) } as const;
    const refusal = await session.dispatch(intent);
    if (refusal === null) keepDraft(session.id, latest.current);
    else {
      giveBack(said);
      setImages((since) => [...images, ...since]);
    }
  };
  /** The message before or after the one at hand; whether there is one. */
  const recall = (step: 1 | -1): boolean => {
    const history = promptsOf(session);
    const next = past.current + step;
    if (next >= history.length || next < -1) return false;
    past.current = next;
    write(next < 0 ? "" : (history[next] ?? ""));
    return true;
  };
  const remove = (gone: Attachment) => setImages(images.filter((image) => image !== gone));
  return { text, write, images, remove, problem, attach, submit, recall, past, area };
}

/** What was asked in this session, the newest first, each once. */
function promptsOf({ cells }: SessionFollower): readonly string[] {
  const texts = cells.peek().flatMap(({ block }) => {
    const { kind, ...rest } = block.peek();
    return kind === "prompt" && "text" in rest ? [rest.text] : [];
  });
  return [...new Set(texts.reverse())];
}

export type ComposerState = ReturnType<typeof useComposer>;

export function useCompletions(session: SessionFollower, { text, write, area }: ComposerState) {
  const [completions, setCompletions] = useState<readonly Completion[]>([]);
  const [marked, setMarked] = useState(0);
  useEffect(() => {
    setMarked(0);
    return completionsFor(text, area.current?.selectionStart ?? text.length, session, setCompletions);
  }, [text]);
  const choose = (completion: Completion) => {
    write(completion.text);
    setCompletions([]);
    area.current?.focus();
  };
  /** Whether the key was for the list. */
  const key = (event: KeyboardEvent): boolean => {
    const chosen = completions[marked];
    if (chosen === undefined) return false;
    if (event.key === "Escape") setCompletions([]);
    else if (event.key === "ArrowDown") setMarked((marked + 1) % completions.length);
    else if (event.key === "ArrowUp") setMarked((marked + completions.length - 1) % completions.length);
    else if ((event.key === "Tab" || event.key === "Enter") && chosen.text !== text) choose(chosen);
    else return false;
    event.preventDefault();
    return true;
  };
  return { completions, marked, choose, key };
}
