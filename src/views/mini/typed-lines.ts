// Typed text as lines. The terminal edits a line itself, except for a secret: there it shows nothing, so that every key comes
// by itself and taking back, ending and giving up are done here.

export type TypedLine =
  | { readonly type: "line"; readonly text: string }
  /** Ctrl+D, or Ctrl+C where the terminal does not make a signal of it. */
  | { readonly type: "end" };

const LINE_UNITS_MAX = 64 * 1024;

export class TypedLines {
  private text = "";

  /** What is complete by now. `secret`: keys come raw. */
  read(chunk: string, secret: "yes" | "no"): TypedLine[] {
    const found: TypedLine[] = [];
    for (const char of chunk) {
      if (char === "\n" || char === "\r") found.push(this.take());
      else if (char === "\x04" && this.text === "") found.push({ type: "end" });
      else if (secret === "yes") this.secretKey(char, found);
      else this.add(char);
    }
    return found;
  }

  clear(): void {
    this.text = "";
  }

  private secretKey(char: string, found: TypedLine[]): void {
    if (char === "\x03" || char === "\x1b") {
      this.clear();
      found.push({ type: "end" });
    } else if (char === "\x7f" || char === "\b") this.text = Array.from(this.text).slice(0, -1).join("");
    else if (char === "\x15") this.clear();
    else if (char >= " ") this.add(char);
  }

  private add(char: string): void {
    if (this.text.length < LINE_UNITS_MAX) this.text += char;
  }

  private take(): TypedLine {
    const { text } = this;
    this.clear();
    return { type: "line", text };
  }
}
