// What gives a program away that is no agent: `bc`, an interpreter, an installer that asks for a name. It prints text where
// an agent writes frames, stands at a prompt, or complains about the greeting that was typed into it.

/** As much of what it wrote as decides. */
const KEPT_CHARS_MAX = 2_000;

/** `>>> `, `name? `, `$ `: a line without an end on standard error that asks for something. */
const PROMPT = /(?:^|\n)[^\n]{0,200}[>?$#:] $/;
const COMPLAINT = /syntax error|parse error|illegal character|unexpected token|is not defined|command not found/i;

export class PlainSigns {
  /** What it said in plain text, for those who are told why it was ended. */
  words = "";
  private standing = "";
  private stderr = "";
  private stderrAfterGreeting = "";
  private state: "listening" | "greeted" = "listening";
  private hasAnsweredInText = false;

  greeted(): void {
    this.state = "greeted";
  }

  /** A line of plain text on standard output. */
  line(text: string): void {
    this.words ||= text.trim().slice(0, 80);
    if (this.state === "greeted") this.hasAnsweredInText = true;
  }

  /** The line on standard output that has no end yet. */
  unfinishedLine(text: string): void {
    const start = text.slice(0, KEPT_CHARS_MAX).trimStart();
    this.standing = start.startsWith("{") ? "" : start;
  }

  stderrChunk(chunk: string): void {
    this.stderr = (this.stderr + chunk).slice(-KEPT_CHARS_MAX);
    if (this.state === "greeted") this.stderrAfterGreeting = (this.stderrAfterGreeting + chunk).slice(-KEPT_CHARS_MAX);
  }

  /** Whether it printed something that is no frame, so that nothing may be typed into it. */
  get hasPrinted(): boolean {
    return this.words !== "" || this.standing !== "" || PROMPT.test(this.stderr);
  }

  /** Whether it looks like no agent at all; an agent that is only slow or talkative says its first frame soon. */
  get looksPlain(): boolean {
    const isAtPrompt = this.standing !== "" || PROMPT.test(this.stderr);
    return isAtPrompt || this.hasAnsweredInText || COMPLAINT.test(this.stderrAfterGreeting);
  }

  get quoted(): string {
    return this.words || this.standing.trim().slice(0, 80);
  }
}
