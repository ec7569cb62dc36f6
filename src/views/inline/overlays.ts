// What the user can open over the composer: a list to choose from, or a text in full screen. Neither is a question of the
// agent, so both take keys at once; questions wait until they are closed.
import { hostTui } from "../../terminal/component-host.js";
import { ChoiceDialog } from "../../terminal/dialogs/choice-dialog.js";
import { keyName, typedText } from "../../terminal/dialogs/key-names.js";
import type { Appearance } from "../../terminal/painter/blocks/glyphs.js";
import type { DialogFrame } from "../../terminal/painter/dialogs/dialog-frame.js";
import type { Size } from "../../terminal/painter/frame.js";
import { FullScreen } from "../../terminal/painter/full-screen.js";
import type { ApplyTerminalEffects, ScreenClock } from "../../terminal/painter/inline-screen.js";
import { viewerFrame } from "../../terminal/painter/viewer/viewer-frame.js";
import { viewerIntent } from "../../terminal/painter/viewer/viewer-keys.js";
import {
  openViewer,
  reduceViewer,
  type ViewerAction,
  type ViewerDocument,
  type ViewerState,
} from "../../terminal/painter/viewer/viewer-state.js";
import type { AppLook } from "./app-look.js";
import type { OnMoved, Option } from "./slash-runner.js";
import type { Surface } from "./surface.js";

export interface OverlayPorts {
  readonly screen: Surface;
  readonly look: AppLook;
  write(bytes: string): "drained" | "full";
}

interface Picker {
  readonly dialog: ChoiceDialog;
  readonly onChosen: (value: string) => void;
  readonly onMoved: OnMoved | undefined;
}

export class Overlays {
  private readonly ports: OverlayPorts;
  private viewer: ViewerSession | null = null;
  private picker: Picker | null = null;

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

  choose(title: string, choices: readonly Option[], onChosen: (value: string) => void, onMoved?: OnMoved): void {
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
    this.picker = { dialog, onChosen, onMoved };
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
  frame(widthCells: number, rowsMax: number): DialogFrame | null {
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

  private pick({ dialog, onChosen, onMoved }: Picker, sequence: string): void {
    const before = dialog.selected;
    const outcome = dialog.key(sequence);
    if (outcome === null && dialog.selected !== before && dialog.selected !== undefined)
      onMoved?.(String(dialog.selected));
    if (outcome === null || outcome.type === "whole" || outcome.type === "external-editor") return;
    this.picker = null;
    if (outcome.type === "answered") onChosen(String(outcome.value));
    else onMoved?.(null);
  }
}

/** Where one begins to read, and what to look for at once; nothing when it is empty. */
export interface ReadingStart {
  readonly at: "start" | "end";
  readonly search?: string;
  readonly follow?: Follow;
}

/** What is read may grow: the document of now, or null when it is the same as last time. */
export interface Follow {
  readonly clock: ScreenClock;
  document(): ViewerDocument | null;
  /** Whether a question waits for the viewer to be closed. */
  isAsking?(): boolean;
}

const LOOK_EVERY_MS = 250;

export interface ViewerPorts {
  readonly apply: ApplyTerminalEffects;
  readonly look: Appearance;
  readonly from: ReadingStart;
}

/**
 * The transcript viewer while it is open: it has the keys and the alternate screen, and the inline screen waits. What the agent
 * adds meanwhile is looked for now and then, and a page at the end: follow it.
 */
export class ViewerSession {
  private readonly full: FullScreen;
  private state: ViewerState;
  private cancelLook: (() => void) | null = null;

  constructor(document: ViewerDocument, size: Size, ports: ViewerPorts) {
    const { follow } = ports.from;
    this.state = begun(openViewer(document, size, follow === undefined ? "done" : "grows"), ports.from);
    this.full = new FullScreen(ports.apply, size, () => viewerFrame(this.state, ports.look));
    this.full.open();
    if (follow !== undefined) this.follow(follow);
  }

  /** "closed" when the key ended it. */
  key(sequence: string): "open" | "closed" {
    const intent = viewerIntent(this.state, typedText(sequence) || (keyName(sequence) ?? "").toLowerCase());
    if (intent?.type === "close") {
      this.close();
      return "closed";
    }
    if (intent !== null) this.state = reduceViewer(this.state, intent);
    this.full.draw();
    return "open";
  }

  resize(size: Size): void {
    this.state = reduceViewer(this.state, { type: "resize", size });
    this.full.resize(size);
  }

  drained(): void {
    this.full.drained();
  }

  close(): void {
    this.cancelLook?.();
    this.full.close();
  }

  private look(follow: Follow): void {
    const before = this.state;
    const waits = follow.isAsking?.() === true ? "for an answer" : "for nothing";
    const document = follow.document();
    if (waits !== before.waits) this.state = reduceViewer(this.state, { type: "agent.waits", waits });
    if (document !== null) this.state = reduceViewer(this.state, { type: "grow", document });
    if (this.state !== before) this.full.draw();
  }

  private follow(follow: Follow): void {
    this.cancelLook = follow.clock.after(LOOK_EVERY_MS, () => {
      this.look(follow);
      this.follow(follow);
    });
  }
}

function begun(state: ViewerState, { at, search = "" }: ReadingStart): ViewerState {
  if (search === "") return reduceViewer(state, { type: "go", to: at });
  const steps: readonly ViewerAction[] = [
    { type: "go", to: "start" },
    { type: "search.begin" },
    { type: "search.edit", query: search },
    { type: "search.accept" },
  ];
  return steps.reduce(reduceViewer, state);
}
