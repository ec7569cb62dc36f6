// The home screen: open questions, oldest first, and below them the sessions.
import { useEffect, useRef, useState } from "preact/hooks";
import type { OverviewAsk, OverviewSession } from "../../contract/page.js";
import { humanAge, humanCount, humanTokens } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { refusalWords } from "../net/requests.js";
import { daemon, now } from "../state/page.js";
import { goTo, hashOf, route } from "../state/route.js";
import { askLine, folderName, whereWords } from "./ask-facts.js";
import { BackLink, Empty, LineInput, StatWords, StreamNotice } from "./parts.jsx";
import { kindWords } from "./question.jsx";

/** So many questions are shown at once; more of them would be slow to draw every second. */
const ASKS_SHOWN = 100;

export function Home() {
  const { asks, asksMore, sessions } = daemon.overview.value;
  const [shown, setShown] = useState(ASKS_SHOWN);
  const hidden = Math.max(0, asks.length - shown);
  return (
    <section class="home" aria-label="Home">
      <StreamNotice state={daemon.stream.value} />
      <ul class="asks" aria-label="Questions">
        {asks.slice(0, shown).map((asked) => (
          <li key={asked.ask.id}>
            <AskRow asked={asked} />
          </li>
        ))}
      </ul>
      {hidden + asksMore > 0 && (
        <p class="dim pad">
          {humanCount(hidden + asksMore)} more questions wait; these are the oldest.
          {hidden > 0 && (
            <button type="button" class="quiet" onClick={() => setShown(shown + ASKS_SHOWN)}>
              show more
            </button>
          )}
        </p>
      )}
      {asks.length === 0 && daemon.isLoaded.value && <Empty>Nothing waits for you.</Empty>}
      {!daemon.isLoaded.value && <p class="dim pad">loading…</p>}
      <h2 class="list-head">Sessions</h2>
      <ul class="sessions" aria-label="Sessions">
        {[...sessions].sort(byState).map((session) => (
          <li key={session.id}>
            <SessionRow session={session} />
          </li>
        ))}
      </ul>
      {sessions.length === 0 && daemon.isLoaded.value && <Empty>No sessions yet.</Empty>}
      <nav class="home-links" aria-label="Other views">
        {daemon.onlySession.value === null && <a href="#new">new session</a>}
        {daemon.onlySession.value === null && <a href="#daemon">daemon</a>}
        <a href="#devices">this device</a>
      </nav>
    </section>
  );
}

/** More than any row is wide; a screen reader reads it as the name of the link. */
const ROW_UNITS_MAX = 120;

export function AskRow({ asked }: { asked: OverviewAsk }) {
  const { title, command, stat, dangers } = askLine(asked);
  const here = route.value;
  const isHere = here.at === "ask" && here.id === asked.ask.id;
  return (
    <a
      class={`row ask ${dangers.length > 0 ? "danger" : ""}`}
      href={hashOf({ at: "ask", id: asked.ask.id })}
      aria-current={isHere ? "page" : undefined}
      data-row
    >
      <span class="row-head">
        <span class="row-title">{title}</span>
        {stat === null ? <span class="dim">{kindWords(asked.ask)}</span> : <StatWords stat={stat} />}
      </span>
      {command !== "" && <code class="row-command">{command.slice(0, ROW_UNITS_MAX)}</code>}
      {dangers.map((danger) => (
        <span key={danger} class="danger-words">
          ▲ {danger}
        </span>
      ))}
      <span class="dim">{whereWords(asked, now.value, daemon.clockOffsetMs.value)}</span>
    </a>
  );
}

const ORDER = ["working", "starting", "idle", "ended"] as const;

function byState(a: OverviewSession, b: OverviewSession): number {
  const rank = ({ state }: OverviewSession) => ORDER.indexOf(state);
  return rank(a) - rank(b) || b.active_at_ms - a.active_at_ms;
}

