// The only output of the screen reader: lines are appended, and no cursor movement gets through. While the user types, lines
// wait, so that typed letters and the agent's words never mix.
//
//   Agent: I'll look at the test first.
//   You: and then upd▏              what comes now waits …
//   You: and then update it↵
//   Tool read, done, 214 lines.     … until the line is sent

/** More than this does not wait: it is said, and what was typed is said again behind it. */
const HELD_LINES_MAX = 2_000;
/** A terminal that reads slower than an agent writes does not make us remember without end. */
const WAITING_LINES_MAX = 200_000;
/** One write should not hold the terminal for long. */
const LINES_PER_WRITE = 200;
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/g;

export interface SpeechPorts {
  write(bytes: string): "drained" | "full";
  /** What is being typed, with its label; empty when nothing is. */
  typed(): string;
}

export class Speech {
  private readonly ports: SpeechPorts;
  private waiting: string[] = [];
  private dropped = 0;
  private terminal: "drained" | "full" = "drained";
  /** Whether something stands on the last line already. */
  private line: "fresh" | "begun" = "fresh";
  private state: "speaking" | "paused" = "speaking";

  constructor(ports: SpeechPorts) {
    this.ports = ports;
  }

  say(lines: readonly string[]): void {
    for (const line of lines) this.waiting.push(line.replace(CONTROLS, " "));
    if (this.waiting.length > WAITING_LINES_MAX) {
      const count = this.waiting.length - WAITING_LINES_MAX / 2;
      this.waiting.splice(0, count);
      this.dropped += count;
    }
    this.pump();
  }

  /** What a key shows of itself: text, or a step back with "\b". */
  echo(text: string): void {
    if (text === "") return;
    this.ports.write(text);
    this.line = "begun";
  }

  /** The line that was typed is complete. */
  endLine(): void {
    if (this.line === "fresh") return;
    this.ports.write("\r\n");
    this.line = "fresh";
  }

  drained(): void {
    this.terminal = "drained";
    this.pump();
  }

  /** Another program gets the terminal and begins on a line of its own. Nothing is kept back: we may never return. */
  pause(): void {
    this.close();
    this.state = "paused";
  }

  /** What was typed before stands on the terminal again, below whatever was written there. */
  goOn(): void {
    this.state = "speaking";
    const typed = this.ports.typed();
    this.pump();
    if (typed !== "" && this.line === "fresh") this.echo(typed);
  }

  private pump(): void {
    if (this.state === "paused") return;
    const typed = this.ports.typed();
    if (typed !== "" && this.waiting.length <= HELD_LINES_MAX) return;
    if (this.waiting.length === 0 || this.terminal === "full") return;
    this.endLine();
    while (this.waiting.length > 0 && this.terminal === "drained") this.terminal = this.writeSome();
    if (typed !== "") this.echo(typed);
  }

  /** The last words: whatever waits is said, however slow the terminal is. */
  close(): void {
    this.state = "speaking";
    this.endLine();
    while (this.waiting.length > 0) this.writeSome();
  }

  private writeSome(): "drained" | "full" {
    const gap = this.dropped === 0 ? [] : [`${this.dropped} lines were left out here; /export has them.`];
    this.dropped = 0;
    return this.ports.write([...gap, ...this.waiting.splice(0, LINES_PER_WRITE)].map((line) => `${line}\r\n`).join(""));
  }
}
