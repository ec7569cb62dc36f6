// The agent that plays in these tests, as a process: built once, started by the link like any other agent, with a record of
// everything its front end heard and a way to wait for a thing to happen.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { openAcpLink } from "../../../src/agents/acp/acp-link.js";
import type { AgentCommand } from "../../../src/agents/agent-process.js";
import type { SessionLink } from "../../../src/agents/dialect-link.js";
import type { AcpLimits } from "../../../src/agents/dialects/acp/context.js";
import type { Ask } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { ScriptStep } from "../../rigs/acp-agent/script.js";

const source = new URL("../../rigs/acp-agent/acp-agent.ts", import.meta.url).pathname;

type OpenOptions = { limits?: Partial<AcpLimits>; resume?: string };

export class AgentWorkshop {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "palaver-acp-")));
  readonly program = join(this.folder, "acp-agent.mjs");
  private readonly opened: OpenAgent[] = [];

  async build(): Promise<void> {
    const target = { outfile: this.program, platform: "node", format: "esm" } as const;
    await build({ entryPoints: [source], bundle: true, logLevel: "error", ...target });
  }

  open(args: readonly string[] = [], options: OpenOptions = {}): OpenAgent {
    return this.openBehind(process.execPath, [this.program, ...args], options);
  }

  /** Starts another program in front of the agent, as installers do. */
  openBehind(command: string, args: readonly string[], options: OpenOptions = {}): OpenAgent {
    const agent = new OpenAgent({ command, args, cwd: this.folder }, options);
    this.opened.push(agent);
    return agent;
  }

  /** Every agent of a test is gone before the next one. */
  async clear(): Promise<void> {
    await Promise.all(this.opened.splice(0).map(({ link }) => link.stop()));
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;

export class OpenAgent {
  readonly events: SessionEvent[] = [];
  readonly link: SessionLink;
  private readonly waiting = new Set<() => void>();

  constructor(command: AgentCommand, { limits, resume }: OpenOptions) {
    const onEvent = (event: SessionEvent) => {
      this.events.push(event);
      for (const wake of this.waiting) wake();
    };
    const nowMs = () => performance.now();
    this.link = openAcpLink(command, { onEvent, nowMs, ...(resume === undefined ? {} : { resume }) }, limits);
  }

  of<Type extends SessionEvent["type"]>(type: Type): EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => event.type === type);
  }

  /** The nth event of a kind, as soon as it happened. */
  heard<Type extends SessionEvent["type"]>(type: Type, nth = 1): Promise<EventOf<Type>> {
    return new Promise((resolve) => {
      const look = () => {
        const event = this.of(type)[nth - 1];
        if (event === undefined) return;
        this.waiting.delete(look);
        resolve(event);
      };
      this.waiting.add(look);
      look();
    });
  }

  play(...script: ScriptStep[]): void {
    this.link.send({ type: "prompt", text: JSON.stringify(script) });
  }

  answer(ask: Ask, result: unknown): void {
    this.link.send({ type: "ui_response", id: ask.id, result, error: null });
  }

  /** Everything the agent said so far. */
  said(): string {
    const deltas = this.of("message.grew").map(({ delta }) => delta);
    return deltas.join("");
  }
}