const ASKING = "?";
const SIGNS = { working: "●", starting: "◌", idle: "◌", ended: "✕" } as const;

function SessionRow({ session }: { session: OverviewSession }) {
  const here = route.value;
  const isHere = here.at === "session" && here.id === session.id;
  const age = humanAge(now.value - session.active_at_ms - daemon.clockOffsetMs.value);
  const isAsking = session.open_asks > 0;
  const state = isAsking ? "waits for you" : session.state === "idle" ? `idle ${age}` : session.state;
  // A session of another machine is opened there.
  const link =
    session.machine === undefined ? { href: hashOf({ at: "session", id: session.id }), "data-row": true } : {};
  return (
    <a
      class={`row session ${isAsking ? "asking" : session.state}`}
      aria-current={isHere ? "page" : undefined}
      {...link}
    >
      <span class="row-head">
        <span class="sign" aria-hidden="true">
          {isAsking ? ASKING : SIGNS[session.state]}
        </span>
        <span class="row-title">{safeLine(session.title ?? session.name)}</span>
        <span class="dim">{state}</span>
      </span>
      {session.last_line !== "" && <span class="last-line dim">{safeLine(session.last_line)}</span>}
      <span class="dim">{sessionWords(session)}</span>
    </a>
  );
}

function sessionWords({ agent, name, title, machine, cwd, cost, tokens, open_asks }: OverviewSession): string {
  const who = agent ?? (title === null || title === name ? "" : name);
  return [
    who,
    machine === undefined ? "" : `on ${machine}`,
    folderName(cwd),
    tokens === null ? "" : `${humanTokens(tokens)} tok`,
    cost === null ? "" : `$${cost.toFixed(2)}`,
    open_asks === 0 ? "" : `${open_asks} open ${open_asks === 1 ? "question" : "questions"}`,
  ]
    .filter(Boolean)
    .map(safeLine)
    .join(" · ");
}

// Start a session with an agent that the daemon knows, in its folder or another one.

interface Agent {
  readonly name: string;
  readonly title: string;
  readonly installed: boolean;
}

export function NewSession() {
  const [agents, setAgents] = useState<readonly Agent[] | null>(null);
  const [folder, setFolder] = useState("");
  const [words, setWords] = useState("");
  useEffect(() => {
    void daemon.requests.once("GET", "/agents").then((answer) => {
      if (answer?.status === 200) setAgents(answer.body as Agent[]);
      else setWords(answer === null ? "no connection" : refusalWords(answer));
    });
  }, []);
  const isStarting = useRef(false);
  const start = async (agent: string) => {
    // Two quick taps count as one.
    if (isStarting.current) return;
    isStarting.current = true;
    setWords("starting…");
    const cwd = folder.trim();
    const answer = await daemon.requests.once("POST", "/sessions", { agent, ...(cwd === "" ? {} : { cwd }) });
    if (answer?.status !== 201) {
      isStarting.current = false;
      setWords(answer === null ? "no connection" : refusalWords(answer));
      return;
    }
    goTo({ at: "session", id: (answer.body as { id: string }).id });
  };
  const installed = (agents ?? []).filter((agent) => agent.installed);
  return (
    <section class="page-view">
      <header class="head">
        <BackLink />
        <h1>New session</h1>
      </header>
      <div class="field pad">
        <span>folder</span>
        <LineInput kind="text" label="folder" placeholder="the daemon's own folder" value={folder} onText={setFolder} />
      </div>
      <ul class="sessions">
        {installed.map(({ name, title }) => (
          <li key={name}>
            <button type="button" class="row" onClick={() => void start(name)}>
              <span class="row-title">{safeLine(title)}</span>
              {title !== name && <span class="dim">{safeLine(name)}</span>}
            </button>
          </li>
        ))}
      </ul>
      {agents !== null && installed.length === 0 && <Empty>No agent is installed on this machine.</Empty>}
      <p class="pad problem" role="status">
        {words}
      </p>
    </section>
  );
}
