// Choose files of the session's folder: type a part of a name, and take one of what the daemon finds.
import { useEffect, useState } from "preact/hooks";
import type { DialogParams } from "../../contract/dialogs.js";
import type { OverviewAsk } from "../../contract/page.js";
import { countProblem } from "../../session/ask-rules.js";
import { safeLine } from "../../text/safe.js";
import type { AskAnswer } from "../state/daemon.js";
import { filesMatching } from "../state/found-files.js";
import { SendRow } from "./choice-answers.jsx";

interface FileProps {
  readonly asked: OverviewAsk;
  readonly params: DialogParams<"files">;
  readonly send: (answer: AskAnswer) => void;
}

export function FileAnswers({ asked, params, send }: FileProps) {
  const isMulti = params.opts?.multiple === true;
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const sessionId = asked.session?.id ?? null;
  useEffect(() => filesMatching(sessionId, query, setFound), [sessionId, query]);
  const toggle = (path: string) => {
    if (!isMulti) setChosen([path]);
    else setChosen(chosen.includes(path) ? chosen.filter((each) => each !== path) : [...chosen, path]);
  };
  const problem =
    chosen.length === 0 ? "choose a file" : isMulti ? countProblem(chosen.length, params.opts ?? {}) : null;
  const typed = query !== "" && !found.includes(query) ? [query] : [];
  return (
    <div class="answers" data-answers>
      <input
        type="search"
        placeholder="part of a name"
        aria-label="find files"
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <div class="choices">
        {[...new Set([...chosen, ...typed, ...found])].map((path) => (
          <label key={path} class={`choice ${chosen.includes(path) ? "chosen" : ""}`}>
            <input
              type={isMulti ? "checkbox" : "radio"}
              name="file"
              checked={chosen.includes(path)}
              onChange={() => toggle(path)}
            />
            <span class="path">{safeLine(path)}</span>
          </label>
        ))}
      </div>
      <SendRow
        problem={problem}
        isBegun={chosen.length > 0}
        send={() => send({ value: chosen })}
        cancel={() => send("cancel")}
      />
    </div>
  );
}
