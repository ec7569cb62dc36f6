// A session: its transcript, the agent's current activity, the queue, and the composer.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { OverviewSession } from "../../contract/page.js";
import { currentMode, modeSetting, neverAsks } from "../../session/agent-mode.js";
import { type AgentSettings, modelWords } from "../../session/session-facts.js";
import type { Block } from "../../session/transcript/block.js";
import { toolArgument } from "../../session/transcript/tool-words.js";
import { humanCount, humanSeconds, humanTokens } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { refusalWords } from "../net/requests.js";
import { daemon, now } from "../state/page.js";
import { goTo, hashOf } from "../state/route.js";
import type { BlockCell, SessionFollower } from "../state/session-follower.js";
import { askLine } from "./ask-facts.js";
import { NOTICE_SIGNS } from "./block.jsx";
import { Composer } from "./composer.jsx";
import { BackLink, StreamNotice, useClosing, useFocusOfLost } from "./parts.jsx";
import { SessionMenu } from "./session-menu.jsx";
import { type Found, Transcript } from "./transcript.jsx";

export function SessionView({ id }: { id: string }) {
  const session = daemon.session(id);
  return <Session key={id} session={session} />;
}

function Session({ session }: { session: SessionFollower }) {
  const [isSearching, setSearching] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const heading = useFocusOfLost<HTMLHeadingElement>();
  const searchButton = useRef<HTMLButtonElement>(null);
  const entry = daemon.overview.value.sessions.find(({ id }) => id === session.id);
  const facts = session.facts.value;
  const name = safeLine(facts.title ?? entry?.title ?? entry?.name ?? (session.name.value || "session"));
  const isGone = session.stream.value.kind === "refused" && session.cells.value.length === 0;
  useEffect(() => {
    session.open();
    return () => session.close();
  }, [session]);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      setSearching(true);
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, []);
  return (
    <section class="session-view" aria-label={name}>
      <header class="head">
        {!daemon.isReadOnly.value && <BackLink />}
        <h1 ref={heading} tabIndex={-1}>
          {name}
        </h1>
        <button
          ref={searchButton}
          type="button"
          class="quiet"
          aria-pressed={isSearching}
          onClick={() => setSearching(!isSearching)}
        >
          search
        </button>
        <SessionMenu session={session} name={name} />
      </header>
      {isSearching && (
        <Search
          session={session}
          onFound={setFound}
          onClose={() => {
            setSearching(false);
            setFound(null);
            searchButton.current?.focus();
          }}
        />
      )}
      <StreamNotice state={session.stream.value} />
      <Transcript session={session} folder={entry?.cwd ?? ""} found={found} />
      {!isGone && <Activity session={session} />}
      <OpenAsks session={session} />
      <Remarks session={session} />
      {daemon.isReadOnly.value && <p class="status dim">This link is read-only.</p>}
      {!daemon.isReadOnly.value && !isGone && <Composer session={session} />}
      {!daemon.isReadOnly.value && facts.phase === "ended" && entry !== undefined && <StartAgain entry={entry} />}
      {!isGone && <StatusLine session={session} />}
    </section>
  );
}

/** The same agent in the same folder, as a new session. */
function StartAgain({ entry: { agent, cwd } }: { entry: OverviewSession }) {
  const [words, setWords] = useState("");
  const [isStarting, setStarting] = useState(false);
  if (agent === null || daemon.onlySession.value !== null) return null;
  const start = async () => {
    setStarting(true);
    const answer = await daemon.requests.once("POST", "/sessions", { agent, cwd });
    setStarting(false);
    if (answer?.status === 201) goTo({ at: "session", id: (answer.body as { id: string }).id });
    else setWords(answer === null ? "no connection" : refusalWords(answer));
  };
  return (
    <div class="pad">
      <button type="button" class="answer" disabled={isStarting} onClick={() => void start()}>
        {isStarting ? "starting…" : `start ${safeLine(agent)} again, in a new session`}
      </button>
      {words !== "" && <p class="problem">{safeLine(words)}</p>}
    </div>
  );
}

