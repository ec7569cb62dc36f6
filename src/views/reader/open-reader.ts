// The reader on an agent: a talk like any other, with another app.

import { AgentConnection } from "../inline/agent-connection.js";
import type { AgentSource, RunPorts } from "../inline/run-in-terminal.js";
import { ReaderApp } from "./reader-app.js";
import { runReader } from "./run-reader.js";

/** Resolves when the person has left and the agent is gone. */
export function openReader(partner: AgentSource, ports: RunPorts): Promise<void> {
  const { clock, exportTranscript, settings, change } = ports;
  return runReader(
    ports,
    (host) =>
      new AgentConnection(
        partner,
        ports,
        (options, agent) =>
          new ReaderApp({ ...options, ...host }, { ...agent, ...host, clock, exportTranscript, settings, change }),
      ),
  );
}
