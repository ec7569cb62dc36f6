// The page as a whole: one screen on a phone, columns side by side where there is room, and the keys that move between them.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { humanCount } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { LINK_REVOKED } from "../state/daemon.js";
import { forgetDrafts } from "../state/drafts.js";
import { daemon } from "../state/page.js";
import { forgetSecretRoute, goTo, pairCodeIn, type Route, route } from "../state/route.js";
import { titleOf } from "./ask-facts.js";
import { DaemonView } from "./daemon.jsx";
import { Devices } from "./devices.jsx";
import { Home, NewSession } from "./home.jsx";
import { isInField, LineInput } from "./parts.jsx";
import { askNamed, lastAnsweredIn, QuestionView } from "./question.jsx";
import { SessionView } from "./session.jsx";

export function App() {
  const identity = daemon.identity.value;
  const here = route.value;
  if (identity.kind === "unknown") return <p class="pad dim">connecting…</p>;
  if (identity.kind === "offline") {
    const reason = identity.words === "" ? "" : ` (${safeLine(identity.words)})`;
    return (
      <p class="pad" role="status">
        ▲ The daemon cannot be reached{reason}. This page tries again every two seconds.
      </p>
    );
  }
  if (identity.kind === "unpaired" || here.at === "pair" || here.at === "share") return <Pair key={secretIn(here)} />;
  const shared = identity.facts.device.session;
  if (daemon.isReadOnly.value && shared !== undefined) {
    return (
      <main class="columns one" data-at="session">
        <SessionView id={shared} />
      </main>
    );
  }
  return <Columns here={here} />;
}

function secretIn(here: Route): string {
  return here.at === "pair" ? here.code : here.at === "share" ? here.secret : "";
}

function Columns({ here }: { here: Route }) {
  const [isHelp, setHelp] = useState(false);
  useKeys(isHelp, setHelp);
  const asks = daemon.overview.value.asks;
  useEffect(() => {
    document.title = asks.length === 0 ? "Palaver" : `(${asks.length}) Palaver`;
  }, [asks.length]);
  const { session, ask } = columnsAt(here);
  return (
    <>
      <main class="columns" data-at={here.at} data-columns={[session, ask].filter(Boolean).length}>
        <div class="column home-column">
          <TopBar />
          <Home />
        </div>
        {session !== null && (
          <div class="column session-column">
            <SessionView id={session} />
          </div>
        )}
        {ask !== null && (
          <div class="column ask-column">
            <QuestionView id={ask} />
          </div>
        )}
        {session === null && ask === null && (
          <div class="column other-column">
            <Other here={here} />
          </div>
        )}
      </main>
      <Announcement />
      {isHelp && <Help close={() => setHelp(false)} />}
    </>
  );
}

/** Beside a session its first open question, and beside a question its session; a phone shows the one that was asked for. */
function columnsAt(here: Route): { session: string | null; ask: string | null } {
  const { asks } = daemon.overview.value;
  if (here.at === "session") {
    const open = asks.find(({ session }) => session?.id === here.id)?.ask.id;
    return { session: here.id, ask: open ?? lastAnsweredIn(here.id) };
  }
  if (here.at !== "ask") return { session: null, ask: null };
  return { session: askNamed(here.id)?.session?.id ?? null, ask: here.id };
}

function TopBar() {
  const { asks, asksMore } = daemon.overview.value;
  const count = asks.length + asksMore;
  const identity = daemon.identity.value;
  const project = identity.kind === "known" ? identity.facts.daemon.project : "";
  return (
    <header class="top">
      <h1>
        <a href="#home">Palaver</a>
      </h1>
      <span class="dim one-line">{safeLine(project.split(/[\\/]/).at(-1) ?? "")}</span>
      <span class={count > 0 ? "count" : "dim"}>{count === 1 ? "1 question" : `${humanCount(count)} questions`}</span>
    </header>
  );
}

function Other({ here }: { here: Route }) {
  switch (here.at) {
    case "new":
      return <NewSession />;
    case "daemon":
      return <DaemonView />;
    case "devices":
      return <Devices />;
    default:
      return (
        <p class="empty dim">
          Choose a question or a session.<span class="for-keys"> Press ? for keys.</span>
        </p>
      );
  }
}

