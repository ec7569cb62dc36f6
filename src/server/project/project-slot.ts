// The current project of a daemon that can switch. Switching aborts the old run, waits for its end, then starts the new one;
// a run that is over can no longer change what is shown.
import { statSync } from "node:fs";
import type { Tui } from "../handlers/tui.js";

/** One run of one project, as the project's own code sees it. */
export interface ProjectRun {
  readonly folder: string;
  /** Aborted when the run has to end. */
  readonly signal: AbortSignal;
  /** Sets what the daemon shows of the project; ignored when the run is over. */
  show(tui: Tui): void;
  /** Removes it again; ignored when the run is over. */
  hide(): void;
}

/** Works until the signal is aborted or there is nothing left to do. */
export type OpenProject = (run: ProjectRun) => Promise<void>;

export interface ProjectSlotOptions {
  readonly open: OpenProject;
  /** A run failed, or did not end in time. */
  readonly onError: (error: unknown) => void;
  readonly onChange?: () => void;
  /** After this the new project starts although the old one has not ended. */
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

  get tui(): Tui | null {
    return this.shown;
  }

  get folder(): string | null {
    return this.current?.folder ?? null;
  }

  /** Rejects when there is no such folder; the running project stays. */
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

  // The old run is aborted at once, before earlier steps have finished.
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
