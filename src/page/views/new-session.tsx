// Start a session with an agent that the daemon knows, in its folder or another one.
import { useEffect, useState } from "preact/hooks";
import { safeLine } from "../../text/safe.js";
import { refusalWords } from "../net/requests.js";
import { daemon } from "../state/page.js";
import { goTo } from "../state/route.js";
import { BackLink, Empty, LineInput } from "./parts.jsx";

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
  const start = async (agent: string) => {
    setWords("starting…");
    const cwd = folder.trim();
    const answer = await daemon.requests.once("POST", "/sessions", { agent, ...(cwd === "" ? {} : { cwd }) });
    if (answer?.status !== 201) {
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
              <span class="row-title">{safeLine(title)}</span> <span class="dim">{safeLine(name)}</span>
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
