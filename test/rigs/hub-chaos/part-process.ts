// The conductor's end of one process of the load.
import { type ChildProcess, fork } from "node:child_process";
import type { PartCalls, PartSettings } from "./load-part.js";

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly problem?: string;
}

type ResultOf<Call extends keyof PartCalls> = Awaited<ReturnType<PartCalls[Call]>>;

export class PartProcess {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, { take(reply: Reply): void }>();
  private calls = 0;

  constructor(path: string, settings: PartSettings) {
    this.child = fork(path, [JSON.stringify(settings)]);
    this.child.on("message", (reply: Reply) => this.waiting.get(reply.id)?.take(reply));
    this.child.on("exit", (code) => {
      for (const [id, { take }] of [...this.waiting]) take({ id, problem: `a process of the load ended with ${code}` });
    });
  }

  call<Call extends keyof PartCalls>(call: Call, ...given: Parameters<PartCalls[Call]>): Promise<ResultOf<Call>> {
    this.calls += 1;
    const id = this.calls;
    return new Promise((resolve, reject) => {
      const take = ({ problem, result }: Reply) => {
        this.waiting.delete(id);
        if (problem === undefined) resolve(result as ResultOf<Call>);
        else reject(new Error(problem));
      };
      this.waiting.set(id, { take });
      this.child.send({ id, call, given });
    });
  }

  async close(): Promise<void> {
    if (!this.child.connected) return;
    await this.call("close").catch(() => undefined);
    this.child.disconnect();
  }
}
