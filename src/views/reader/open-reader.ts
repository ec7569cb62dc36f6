// The reader on an agent: a connection like any other, with another view.
import { openAppOptions } from "../inline/app-options.js";
import { followBranch } from "../inline/git-branch.js";
import type { RunPorts, ViewedAgent } from "../inline/run-in-terminal.js";
import { ReaderApp } from "./reader-app.js";
import { runReader } from "./run-reader.js";

/** Resolves when the user has left and the agent is gone. */
export async function openReader(agent: ViewedAgent, ports: RunPorts): Promise<void> {
  const { clock, folder, exportTranscript, settings, change } = ports;
  const connection = await agent.connect({ clock, onHeard: () => undefined });
  const { source } = connection;
  const options = openAppOptions(agent.name, ports);
  await runReader(ports, connection, (host) => {
    const restart = () => connection.restart();
    const shared = { source, restart, clock, exportTranscript, settings, change };
    const app = new ReaderApp({ ...options, ...host }, { ...shared, ...host });
    followBranch(source, folder, clock, (branch) => app.app.setBranch(branch));
    return app;
  });
  await options.draft.end();
}
