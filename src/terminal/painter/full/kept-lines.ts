// The end of the transcript, kept to be shown again: settled lines in their order, the oldest given up when there are too
// many. The terminal's own scrollback gets every line whatever is given up here.

/** About eight megabytes at most; whoever wants to read further back has the viewer and the scrollback. */
const KEPT_LINES_MAX = 20_000;
const KEPT_UNITS_MAX = 4 * 1024 * 1024;
/** So many lines more may pile up before the list is cut, so that a line costs the same however many are kept. */
const SLACK_LINES = 2_000;

export class KeptLines {
  readonly lines: string[] = [];
  private units = 0;

  /** How many old lines had to go for these. */
  add(lines: readonly string[]): number {
    for (const line of lines) {
      this.lines.push(line);
      this.units += line.length;
    }
    const isOver = this.lines.length > KEPT_LINES_MAX + SLACK_LINES || this.units > KEPT_UNITS_MAX;
    return isOver ? this.cut() : 0;
  }

  private cut(): number {
    let count = Math.max(0, this.lines.length - KEPT_LINES_MAX);
    let units = this.units;
    for (let at = 0; at < count; at += 1) units -= this.lines[at]?.length ?? 0;
    // A little below the maximum, for the same reason as the slack above. The last line always stays.
    for (; units > (KEPT_UNITS_MAX * 3) / 4 && count < this.lines.length - 1; count += 1) {
      units -= this.lines[count]?.length ?? 0;
    }
    this.lines.splice(0, count);
    this.units = units;
    return count;
  }
}
