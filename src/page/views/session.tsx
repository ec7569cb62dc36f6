// A session: its transcript, what the agent does now, the queue, and the composer.
import { useEffect, useState } from "preact/hooks";
import { currentMode, modeSetting, neverAsks } from "../../session/agent-mode.js";
import { humanSeconds, humanTokens } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { daemon, now } from "../state/page.js";
import { hashOf } from "../state/route.js";
import type { SessionFollower } from "../state/session-follower.js";
import { titleOf } from "./ask-facts.js";
import { Composer } from "./composer.jsx";
import { BackLink, StreamNotice, useFocusOfLost } from "./parts.jsx";
import { Search } from "./search.jsx";
import { SessionMenu } from "./session-menu.jsx";
import { Transcript } from "./transcript.jsx";

export function SessionView({ id }: { id: string }) {
  const session = daemon.session(id);
  return <Session key={id} session={session} />;
}

function Session({ session }: { session: SessionFollower }) {
  const [isSearching, setSearching] = useState(false);
  const [found, setFound] = useState<string | null>(null);
  const heading = useFocusOfLost<HTMLHeadingElement>();
  const entry = daemon.overview.value.sessions.find(({ id }) => id === session.id);
  const facts = session.facts.value;
  const name = safeLine(facts.title ?? entry?.title ?? entry?.name ?? "session");
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
        <button type="button" class="quiet" aria-pressed={isSearching} onClick={() => setSearching(!isSearching)}>
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
          }}
        />
      )}
      <StreamNotice state={session.stream.value} />
      <Transcript session={session} folder={entry?.cwd ?? ""} found={found} />
      <Activity session={session} />
      <OpenAsks session={session} />
      <Remarks session={session} />
      {!daemon.isReadOnly.value && <Composer session={session} />}
      <StatusLine session={session} />
    </section>
  );
}

const PLAN_SIGNS = { completed: "●", in_progress: "▸", pending: "◌" } as const;

function Activity({ session }: { session: SessionFollower }) {
  const { phase, workingSinceMs, stoppingSinceMs, workingMessage, plan, widgets } = session.facts.value;
  const isBusy = phase === "working" || phase === "starting";
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
          <span class="sign spinner l-accent" aria-hidden="true" />{" "}
          {safeLine(
            stoppingSinceMs === null ? (workingMessage ?? (phase === "starting" ? "starting" : "working")) : "stopping",
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
  return (
    <a class="row ask open-ask" href={hashOf({ at: "ask", id: first.ask.id })}>
      <span class="row-head">
        <span class="row-title">{titleOf(first.ask)}</span>
        <span class="dim">{asks.length === 1 ? "waits for you ›" : `1 of ${asks.length} ›`}</span>
      </span>
    </a>
  );
}

function Remarks({ session }: { session: SessionFollower }) {
  const last = session.remarks.value.at(-1);
  if (last === undefined) return null;
  return (
    <p class="remark" role="status">
      ℹ {safeLine(last)}{" "}
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
  const { model, usage, status, settings } = facts;
  const mode = currentMode(facts);
  const setting = modeSetting(facts);
  const change = (key: string, value: string) =>
    void session.dispatch({ type: "command", command: { type: "set_config", key, value } });
  const choosable = settings.filter(({ options }) => options.length > 0);
  const words = [
    choosable.some(({ kind }) => kind === "model") ? "" : (model ?? ""),
    mode !== null && setting?.options.length === 0 ? mode.label : "",
    usage.tokens === null ? "" : `${humanTokens(usage.tokens)} tok`,
    usage.cost === null ? "" : `$${usage.cost.toFixed(2)}`,
    usage.context === null ? "" : `context ${Math.round((100 * usage.context.used) / usage.context.size)} %`,
    ...status.map(({ text }) => text),
  ];
  return (
    <p class="status dim">
      {!daemon.isReadOnly.value &&
        choosable.map(({ key, label, value, options, kind }) => (
          <select
            key={key}
            class={kind === "mode" && mode !== null && neverAsks(mode) ? "l-danger" : ""}
            aria-label={safeLine(label)}
            title={safeLine(label)}
            value={value}
            onChange={(event) => change(key, event.currentTarget.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {safeLine(option.label)}
              </option>
            ))}
          </select>
        ))}
      <span>{words.filter(Boolean).map(safeLine).join(" · ")}</span>
    </p>
  );
}
