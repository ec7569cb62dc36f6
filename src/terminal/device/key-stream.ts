// Splits typed bytes into keys and bracketed pastes, as pi-tui's components expect them.
import { StdinBuffer, setKittyProtocolActive } from "@earendil-works/pi-tui";

/** "more": another key came with this one, and is taken right after it. */
export type KeyPlace = "last" | "more";

export class KeyStream {
  private readonly splitter = new StdinBuffer();
  private readonly onKey: (sequence: string, place: KeyPlace) => void;
  /** The keys of a chunk, while it is split. */
  private together: string[] | null = null;
  private isClosed = false;

  constructor(onKey: (sequence: string, place: KeyPlace) => void) {
    this.onKey = onKey;
    this.splitter.on("data", (sequence) => this.take(sequence));
    this.splitter.on("paste", (text) => this.take(`\x1b[200~${text}\x1b[201~`));
  }

  readonly read = (chunk: string): void => {
    const together: string[] = [];
    this.together = together;
    this.splitter.process(chunk);
    this.together = null;
    for (const [at, sequence] of together.entries()) {
      if (!this.isClosed) this.onKey(sequence, at < together.length - 1 ? "more" : "last");
    }
  };

  private take(sequence: string): void {
    if (this.together === null) this.onKey(sequence, "last");
    else this.together.push(sequence);
  }

  /** pi-tui matches keys differently under the kitty protocol. */
  set protocol(protocol: "kitty" | "legacy") {
    setKittyProtocolActive(protocol === "kitty");
  }

  close(): void {
    this.isClosed = true;
    this.splitter.destroy();
    setKittyProtocolActive(false);
  }
}
