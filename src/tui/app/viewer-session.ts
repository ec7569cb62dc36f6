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

export interface ViewerPorts {
  readonly apply: ApplyTerminalEffects;
  readonly look: ViewerLook;
  /** What to look for at once; nothing when it is empty. */
  readonly search: string;
}

export class ViewerSession {
  private readonly full: FullScreen;
  private state: ViewerState;

  constructor(document: ViewerDocument, size: Size, ports: ViewerPorts) {
    this.state = searched(openViewer(document, size), ports.search);
    this.full = new FullScreen(ports.apply, size, () => viewerFrame(this.state, ports.look));
    this.full.open();
  }

  /** "closed" when the key ended it. */
  key(sequence: string): "open" | "closed" {
    const intent = viewerIntent(this.state, typedText(sequence) || keyName(sequence) || "");
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

function searched(state: ViewerState, words: string): ViewerState {
  if (words === "") return state;
  const steps: readonly ViewerAction[] = [
    { type: "go", to: "start" },
    { type: "search.begin" },
    { type: "search.edit", query: words },
    { type: "search.accept" },
  ];
  return steps.reduce(reduceViewer, state);
}
