// The transcript viewer while it is open: it has the keys and the alternate screen, and the inline screen waits.
import type { Size } from "../../screen/frame.js";
import { FullScreen } from "../../screen/full-screen.js";
import type { ApplyTerminalEffects } from "../../screen/inline-screen.js";
import { type ViewerLook, viewerFrame } from "../../screen/viewer/viewer-frame.js";
import { viewerIntent } from "../../screen/viewer/viewer-keys.js";
import {
  openViewer,
  reduceViewer,
  type ViewerAction,
  type ViewerDocument,
  type ViewerState,
} from "../../screen/viewer/viewer-state.js";
import { keyName, typedText } from "../dialogs/key-names.js";

/** Where one begins to read, and what to look for at once; nothing when it is empty. */
export interface ReadingStart {
  readonly at: "start" | "end";
  readonly search?: string;
}

export interface ViewerPorts {
  readonly apply: ApplyTerminalEffects;
  readonly look: ViewerLook;
  readonly from: ReadingStart;
}

export class ViewerSession {
  private readonly full: FullScreen;
  private state: ViewerState;

  constructor(document: ViewerDocument, size: Size, ports: ViewerPorts) {
    this.state = begun(openViewer(document, size), ports.from);
    this.full = new FullScreen(ports.apply, size, () => viewerFrame(this.state, ports.look));
    this.full.open();
  }

  /** "closed" when the key ended it. */
  key(sequence: string): "open" | "closed" {
    const intent = viewerIntent(this.state, typedText(sequence) || (keyName(sequence) ?? "").toLowerCase());
    if (intent?.type === "close") {
      this.full.close();
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
    this.full.close();
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
