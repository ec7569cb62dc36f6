// Says that a tool is still at work when it takes long: silence does not tell waiting from a program that hangs.
import type { BlockChange, ToolBlock } from "../../session/transcript/block.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { toolWords } from "../../terminal/painter/reader/block-speech.js";

const SLOW_MS = 5_000;

export class SlowTools {
  private readonly clock: ScreenClock;
  private readonly say: (line: string) => void;
  private readonly waiting = new Map<string, () => void>();

  constructor(clock: ScreenClock, say: (line: string) => void) {
    this.clock = clock;
    this.say = say;
  }

  follow(change: BlockChange): void {
    if (change.type === "grew" || change.block.kind !== "tool") return;
    if (change.type === "closed") this.forget(change.block.id);
    else if (change.block.phase === "running" && !this.waiting.has(change.block.id)) this.watch(change.block);
  }

  close(): void {
    for (const id of [...this.waiting.keys()]) this.forget(id);
  }

  private watch(tool: ToolBlock): void {
    this.waiting.set(
      tool.id,
      this.clock.after(SLOW_MS, () => this.say(`Tool ${toolWords(tool)}, still running.`)),
    );
  }

  private forget(id: string): void {
    this.waiting.get(id)?.();
    this.waiting.delete(id);
  }
}
