// Holds the one project that a daemon works on, for daemons that can switch. Switching cancels the old project, waits for its
// end, and only then starts the new one. What a project shows belongs to its run: a clean-up that comes late, from a run
// that is over, finds that nothing there is its own any more.
import { statSync } from "node:fs";
import type { Tui } from "../handlers/tui.js";

/** One run of one project, as the project's own code sees it. */
export interface ProjectRun {
  readonly folder: string;
  /** Aborted when the run has to end. */
  readonly signal: AbortSignal;
  /** From now on this is what the daemon shows of the project. Nothing happens when the run is over. */
  show(tui: Tui): void;
  /** Takes it away again, unless another run has taken the place. */
  hide(): void;
}

/** Works until the signal is aborted or there is nothing left to do. */
export type OpenProject = (run: ProjectRun) => Promise<void>;

export interface ProjectSlotOptions {
  readonly open: OpenProject;
  /** A run that ended by an error, or did not end in time. */
  readonly onError: (error: unknown) => void;
  readonly onChange?: () => void;
  /** How long the old project may take to end before the new one starts all the same. */
  readonly endMsMax?: number;
}

interface Current {
  readonly folder: string;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

const END_MS_MAX = 5_000;

export class ProjectSlot {
  private readonly options: ProjectSlotOptions;
  private current: Current | null = null;
  private owner: object | null = null;
  private shown: Tui | null = null;
  private steps: Promise<void> = Promise.resolve();

  constructor(options: ProjectSlotOptions) {
    this.options = options;
  }

  /** What the project of the moment shows. */
  get tui(): Tui | null {
    return this.shown;
  }

  get folder(): string | null {
    return this.current?.folder ?? null;
  }

  /** Rejects when there is no such folder; the project that runs stays then. */
  async start(folder: string): Promise<void> {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`there is no folder ${folder}`);
    return this.inTurn(async () => {
      await this.endCurrent();
      this.begin(folder);
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.endCurrent());
  }

  /** Rejects when nothing runs. */
  async restart(): Promise<void> {
    const { folder } = this;
    if (folder === null) throw new Error("no project runs here");
    return this.start(folder);
  }

  // The old run is told at once, also when steps are still waiting before this one.
  private inTurn(step: () => Promise<void>): Promise<void> {
    this.current?.controller.abort();
    const done = this.steps.then(step);
    this.steps = done.catch(() => undefined);
    return done;
  }

  private begin(folder: string): void {
    const controller = new AbortController();
    const owner = {};
    this.owner = owner;
    const isOwner = () => this.owner === owner;
    const set = (tui: Tui | null) => {
      if (!isOwner()) return;
      this.shown = tui;
      this.options.onChange?.();
    };
    const run = { folder, signal: controller.signal, show: set, hide: () => set(null) };
    const ended = Promise.resolve()
      .then(() => this.options.open(run))
      .catch(this.options.onError)
      .then(() => set(null));
    this.current = { folder, controller, ended };
  }

  private async endCurrent(): Promise<void> {
    const { current } = this;
    if (current === null) return;
    current.controller.abort();
    const limitMs = this.options.endMsMax ?? END_MS_MAX;
    if ((await endedWithin(current.ended, limitMs)) === "late") {
      this.options.onError(new Error(`the project in ${current.folder} did not end within ${limitMs} ms`));
    }
    this.current = null;
    this.owner = null;
    this.shown = null;
    this.options.onChange?.();
  }
}

async function endedWithin(ended: Promise<void>, limitMs: number): Promise<"ended" | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, limitMs, "late" as const);
  });
  const verdict = await Promise.race([ended.then(() => "ended" as const), late]);
  clearTimeout(timer);
  return verdict;
}
