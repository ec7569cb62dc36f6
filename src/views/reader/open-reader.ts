// The reader on an agent: a talk like any other, with another app.
import type { Partner, RunPorts } from "../inline/run-in-terminal.js";
import { TalkSession } from "../inline/talk-session.js";
import { ReaderApp } from "./reader-app.js";
import { runReader } from "./run-reader.js";

/** Resolves when the person has left and the agent is gone. */
export function openReader(partner: Partner, ports: RunPorts): Promise<void> {
  const { clock, exportTranscript, settings, change } = ports;
  return runReader(
    ports,
    (host) =>
      new TalkSession(
        partner,
        ports,
        (options, agent) =>
          new ReaderApp({ ...options, ...host }, { ...agent, ...host, clock, exportTranscript, settings, change }),
      ),
  );
}
