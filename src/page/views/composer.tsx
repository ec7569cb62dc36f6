// Where a message is written: history with the arrows, commands after a slash, files after an @, pictures by paste or drop. While the
// agent works, messages queue up and can be taken back.
import { safeLine } from "../../text/safe.js";
import type { Attachment } from "../state/attachments.js";
import type { SessionFollower } from "../state/session-follower.js";
import { useCompletions, useComposer } from "../state/use-composer.js";
import { Completions } from "./completions.jsx";

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
      <Completions completions={completions} marked={marked} choose={choose} />
      <Attachments images={images} remove={composer.remove} />
      {composer.problem !== "" && <p class="problem">{composer.problem}</p>}
      <div class="composer-row">
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
