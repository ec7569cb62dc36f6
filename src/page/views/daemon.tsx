// The view of a dev daemon: its handlers by tab, and its live log.
import { useEffect, useRef, useState } from "preact/hooks";
import { safeLine } from "../../text/safe.js";
import type { StreamState } from "../net/event-follower.js";
import { refusalWords } from "../net/requests.js";
import { daemon } from "../state/page.js";
import { AskRow } from "./home.jsx";
import { BackLink, Empty, LineInput, StreamNotice } from "./parts.jsx";

interface StateEntry {
  readonly tab_title: string;
  readonly handler_name: string;
  readonly handler_type: number;
  readonly label: string;
  readonly value: string;
  readonly shortcut: string;
}

interface LogLine {
  readonly id: string;
  readonly timestamp: string;
  readonly content: string;
  readonly type: number;
  readonly tab_title: string;
  readonly handler_name: string;
}

const LINES_MAX = 1_000;
const DISPLAY = 0;
const EDIT = 1;
const EXECUTION = 2;
const INTERACTIVE = 3;
const LOOKS: Readonly<Record<number, string>> = { 2: "l-danger", 3: "l-warn", 4: "l-ok", 10: "dim" };

export function DaemonView() {
  const [entries, setEntries] = useState<readonly StateEntry[] | null>(null);
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [tab, setTab] = useState<string | null>(null);
  const [words, setWords] = useState("");
  const [isProblem, setProblem] = useState(false);
  const [stream, setStream] = useState<StreamState>({ kind: "connecting", isAgain: false });
  const load = () =>
    void daemon.requests.once("GET", "/state").then((answer) => {
      if (answer?.status === 200) setEntries(answer.body as StateEntry[]);
      else if (answer?.status === 204) setEntries([]);
      else setWords(answer === null ? "no connection" : refusalWords(answer));
    });
  useEffect(load, []);
  useEffect(() => followLog((line) => setLines((before) => [...before, line].slice(-LINES_MAX)), load, setStream), []);
  const act = async (key: string, value?: string) => {
    setProblem(false);
    setWords("…");
    const answer = await daemon.requests.once("POST", "/action", { key, ...(value === undefined ? {} : { value }) });
    const { applied } = (answer?.body ?? {}) as { readonly applied?: string };
    const isDone = answer?.status === 200;
    setProblem(!isDone);
    setWords(answer === null ? "no connection" : isDone ? `done: ${applied ?? ""}` : refusalWords(answer));
    load();
  };
  const tabs = [...new Set([...(entries ?? []), ...lines].map(({ tab_title }) => tab_title))].filter(Boolean);
  const isShown = ({ tab_title }: { readonly tab_title: string }) => tab === null || tab === tab_title;
  return (
    <section class="page-view daemon">
      <header class="head">
        <BackLink />
        <h1>Daemon</h1>
      </header>
      <StreamNotice state={stream} />
      {daemon.overview.value.asks
        .filter(({ session }) => session === null)
        .map((asked) => (
          <AskRow key={asked.ask.id} asked={asked} />
        ))}
      {tabs.length > 1 && (
        <p class="tabs">
          {[null, ...tabs].map((name) => (
            <button
              key={name ?? ""}
              type="button"
              class="quiet"
              aria-pressed={tab === name}
              onClick={() => {
                setTab(name);
                setWords("");
              }}
            >
              {name === null ? "all" : safeLine(name)}
            </button>
          ))}
        </p>
      )}
      <ul class="handlers">
        {(entries ?? []).filter(isShown).map((entry) => (
          <li key={entry.shortcut}>
            <Handler entry={entry} act={act} />
          </li>
        ))}
      </ul>
      {entries?.length === 0 && <Empty>This daemon has no handlers.</Empty>}
      <p class={`pad ${isProblem ? "problem" : "dim"}`} role="status">
        {safeLine(words)}
      </p>
      <Log lines={lines.filter(isShown)} />
    </section>
  );
}

function Handler({ entry, act }: { entry: StateEntry; act: (key: string, value?: string) => Promise<void> }) {
  const [value, setValue] = useState(entry.value);
  useEffect(() => setValue(entry.value), [entry.value, entry.label]);
  const label = safeLine(entry.label || entry.handler_name);
  if (entry.handler_type === EXECUTION) {
    return (
      <button type="button" class="answer" onClick={() => void act(entry.shortcut)}>
        {label}
      </button>
    );
  }
  const isTalk = entry.handler_type === INTERACTIVE;
  if (entry.handler_type !== EDIT && !isTalk) {
    return (
      <p>
        <span class="dim">{label}</span> {safeLine(entry.value)}
        {entry.handler_type === DISPLAY ? "" : " …"}
      </p>
    );
  }
  return (
    <form
      class="handler-edit"
      onSubmit={(event) => {
        event.preventDefault();
        void act(entry.shortcut, value);
      }}
    >
      <div class="field">
        <span>{label}</span>
        <LineInput kind="text" label={label} placeholder="" value={value} onText={setValue} />
      </div>
      <button type="submit" class="quiet">
        {isTalk ? "send" : "set"}
      </button>
    </form>
  );
}

function Log({ lines }: { lines: readonly LogLine[] }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines.length]);
  return (
    <div class="log-lines" role="log" aria-live="off">
      {lines.map(({ id, timestamp, handler_name, content, type }) => (
        <p key={id} class={LOOKS[type] ?? ""}>
          <span class="dim">{safeLine(timestamp)}</span> <span class="dim">{safeLine(handler_name)}</span>{" "}
          {safeLine(content)}
        </p>
      ))}
      <div ref={end} />
    </div>
  );
}

function followLog(onLine: (line: LogLine) => void, onRefresh: () => void, onState: (state: StreamState) => void) {
  let lastId: string | null = null;
  return daemon.follow({
    path: "/logs",
    mayEnd: false,
    lastId: () => lastId,
    onEvent: ({ name, data, id }) => {
      lastId = id ?? lastId;
      if (name === "refresh") onRefresh();
      else if (name === "message") onLine(JSON.parse(data) as LogLine);
    },
    onDropped: () => undefined,
    onState,
  });
}