const PLAN_SIGNS = { completed: "●", in_progress: "▸", pending: "◌" } as const;

function Activity({ session }: { session: SessionFollower }) {
  const { phase, workingSinceMs, stoppingSinceMs, workingMessage, plan, widgets } = session.facts.value;
  const isBusy = phase === "working" || phase === "starting";
  const isAsking = daemon.overview.value.asks.some((asked) => asked.session?.id === session.id);
  const isPlanOpen = plan.some(({ status }) => status !== "completed");
  return (
    <div class="activity">
      {isPlanOpen && (
        <ul class="plan" aria-label="Plan">
          {plan.map(({ text, status }, at) => (
            <li key={at} class={status}>
              <span class="sign">{PLAN_SIGNS[status]}</span> {safeLine(text)}
            </li>
          ))}
        </ul>
      )}
      {widgets.map(({ key, lines }) => (
        <pre key={key} class="widget dim">
          {lines.map((line) => `┊ ${safeLine(line)}`).join("\n")}
        </pre>
      ))}
      {isBusy && (
        <p class="doing">
          <span class={`sign ${isAsking ? "l-warn asking" : "spinner l-accent"}`} aria-hidden="true" />{" "}
          {safeLine(
            stoppingSinceMs !== null
              ? "stopping"
              : isAsking
                ? "waits for your answer"
                : (workingMessage ?? (phase === "starting" ? "starting" : "working")),
          )}{" "}
          <span class="dim">{workingSinceMs === null ? "" : humanSeconds(now.value - workingSinceMs)}</span>
          {!daemon.isReadOnly.value && phase === "working" && (
            <button type="button" class="quiet stop" onClick={() => void session.dispatch({ type: "abort" })}>
              stop
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function OpenAsks({ session }: { session: SessionFollower }) {
  const asks = daemon.overview.value.asks.filter((asked) => asked.session?.id === session.id);
  const [first] = asks;
  if (first === undefined) return null;
  const { title, dangers } = askLine(first);
  return (
    <a class={`row ask open-ask ${dangers.length > 0 ? "danger" : ""}`} href={hashOf({ at: "ask", id: first.ask.id })}>
      <span class="row-head">
        <span class="row-title">{title}</span>
        <span class="dim">{asks.length === 1 ? "waits for you ›" : `1 of ${asks.length} ›`}</span>
      </span>
      {dangers.length > 0 && <span class="danger-words">▲ {dangers[0]}</span>}
    </a>
  );
}

function Remarks({ session }: { session: SessionFollower }) {
  const last = session.remarks.value.at(-1);
  if (last === undefined) return null;
  const [sign, look] = NOTICE_SIGNS[last.level];
  return (
    <p class="remark" role="status">
      <span class={`sign ${look}`}>{sign}</span> {safeLine(last.text)}{" "}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          session.remarks.value = [];
        }}
      >
        dismiss
      </button>
    </p>
  );
}

function StatusLine({ session }: { session: SessionFollower }) {
  const facts = session.facts.value;
  const { usage, status, settings, phase } = facts;
  const mode = currentMode(facts);
  const setting = modeSetting(facts);
  const choosable = settings.filter(({ options }) => options.length > 0);
  const canChange = !daemon.isReadOnly.value && phase !== "ended";
  const isListed = choosable.some(({ kind }) => kind === "model");
  const words = [
    isListed || canChange ? "" : modelWords(facts),
    mode !== null && setting?.options.length === 0 ? mode.label : "",
    usage.tokens === null ? "" : `${humanTokens(usage.tokens)} tok`,
    usage.cost === null ? "" : `$${usage.cost.toFixed(2)}`,
    usage.context === null ? "" : `context ${Math.round((100 * usage.context.used) / usage.context.size)} %`,
    ...status.map(({ text }) => text),
  ];
  return (
    <div class="status dim">
      {canChange && choosable.map((one) => <SettingChoice key={one.key} session={session} setting={one} />)}
      {canChange && !isListed && facts.model !== null && <ModelChoice session={session} />}
      <span>{words.filter(Boolean).map(safeLine).join(" · ")}</span>
    </div>
  );
}

function change(session: SessionFollower, key: string, value: string): void {
  void session.dispatch({ type: "command", command: { type: "set_config", key, value } });
}

function SettingChoice({ session, setting }: { session: SessionFollower; setting: AgentSettings[number] }) {
  const { key, label, kind, value, options } = setting;
  const isLoose = kind === "mode" && options.some((option) => option.value === value && neverAsks(option));
  return (
    <select
      class={isLoose ? "l-danger" : ""}
      aria-label={safeLine(label)}
      title={safeLine(label)}
      value={value}
      onChange={(event) => change(session, key, event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {safeLine(option.label)}
        </option>
      ))}
    </select>
  );
}

// An agent that names its model, but not the others, is asked for them when the user wants to choose.
function ModelChoice({ session }: { session: SessionFollower }) {
  const [isOpen, setOpen] = useState(false);
  const models = session.models.value;
  const place = useClosing<HTMLDivElement>(isOpen, () => setOpen(false));
  const open = () => {
    if (!isOpen) void session.dispatch({ type: "command", command: { type: "list_models" } });
    setOpen(!isOpen);
  };
  const choose = (id: string) => {
    setOpen(false);
    change(session, "model", id);
  };
  return (
    <div ref={place} class="model-choice">
      <button type="button" class="quiet model" aria-expanded={isOpen} onClick={open}>
        <span class="unseen">model </span>
        {safeLine(modelWords(session.facts.value))} ▾
      </button>
      {isOpen && models !== null && (
        <ul class="completions models" aria-label="Models">
          {models.length === 0 && <li class="pad">the agent lists no models</li>}
          {models.map(({ id, label }) => (
            <li key={id}>
              <button type="button" onClick={() => choose(id)}>
                {safeLine(id)} <span class="dim">{safeLine(label)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

// Search in the transcript: the words are looked up in the blocks, not in the document, which holds few of them. What is not loaded yet
// is read on request.

interface SearchProps {
  readonly session: SessionFollower;
  readonly onFound: (found: Found | null) => void;
  readonly onClose: () => void;
}

function Search({ session, onFound, onClose }: SearchProps) {
  const cells = session.cells.value;
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const found = useMemo(() => matches(cells, words), [cells, words]);
  const index = found.length === 0 ? 0 : ((at % found.length) + found.length) % found.length;
  useEffect(() => input.current?.focus(), []);
  const id = found[index];
  useEffect(() => onFound(id === undefined ? null : { id, words: words.trim() }), [id, words.trim()]);
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          setAt(index + 1);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onClose();
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="search the transcript"
          placeholder="search the transcript"
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value);
            setAt(0);
          }}
        />
        <span class="dim" role="status">
          {words === ""
            ? ""
            : found.length === 0
              ? "not found"
              : `${humanCount(index + 1)} of ${humanCount(found.length)}`}
        </span>
        {words !== "" && session.hasEarlier.value && (
          <button type="button" class="quiet" onClick={() => void session.readAll()}>
            earlier parts, too
          </button>
        )}
        <button type="submit" class="quiet" aria-label="older match">
          ↑
        </button>
        <button type="button" class="quiet" aria-label="newer match" onClick={() => setAt(index - 1)}>
          ↓
        </button>
        <button type="button" class="quiet" aria-label="close search" onClick={onClose}>
          ✕
        </button>
      </form>
    </search>
  );
}

/** The ids of the blocks with these words, the newest first. */
function matches(cells: readonly BlockCell[], words: string): string[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  return cells
    .filter(({ block }) => textOf(block.peek()).toLowerCase().includes(wanted))
    .map(({ id }) => id)
    .reverse();
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "tool":
      return `${block.name} ${toolArgument(block.args, 1_000)}\n${block.output}`;
    case "asked":
      return `${block.title} ${block.outcome}`;
    case "image":
      return "";
    default:
      return block.text;
  }
}
