// The composer: history with the arrow keys, commands after a slash, files after an @, images by paste or drop. While the
// agent works, messages are queued and can be taken back.
import { useEffect, useRef, useState } from "preact/hooks";
import { readSlash, type SlashInput } from "../../session/slash-command.js";
import { safeLine } from "../../text/safe.js";
import { type Attachment, attachmentsOf } from "../state/attachments.js";
import { draftOf, keepDraft } from "../state/drafts.js";
import { filesMatching } from "../state/found-files.js";
import type { SessionFollower } from "../state/session-follower.js";

const LINES_MAX = 12;

export function Composer({ session }: { session: SessionFollower }) {
  const composer = useComposer(session);
  const { text, images, attach, submit, area } = composer;
  const { completions, marked, choose, key: completionKey } = useCompletions(session, composer);
  const { phase } = session.facts.value;
  const isEnded = phase === "ended";
  const keys = (event: KeyboardEvent) => {
    if (completionKey(event)) return;
    const { selectionStart, selectionEnd } = event.currentTarget as HTMLTextAreaElement;
    const isRecalled =
      (event.key === "ArrowUp" && selectionStart === 0 && composer.recall(1)) ||
      (event.key === "ArrowDown" && composer.past.current >= 0 && selectionEnd === text.length && composer.recall(-1));
    if (isRecalled) event.preventDefault();
    else if (event.key === "Escape" && phase === "working" && text === "") void session.dispatch({ type: "abort" });
    else if (event.key === "Escape") area.current?.blur();
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing && !isTouch()) {
      event.preventDefault();
      void submit();
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attach([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Unsent session={session} />
      <Queue session={session} />
      <Attachments images={images} remove={composer.remove} />
      {composer.problem !== "" && <p class="problem">{composer.problem}</p>}
      <div class="composer-row">
        <Completions completions={completions} marked={marked} choose={choose} />
        <textarea
          ref={area}
          rows={Math.min(LINES_MAX, text.split("\n").length)}
          aria-label="message"
          placeholder={isEnded ? "the agent has ended" : "message, / or @"}
          disabled={isEnded}
          value={text}
          onInput={(event) => composer.write(event.currentTarget.value)}
          onKeyDown={keys}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])];
            if (files.length === 0) return;
            event.preventDefault();
            void attach(files);
          }}
        />
        <AttachButton attach={attach} />
        <button type="submit" class="send" disabled={isEnded || (text.trim() === "" && images.length === 0)}>
          {phase === "working" ? "queue" : "send"}
        </button>
      </div>
    </form>
  );
}

function AttachButton({ attach }: { attach: (files: readonly File[]) => Promise<void> }) {
  return (
    <label class="quiet attach" title="attach a picture">
      <span aria-hidden="true">+</span>
      <input
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        aria-label="attach a picture"
        onChange={(event) => void attach([...(event.currentTarget.files ?? [])])}
      />
    </label>
  );
}

