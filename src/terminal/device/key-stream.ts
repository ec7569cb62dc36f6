// Cuts the typed bytes into keys and pastes, with the parts that pi-tui's components expect: they compare sequences, and
// they want a paste whole, between its brackets.

import { StdinBuffer, setKittyProtocolActive } from "@earendil-works/pi-tui";

export class KeyStream {
  private readonly splitter = new StdinBuffer();

  constructor(onKey: (sequence: string) => void) {
    this.splitter.on("data", onKey);
    this.splitter.on("paste", (text) => onKey(`\x1b[200~${text}\x1b[201~`));
  }

  read(chunk: string): void {
    this.splitter.process(chunk);
  }

  /** Keys are matched differently once the terminal speaks the kitty protocol. */
  set protocol(protocol: "kitty" | "legacy") {
    setKittyProtocolActive(protocol === "kitty");
  }

  close(): void {
    this.splitter.destroy();
    setKittyProtocolActive(false);
  }
}
