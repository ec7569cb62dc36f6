// Signs that a program is no agent, such as `bc`, an interpreter or an installer: it prints text instead of frames, shows a
// prompt, or complains about the greeting.

/** How much output is examined. */
const KEPT_CHARS_MAX = 2_000;

/** `>>> `, `name? `, `$ `: an unfinished line on stderr that asks for input. */
const PROMPT = /(?:^|\n)[^\n]{0,200}[>?$#:] $/;
const COMPLAINT = /syntax error|parse error|illegal character|unexpected token|is not defined|command not found/i;

export class PlainSigns {
  /** The first text line, quoted in the message. */
  words = "";
  private standing = "";
  private stderr = "";
  private stderrAfterGreeting = "";
  private state: "listening" | "greeted" = "listening";
  private hasAnsweredInText = false;

  greeted(): void {
    this.state = "greeted";
  }

  /** A text line on stdout. */
  line(text: string): void {
    this.words ||= text.trim().slice(0, 80);
    if (this.state === "greeted") this.hasAnsweredInText = true;
  }

  /** The unfinished line on stdout. */
  unfinishedLine(text: string): void {
    const start = text.slice(0, KEPT_CHARS_MAX).trimStart();
    this.standing = start.startsWith("{") ? "" : start;
  }

  stderrChunk(chunk: string): void {
    this.stderr = (this.stderr + chunk).slice(-KEPT_CHARS_MAX);
    if (this.state === "greeted") this.stderrAfterGreeting = (this.stderrAfterGreeting + chunk).slice(-KEPT_CHARS_MAX);
  }

  /** Text was printed, so nothing may be typed into the program. */
  get hasPrinted(): boolean {
    return this.words !== "" || this.standing !== "" || PROMPT.test(this.stderr);
  }

  /** It looks like no agent; a slow or talkative agent writes a frame soon. */
  get looksPlain(): boolean {
    const isAtPrompt = this.standing !== "" || PROMPT.test(this.stderr);
    return isAtPrompt || this.hasAnsweredInText || COMPLAINT.test(this.stderrAfterGreeting);
  }

  get quoted(): string {
    return this.words || this.standing.trim().slice(0, 80);
  }
}
