// A picture of the session half-way, for people: the live area is readable, an overlay is open, and nothing moves.

import { ReportDesk } from "./conversation.js";
import { type Desk, elapsed } from "./desk.js";
import type { AppOptions } from "./program.js";
import { FIRST_SIZE, sessionScript } from "./session-script.js";
import type { TerminalKind } from "./terminal-kind.js";

const PLAN = { seed: 1, variant: "overlay", lineCount: 350, resizeCount: 0, text: "wide" } as const;
/** Until the program has started, streamed as far as it should, and the terminal has drawn it. */
const STILL_MS = 4_000;
const PIECES_INTO_OVERLAY = 20;

export async function takeSessionPicture(desk: Desk, kind: TerminalKind, app: string, path: string): Promise<void> {
  const socket = desk.path(`picture-${kind.name}`);
  const reports = await ReportDesk.listen(socket);
  const options: AppOptions = {
    ...PLAN,
    mode: "inline",
    socket,
    pieceMs: 2,
    liveText: "shown",
    pauseAtPiece: pieceWithOverlay(),
  };
  const window = await kind.open(desk, [process.execPath, app, JSON.stringify(options)], FIRST_SIZE);
  try {
    await elapsed(STILL_MS);
    await window.picture?.(path);
  } finally {
    reports.close();
    await window.close();
  }
}

function pieceWithOverlay(): number {
  for (const [piece, moments] of sessionScript(PLAN).moments) {
    const isOpening = moments.some((moment) => moment.type === "overlay" && moment.rows > 0);
    if (isOpening && piece > 100) return piece + PIECES_INTO_OVERLAY;
  }
  return 0;
}
