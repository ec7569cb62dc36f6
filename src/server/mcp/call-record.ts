// What was called on a server: how often each tool, and the newest calls with how they ended. Arguments and answers are not
// kept, for they may hold secrets.

export interface CallEvent {
  readonly tool: string;
  readonly client: string;
  readonly atMs: number;
  readonly durationMs: number;
  readonly ended: "answered" | "failed";
}

export interface CallSummary {
  readonly calls: number;
  readonly byTool: Readonly<Record<string, number>>;
  /** The newest last. */
  readonly recent: readonly CallEvent[];
}

const EVENTS_KEPT_MAX = 50;

export class CallRecord {
  private readonly byTool = new Map<string, number>();
  private recent: CallEvent[] = [];
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  begin(): void {
    this.running += 1;
  }

  end(event: CallEvent): void {
    this.byTool.set(event.tool, (this.byTool.get(event.tool) ?? 0) + 1);
    this.recent = [...this.recent, event].slice(-EVENTS_KEPT_MAX);
    this.running -= 1;
    if (this.running === 0) for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Resolves when no call is running. */
  whenIdle(): Promise<void> {
    return this.running === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  summary(): CallSummary {
    const counts = [...this.byTool.values()];
    return {
      calls: counts.reduce((sum, count) => sum + count, 0),
      byTool: Object.fromEntries(this.byTool),
      recent: this.recent,
    };
  }
}
