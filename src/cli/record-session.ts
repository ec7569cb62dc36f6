// `--record FILE`: puts a recorder between the terminal UI and whatever it talks to. The keys in this process's environment
// are known to be secrets, and none of them is written.

import { createRecordingFile, Recorder, recordedLink } from "../agents/recordings/recorder.js";
import type { OpenLink } from "../agents/recordings/recording.js";
import { errorMessage } from "../contract/plain-word.js";
import { createRedactor, secretsIn } from "../text/redact.js";
import { UsageError } from "./exit-codes.js";

export interface RecordedSession {
  readonly openLink: OpenLink;
  /** Everything is on disk after it; words when something is not. */
  close(): string | null;
}

export function recordSession(path: string, agent: string, openLink: OpenLink): RecordedSession {
  let trouble: string | null = null;
  const file = createRecordingFile(path, (words) => {
    trouble = words;
  });
  const recorder = startRecorder(agent, file.write);
  return {
    openLink: recordedLink(openLink, recorder),
    close() {
      recorder.end();
      file.close();
      return trouble;
    },
  };
}

/** Writes the header, and so makes the file. */
function startRecorder(agent: string, write: (line: string) => void): Recorder {
  const redaction = createRedactor(secretsIn(process.env));
  const { columns = 80, rows = 24 } = process.stdout;
  const header = { agent, palaver: PALAVER_VERSION, startedAt: new Date().toISOString(), size: { columns, rows } };
  try {
    return new Recorder(header, { nowMs: () => performance.now(), write, redaction });
  } catch (error) {
    throw new UsageError(`--record: ${errorMessage(error)}`);
  }
}
