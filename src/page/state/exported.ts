// A transcript as a file on this device, in the same formats as in the terminal.
import type { ExportFormat } from "../../terminal/painter/export/export-transcript.js";
import { daemon, pagePorts } from "./page.js";
import type { SessionFollower } from "./session-follower.js";

const KINDS = { markdown: ["md", "text/markdown"], html: ["html", "text/html"] } as const;
const SAVED_MS_MAX = 60_000;

/** Saves all of the transcript; what came of it, in words. */
export async function exportSession(
  session: SessionFollower,
  format: ExportFormat & keyof typeof KINDS,
  name: string,
): Promise<string> {
  if (!(await session.readAll())) return "no connection: earlier parts are missing";
  const { exportTranscript } = await import("../../terminal/painter/export/export-transcript.js");
  const identity = daemon.identity.peek();
  const blocks = session.cells.peek().map(({ block }) => block.peek());
  const text = exportTranscript(blocks, format, {
    agent: name,
    model: session.facts.peek().model,
    exportedAt: new Date(pagePorts.nowMs()).toISOString(),
    palaver: identity.kind === "known" ? identity.facts.daemon.version : "",
  });
  const [ending, type] = KINDS[format];
  save(new Blob([text], { type }), `${fileName(name)}.${ending}`);
  return "saved";
}

function fileName(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "session"
  );
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  pagePorts.after(SAVED_MS_MAX, () => URL.revokeObjectURL(url));
}