// A question is announced when it comes; tokens are not, and neither are questions that go.
function Announcement() {
  const { asks } = daemon.overview.value;
  const known = useRef<ReadonlySet<string>>(new Set());
  const [words, setWords] = useState("");
  useEffect(() => {
    const fresh = asks.filter(({ ask }) => !known.current.has(ask.id));
    known.current = new Set(asks.map(({ ask }) => ask.id));
    const last = fresh.at(-1);
    const others = fresh.length > 1 ? `${fresh.length} new questions. ` : "";
    if (last !== undefined) setWords(`${others}Question ${asks.length}: ${titleOf(last.ask)}`);
  }, [asks]);
  return (
    <p class="unseen" aria-live="polite">
      {words}
    </p>
  );
}

// With the frame that shows the list, esc closes it: an effect after that frame would come late for a quick key.
function useKeys(isHelp: boolean, setHelp: (isHelp: boolean) => void): void {
  useLayoutEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (isInField(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === "j" || event.key === "k") move(event.key === "j" ? 1 : -1);
      else if (event.key === "Escape" && isHelp) setHelp(false);
      else if (event.key === "Escape") goTo({ at: "home" });
      else if (event.key === "?") setHelp(!isHelp);
      else if (event.key === "/") document.querySelector<HTMLElement>(".composer textarea")?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", heard);
    return () => removeEventListener("keydown", heard);
  }, [isHelp]);
}

function move(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const current = at >= 0 ? at : rows.findIndex((row) => row.getAttribute("aria-current") === "page");
  rows[Math.max(0, Math.min(rows.length - 1, current + step))]?.focus();
}

const KEYS = [
  ["j, k", "next or previous question or session"],
  ["enter", "open it"],
  ["y, a, n, r", "allow once, always, no, no with a reason"],
  ["/", "write a message"],
  ["ctrl+f", "search the transcript"],
  ["esc", "back; in an empty composer, stop the agent"],
  ["?", "this list"],
] as const;

function Help({ close }: { close: () => void }) {
  return (
    <div class="help" role="dialog" aria-label="Keys">
      <dl>
        {KEYS.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="answer" onClick={close}>
        close
      </button>
    </div>
  );
}

// A device that the daemon does not know: it is paired with a code from the terminal, once.

function Pair() {
  const here = route.value;
  const identity = daemon.identity.value;
  const why = identity.kind === "unpaired" && identity.words !== "" ? identity.words : "This device is not paired.";
  const [words, setWords] = useState("");
  const [code, setCode] = useState(here.at === "pair" ? here.code : "");
  const [name, setName] = useState(deviceName);
  useEffect(() => {
    if (identity.kind === "unpaired") forgetDrafts();
    if (here.at !== "share") return;
    void daemon.enterShare(here.secret, (id) => goTo({ at: "session", id })).then((problem) => entered(problem));
  }, []);
  const entered = (problem: string | null) => {
    if (problem !== null) return setWords(problem);
    forgetSecretRoute();
    const only = daemon.onlySession.peek();
    if (only !== null) goTo({ at: "session", id: only });
  };
  // Who was sent a link has no terminal to pair from.
  if (here.at === "share" || why === LINK_REVOKED) {
    return (
      <main class="pair">
        <h1>Palaver</h1>
        <p role="status">{here.at === "share" ? words || "opening the link…" : why}</p>
        {(words !== "" || here.at !== "share") && <p>Ask for a new link where you got this one.</p>}
      </main>
    );
  }
  return (
    <main class="pair">
      <h1>Palaver</h1>
      {here.at === "pair" ? (
        <p>Pair this browser with Palaver? It can then do what you can do in the terminal.</p>
      ) : (
        <p>
          {why} Run <code>palaver pair</code> in a terminal, or <code>/pair</code> in a session, and open the address it
          shows here.
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void daemon.pair(pairCodeIn(code), name.trim()).then(entered);
        }}
      >
        <div class="field">
          <span>code, or the whole address</span>
          <LineInput kind="text" label="code" placeholder="" value={code} onText={setCode} />
        </div>
        <div class="field">
          <span>name of this device, which others see with its answers</span>
          <LineInput kind="text" label="name of this device" placeholder="phone" value={name} onText={setName} />
        </div>
        <button type="submit" class="answer yes" disabled={code.trim() === "" || name.trim() === ""}>
          pair this device
        </button>
      </form>
      <p class="problem" role="status">
        {words}
      </p>
    </main>
  );
}

function deviceName(): string {
  const { userAgent } = navigator;
  const known = ["iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux"].find((word) => userAgent.includes(word));
  return known === "Macintosh" ? "Mac" : (known ?? "browser");
}
