// The alternate screen as an object: opened over the inline screen for the transcript viewer and for `attach`, closed
// without a trace. The inline screen is held meanwhile; its settled lines wait.

import type { Frame, Size } from "./frame.js";
import { type FullPainted, fullPatch } from "./full-patch.js";
import type { ApplyTerminalEffects } from "./inline-screen.js";
import { ALTERNATE_ENTER, ALTERNATE_LEAVE, CURSOR_HIDE, CURSOR_SHOW, WRAP_OFF, WRAP_ON } from "./sequences.js";

export type FullView = (size: Size) => Frame;

export class FullScreen {
  private readonly apply: ApplyTerminalEffects;
  private readonly view: FullView;
  private size: Size;
  private painted: FullPainted | null = null;
  private state: "closed" | "open" = "closed";
  private terminal: "drained" | "full" = "drained";

  constructor(apply: ApplyTerminalEffects, size: Size, view: FullView) {
    this.apply = apply;
    this.size = size;
    this.view = view;
  }

  open(): void {
    if (this.state === "open") return;
    this.state = "open";
    this.painted = null;
    this.apply(ALTERNATE_ENTER + CURSOR_HIDE + WRAP_OFF);
    this.draw();
  }

  resize(size: Size): void {
    this.size = size;
    this.draw();
  }

  /** One frame, unless the terminal is still busy with the last one. */
  draw(): void {
    if (this.state === "closed" || this.terminal === "full") return;
    const { bytes, painted } = fullPatch(this.painted, this.view(this.size), this.size);
    this.painted = painted;
    if (bytes !== "") this.terminal = this.apply(bytes);
  }

  drained(): void {
    this.terminal = "drained";
    this.draw();
  }

  close(): void {
    if (this.state === "closed") return;
    this.state = "closed";
    this.apply(WRAP_ON + CURSOR_SHOW + ALTERNATE_LEAVE);
  }
}
