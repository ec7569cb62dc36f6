// One session in one terminal: opens the window with the program in it, changes the window's size where the script says
// so, and reads back everything that can be scrolled to when the program is done.

import type { Size } from "../../src/terminal/painter/frame.js";
import { type Report, ReportDesk } from "./conversation.js";
import type { Desk } from "./desk.js";
import { elapsed } from "./desk.js";
import type { AppOptions } from "./program.js";
import {
  END_MARK,
  FIRST_SIZE,
  pieceMs,
  type SessionPlan,
  type SessionScript,
  sessionScript,
  smallestSize,
} from "./session-script.js";
import { lineEnd, lineHead } from "./session-text.js";
import type { TerminalKind, TerminalWindow } from "./terminal-kind.js";
import { type Expectation, judge, type Verdict } from "./verdict.js";

export type Mode = AppOptions["mode"];

export interface RunRequest {
  readonly kind: TerminalKind;
  readonly plan: SessionPlan;
  readonly mode: Mode;
  /** The bundled program, for `node`. */
  readonly app: string;
  readonly journal?: string;
}

export interface RunResult {
  readonly verdict: Verdict;
  readonly rows: readonly string[];
  /** The sizes that the program heard of, one per signal. */
  readonly sizes: readonly Size[];
  readonly profile: string;
  readonly bytes: number;
}

/** Ten changes in a burst come as fast as a window manager sends them while a person drags an edge. */
const BURST_STEP_MS = 8;
const SESSION_LIMIT_MS = 90_000;
const START_LIMIT_MS = 15_000;
/** The terminal still has to draw what the program wrote last. */
const DRAWN_MS = 400;

let runs = 0;

export async function runSession(desk: Desk, request: RunRequest): Promise<RunResult> {
  runs += 1;
  const path = desk.path(`talk-${process.pid}-${runs}`);
  const reports = await ReportDesk.listen(path);
  const script = sessionScript(request.plan);
  let window: TerminalWindow | undefined;
  try {
    const session = new PlayedSession(reports, script);
    window = await request.kind.open(desk, commandOf(request, path), FIRST_SIZE);
    const done = await session.inWindow(window);
    await elapsed(DRAWN_MS);
    const rows = await window.contents();
    return {
      verdict: judge(rows, {
        ...expectationOf(script),
        keptCells: request.kind.keptCells ?? 0,
        narrowestCells: smallestSize(request.plan.variant).columns,
      }),
      rows,
      ...done,
    };
  } finally {
    reports.close();
    await window?.close();
  }
}

function commandOf({ plan, mode, app, journal }: RunRequest, socket: string): string[] {
  const options: AppOptions = {
    ...plan,
    mode,
    socket,
    pieceMs: pieceMs(plan.variant),
    liveText: "disguised",
    ...(journal === undefined ? {} : { journal }),
  };
  return [process.execPath, app, JSON.stringify(options)];
}

function expectationOf(script: SessionScript): Expectation {
  return {
    shell: script.shell,
    lines: script.lines,
    heads: script.lines.map((_, index) => lineHead(index)),
    ends: script.lines.map((_, index) => lineEnd(index)),
    endMark: END_MARK,
  };
}

type Outcome = Omit<RunResult, "verdict" | "rows">;

// Listens from before the window opens, because the program may be quicker than the window is to be found.
class PlayedSession {
  private readonly reports: ReportDesk;
  private readonly script: SessionScript;
  private readonly sizes: Size[] = [];
  private readonly early: Report[] = [];
  private take: (report: Report) => void = (report) => this.early.push(report);
  private profile = "";

  constructor(reports: ReportDesk, script: SessionScript) {
    this.reports = reports;
    this.script = script;
    reports.onReport((report) => this.take(report));
  }

  inWindow(window: TerminalWindow): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const start = setTimeout(() => end(() => reject(new Error("The program did not start."))), START_LIMIT_MS);
      const limit = setTimeout(
        () => end(() => reject(new Error("The session did not end in time."))),
        SESSION_LIMIT_MS,
      );
      const end = (settle: () => void) => {
        clearTimeout(start);
        clearTimeout(limit);
        settle();
      };
      this.take = (report) => {
        switch (report.type) {
          case "ready":
            clearTimeout(start);
            this.profile = report.profile;
            break;
          case "reached":
            this.resize(window, report.checkpoint).catch((error: unknown) => end(() => reject(error)));
            break;
          case "resized":
            this.sizes.push(report.size);
            break;
          case "done":
            end(() => resolve({ sizes: this.sizes, profile: this.profile, bytes: report.bytes }));
            break;
          case "failed":
            end(() => reject(new Error(report.message)));
            break;
        }
      };
      for (const report of this.early.splice(0)) this.take(report);
    });
  }

  private async resize(window: TerminalWindow, checkpoint: number): Promise<void> {
    const sizes = this.script.checkpoints[checkpoint]?.sizes ?? [];
    for (const size of sizes) {
      await window.resize(size);
      if (sizes.length > 1) await elapsed(BURST_STEP_MS);
    }
    this.reports.go(checkpoint);
  }
}