/** On a phone Enter makes a new line, and the button sends. */
function isTouch(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

function Unsent({ session }: { session: SessionFollower }) {
  const unsent = session.unsent.value;
  if (unsent.length === 0) return null;
  return (
    <ul class="queue" aria-label="Not sent yet" role="status">
      {unsent.map(({ words }, at) => (
        <li key={at}>
          <span class="l-warn">▲ not sent yet</span> <span class="one-line">{safeLine(words)}</span>
        </li>
      ))}
    </ul>
  );
}

function Queue({ session }: { session: SessionFollower }) {
  const { queue } = session.facts.value;
  if (queue.length === 0) return null;
  return (
    <ul class="queue" aria-label="Queued messages">
      {queue.map((text, at) => (
        <li key={at}>
          <span class="dim">queued</span> <span class="one-line">{safeLine(text)}</span>
          <button type="button" class="quiet" onClick={() => void session.dispatch({ type: "queue.take-back", text })}>
            edit
          </button>
          <button type="button" class="quiet" onClick={() => void session.dispatch({ type: "queue.remove", text })}>
            remove
          </button>
        </li>
      ))}
    </ul>
  );
}

function Attachments({ images, remove }: { images: readonly Attachment[]; remove: (image: Attachment) => void }) {
  if (images.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Pictures">
      {images.map((image) => (
        <li key={image.url}>
          <img src={image.url} alt={safeLine(image.name)} />
          <button
            type="button"
            class="quiet"
            aria-label={`remove ${safeLine(image.name)}`}
            onClick={() => remove(image)}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

// The list of what could be meant, over what is above the composer.

interface CompletionsProps {
  readonly completions: readonly Completion[];
  readonly marked: number;
  readonly choose: (completion: Completion) => void;
}

function Completions({ completions, marked, choose }: CompletionsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector(".marked")?.scrollIntoView({ block: "nearest" }), [marked]);
  if (completions.length === 0) return null;
  return (
    <ul ref={list} class="completions" aria-label="Completions">
      {completions.map((completion, at) => (
        <li key={completion.label}>
          <button
            type="button"
            class={at === marked ? "marked" : ""}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(completion)}
          >
            <span>{safeLine(completion.label)}</span> <span class="dim">{safeLine(completion.summary)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

// What is being written in a session: the draft, its pictures, what could be meant, and the keys that move through them.

function useComposer(session: SessionFollower) {
  const [text, setText] = useState(() => draftOf(session.id));
  const [images, setImages] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  const past = useRef(-1);
  /** Pictures of messages from here, which come back with a message that is taken back. */
  const queued = useRef(new Map<string, readonly Attachment[]>());
  const latest = useRef(text);
  const show = (next: string) => {
    latest.current = next;
    setText(next);
  };
  /** Some of it came from elsewhere, so that it is a prompt and never a command, until all of it is gone. */
  const isPrompt = useRef(false);
  const write = (next: string) => {
    if (next === "") isPrompt.current = false;
    show(next);
    // A draft that is read again counts as typed.
    keepDraft(session.id, isPrompt.current && readSlash(next.trim()).type !== "prompt" ? "" : next);
  };
  const writePrompt = (next: string) => {
    isPrompt.current = true;
    write(next);
  };
  const giveBack = (returned: string) => writePrompt([returned, latest.current].filter(Boolean).join("\n"));
  useEffect(() => {
    const taken = session.takenBack.value;
    if (taken.length === 0) return;
    session.takenBack.value = [];
    for (const each of taken) {
      giveBack(each);
      setImages((since) => [...(queued.current.get(each) ?? []), ...since]);
      queued.current.delete(each);
    }
  }, [session.takenBack.value]);
  const attach = async (files: readonly File[]) => {
    const { attachments, problem: said } = await attachmentsOf(files, session.facts.peek().images);
    setImages((before) => [...before, ...attachments]);
    setProblem(said);
  };
  const submit = async () => {
    const said = text.trim();
    if (said === "" && images.length === 0) return;
    const slash = readSlash(
      said,
      session.facts.peek().commands.map(({ name }) => name),
    );
    if (!isPrompt.current && (slash.type === "command" || slash.type === "unknown")) {
      setProblem(obeySlash(session, slash));
      return write("");
    }
    setProblem("");
    const sent = images.map(({ data, mime_type }) => ({ data, mime_type }));
    // The draft is kept until the daemon has the message.
    show("");
    isPrompt.current = false;
    setImages([]);
    past.current = -1;
    const intent = { type: "submit", text: said, ...(sent.length === 0 ? {} : { images: sent }) } as const;
    const refusal = await session.dispatch(intent);
    if (refusal === null) {
      keepDraft(session.id, latest.current);
      const { queue } = session.facts.peek();
      const waiting = [...queued.current].filter(([text]) => queue.includes(text));
      queued.current = new Map([...waiting, [said, images]]);
    } else {
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
    writePrompt(next < 0 ? "" : (history[next] ?? ""));
    return true;
  };
  const remove = (gone: Attachment) => setImages(images.filter((image) => image !== gone));
  return { text, write, images, remove, problem, attach, submit, recall, past, area };
}

/** A command of Palaver's own is not for the agent; the words say what became of it. */
function obeySlash(session: SessionFollower, slash: Extract<SlashInput, { type: "command" | "unknown" }>): string {
  if (slash.type === "unknown") return `there is no command /${slash.name}`;
  const { command, argument } = slash;
  const { meaning, name } = command;
  if (meaning.type === "send" && meaning.command !== "ping" && meaning.command !== "debug") {
    void session.dispatch({ type: meaning.command });
    return meaning.command === "reset" ? "conversation cleared" : "";
  }
  if ((name === "model" || name === "mode") && argument !== "") {
    void session.dispatch({ type: "command", command: { type: "set_config", key: name, value: argument } });
    return "";
  }
  if (name === "model" || name === "mode") return `choose the ${name} below`;
  return `/${name} is a command of the terminal; the page has buttons`;
}

/** What was asked in this session, the newest first, each once. */
function promptsOf({ cells }: SessionFollower): readonly string[] {
  const texts = cells.peek().flatMap(({ block }) => {
    const { kind, ...rest } = block.peek();
    return kind === "prompt" && "text" in rest ? [rest.text] : [];
  });
  return [...new Set(texts.reverse())];
}

type ComposerState = ReturnType<typeof useComposer>;

function useCompletions(session: SessionFollower, { text, write, area }: ComposerState) {
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

// What can be meant in the composer: the agent's commands after a slash, files of its folder after an @.

interface Completion {
  readonly label: string;
  readonly summary: string;
  /** The whole text with the completion in it. */
  readonly text: string;
}

/** An @ at the start of a word, and what follows it up to the cursor; in quotes it may hold spaces. */
const MENTION = /(?:^|[\s(["'=])(@(?:"([^"]*)|([^\s"]*)))$/;
const SHOWN_MAX = 8;

/** Calls back with what fits; the returned function ends the search. */
function completionsFor(
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
