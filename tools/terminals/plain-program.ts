// The session by plain printing: every line as it is finished and nothing else. What happens to it in a terminal is the
// terminal's own doing.

import { StreamTail } from "../../src/terminal/painter/stream-tail.js";
import type { Program, ProgramPorts } from "./program.js";

export class PlainProgram implements Program {
  readonly profileName = "plain";
  frames = 0;
  private readonly ports: ProgramPorts;
  private readonly tail = new StreamTail();

  constructor(ports: ProgramPorts) {
    this.ports = ports;
  }

  start(): Promise<void> {
    process.stdin.setRawMode?.(true);
    process.stdin.resume();
    process.stdout.on("resize", () => {
      this.ports.onResize({ columns: process.stdout.columns, rows: process.stdout.rows });
    });
    return Promise.resolve();
  }

  stream(piece: string): void {
    for (const line of this.tail.append(piece)) {
      this.frames += 1;
      this.ports.write(`${line}\r\n`);
    }
  }

  moment(): void {
    // There is no live area in which anything could happen.
  }

  end(): void {
    for (const line of this.tail.finish()) this.ports.write(`${line}\r\n`);
  }
}
