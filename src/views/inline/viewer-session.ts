// The transcript viewer while it is open: it has the keys and the alternate screen, and the inline screen waits. What the
// agent adds meanwhile is looked for now and then, and a page at the end follows it.

import { keyName, typedText } from "../../terminal/dialogs/key-names.js";
import type { Appearance } from "../../terminal/painter/blocks/glyphs.js";
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
