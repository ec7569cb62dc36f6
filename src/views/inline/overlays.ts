// What may lie over the composer because the person wished for it: a list to choose from, or something to read on the full
// screen. Neither is a question of the agent's, so both have the keys at once; questions wait until they are gone.

import { hostTui } from "../../terminal/component-host.js";
import { ChoiceDialog } from "../../terminal/dialogs/choice-dialog.js";
import type { Frame, Size } from "../../terminal/painter/frame.js";
import type { ViewerDocument } from "../../terminal/painter/viewer/viewer-state.js";
import type { AppLook } from "./app-look.js";
import type { Option } from "./slash-runner.js";
import type { Surface } from "./surface.js";
import { type ReadingStart, ViewerSession } from "./viewer-session.js";

export interface OverlayPorts {
  readonly screen: Surface;
  readonly look: AppLook;
  write(bytes: string): "drained" | "full";
}

export class Overlays {
  private readonly ports: OverlayPorts;
  private viewer: ViewerSession | null = null;
  private picker: { readonly dialog: ChoiceDialog; readonly onChosen: (value: string) => void } | null = null;

  constructor(ports: OverlayPorts) {
    this.ports = ports;
  }

  /** Whether one of them has the keys. */
  get isOpen(): boolean {
    return this.viewer !== null || this.picker !== null;
  }

  get isReading(): boolean {
    return this.viewer !== null;
  }

  choose(title: string, choices: readonly Option[], onChosen: (value: string) => void): void {
    const { look, screen } = this.ports;
    const dialog = new ChoiceDialog({
      head: { title, message: "", danger: "normal" },
      choices,
      cursor: Math.max(
        0,
        choices.findIndex(({ isNow }) => isNow === true),
      ),
      parts: {
        look,
        tui: hostTui({ size: () => screen.size, onRenderWanted: () => undefined }),
        aside: () => "",
      },
    });
    this.picker = { dialog, onChosen };
  }

  /** On the alternate screen; what comes meanwhile waits for the scrollback. */
  read(document: ViewerDocument, from: ReadingStart): void {
    if (this.viewer !== null) return;
    const { screen, look } = this.ports;
    screen.hold();
    this.viewer = new ViewerSession(document, screen.size, {
      apply: (bytes) => this.ports.write(bytes),
      look,
      from,
    });
  }

  key(sequence: string): void {
    if (this.viewer !== null) {
      if (this.viewer.key(sequence) === "closed") this.closeViewer();
    } else if (this.picker !== null) this.pick(this.picker, sequence);
  }

  /** The rows of the list; null when there is none. */
  frame(widthCells: number, rowsMax: number): Frame | null {
    return this.picker?.dialog.frame(widthCells, rowsMax) ?? null;
  }

  resize(size: Size): void {
    this.viewer?.resize(size);
  }

  drained(): void {
    this.viewer?.drained();
  }

  close(): void {
    this.picker = null;
    if (this.viewer !== null) this.closeViewer();
  }

  private closeViewer(): void {
    this.viewer?.close();
    this.viewer = null;
    this.ports.screen.release();
  }

  private pick({ dialog, onChosen }: NonNullable<typeof this.picker>, sequence: string): void {
    const outcome = dialog.key(sequence);
    if (outcome === null || outcome.type === "whole" || outcome.type === "external-editor") return;
    this.picker = null;
    if (outcome.type === "answered") onChosen(String(outcome.value));
  }
}
