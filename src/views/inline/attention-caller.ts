// Tells the terminal what the window should say, when that has changed, and calls the person who looks elsewhere.
import { type Attention, attentionFor, type Situation } from "../../session/attention.js";
import {
  type CallWay,
  callBytes,
  PROGRESS_OFF,
  progressBytes,
  TITLE_POP,
  TITLE_PUSH,
  titleBytes,
} from "./attention-bytes.js";

export interface AttentionPorts {
  write(bytes: string): void;
  readonly callWay: CallWay;
  readonly progress: "yes" | "no";
}

export class AttentionCaller {
  private readonly ports: AttentionPorts;
  private before: Situation | null = null;
  private title: string | null = null;
  private progress: Attention["progress"] = "none";

  constructor(ports: AttentionPorts) {
    this.ports = ports;
  }

  update(now: Situation): void {
    const { title, progress, call } = attentionFor(now, this.before);
    this.before = now;
    let bytes = "";
    // Until there is something to say, the window keeps the title it had.
    const hasNews = now.wished !== null || now.asking !== null || this.title !== null;
    if (hasNews && title !== this.title) {
      bytes += (this.title === null ? TITLE_PUSH : "") + titleBytes(title);
      this.title = title;
    }
    if (this.ports.progress === "yes" && progress !== this.progress) {
      bytes += progressBytes(progress);
      this.progress = progress;
    }
    if (call !== null) bytes += callBytes(call, this.ports.callWay);
    if (bytes !== "") this.ports.write(bytes);
  }

  /** The window is the shell's again. */
  end(): void {
    if (this.title !== null) this.ports.write(TITLE_POP);
    if (this.progress !== "none") this.ports.write(PROGRESS_OFF);
    this.title = null;
    this.progress = "none";
  }
}
