// The devices that may use this daemon, the shared links, and notifications and theme of this device.
import { useEffect, useState } from "preact/hooks";
import type { Device } from "../../contract/page.js";
import { humanAge } from "../../text/humanize.js";
import { safeLine } from "../../text/safe.js";
import { type JsonAnswer, refusalWords } from "../net/requests.js";
import { daemon, now } from "../state/page.js";
import { disablePush, enablePush, pushState, tryPush } from "../state/push.js";
import { setTheme, theme, themeNames } from "../state/theme.js";
import { BackLink, Empty, SureButton } from "./parts.jsx";

export function Devices() {
  const identity = daemon.identity.value;
  const ownId = identity.kind === "known" ? identity.facts.device.id : "";
  return (
    <section class="page-view">
      <header class="head">
        <BackLink />
        <h1>This device</h1>
      </header>
      <ThemeChoice />
      <PushSwitch />
      <h2 class="list-head">Devices</h2>
      <DeviceList path="/devices" ownId={ownId} empty="No device is paired." />
      <h2 class="list-head">Shared links</h2>
      <DeviceList path="/shares" ownId={ownId} empty="Nothing is shared." />
      <SignOut />
    </section>
  );
}

function SignOut() {
  const [problem, setProblem] = useState("");
  const signOut = async () => {
    const answer = await daemon.requests.once("DELETE", "/device");
    if (answer?.status === 200) location.reload();
    else setProblem(problemOf(answer));
  };
  return (
    <div class="pad">
      <SureButton label="sign this device out…" sure="yes, sign out" run={() => void signOut()} />
      {problem !== "" && <p class="problem">still signed in: {safeLine(problem)}</p>}
    </div>
  );
}

function ThemeChoice() {
  return (
    <label class="field pad">
      <span>theme</span>
      <select
        value={theme.value}
        onChange={(event) => setTheme(themeNames.find((name) => name === event.currentTarget.value) ?? "auto")}
      >
        {themeNames.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function PushSwitch() {
  const identity = daemon.identity.value;
  const push = identity.kind === "known" ? identity.facts.push : null;
  useEffect(() => void pushState.refresh(), []);
  if (push === null) return <p class="pad dim">This daemon sends no notifications.</p>;
  const state = pushState.value.value;
  return (
    <div class="pad">
      {state.kind === "off" && (
        <button type="button" class="answer" onClick={() => void enablePush(push.public_key)}>
          notify me when a question waits
        </button>
      )}
      {state.kind === "on" && (
        <>
          <button type="button" class="answer" onClick={() => void tryPush()}>
            send a notification now
          </button>
          <button type="button" class="answer" onClick={() => void disablePush()}>
            stop notifications
          </button>
        </>
      )}
      {state.words !== "" && (
        <p class="dim" role="status">
          {safeLine(state.words)}
        </p>
      )}
      {push.problem !== null && <p class="problem">the last notification failed: {safeLine(push.problem)}</p>}
    </div>
  );
}

function DeviceList({ path, ownId, empty }: { path: string; ownId: string; empty: string }) {
  const [devices, setDevices] = useState<readonly Device[] | null>(null);
  const [problem, setProblem] = useState("");
  const load = () =>
    void daemon.requests.once("GET", path).then((answer) => {
      if (answer?.status === 200) setDevices(answer.body as Device[]);
      setProblem(problemOf(answer));
    });
  useEffect(load, [path, daemon.stream.value.kind === "live"]);
  const revoke = async (id: string) => {
    const answer = await daemon.requests.once("DELETE", `${path}/${encodeURIComponent(id)}`);
    if (answer?.status === 200) load();
    else setProblem(`not revoked: ${problemOf(answer)}`);
  };
  if (problem !== "") return <p class="pad problem">{safeLine(problem)}</p>;
  if (devices === null) return <p class="pad dim">loading…</p>;
  if (devices.length === 0) return <Empty>{empty}</Empty>;
  return (
    <ul class="sessions">
      {devices.map(({ id, name, session, seen_at_ms }) => (
        <li key={id} class="row">
          <span class="row-head">
            <span class="row-title">{safeLine(sessionName(session) ?? name)}</span>
            <span class="dim">
              {id === ownId ? "this device" : humanAge(now.value - seen_at_ms - daemon.clockOffsetMs.value)}
            </span>
            {id !== ownId && <SureButton label="revoke…" sure="yes, revoke" run={() => void revoke(id)} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

function problemOf(answer: JsonAnswer | null): string {
  return answer === null ? "no connection" : answer.status === 200 ? "" : refusalWords(answer);
}

/** What a shared link shows. */
function sessionName(id: string | undefined): string | null {
  const session = daemon.overview.value.sessions.find((one) => one.id === id);
  return session === undefined ? null : (session.title ?? session.name);
}
