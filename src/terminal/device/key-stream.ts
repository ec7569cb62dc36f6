// Splits typed bytes into keys and bracketed pastes, as pi-tui's components expect them.
import { StdinBuffer, setKittyProtocolActive } from "@earendil-works/pi-tui";

export class KeyStream {
  private readonly splitter = new StdinBuffer();
  readonly read: (chunk: string) => void = this.splitter.process.bind(this.splitter);

  constructor(onKey: (sequence: string) => void) {
    this.splitter.on("data", onKey);
    this.splitter.on("paste", (text) => onKey(`\x1b[200~${text}\x1b[201~`));
  }

  /** pi-tui matches keys differently under the kitty protocol. */
  set protocol(protocol: "kitty" | "legacy") {
    setKittyProtocolActive(protocol === "kitty");
  }

  close(): void {
    this.splitter.destroy();
    setKittyProtocolActive(false);
  }
}
