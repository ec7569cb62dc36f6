// What lies between a program and its terminal: bytes that were written but not read yet. A slow terminal lets them pile up
// and hears them in pieces that end anywhere.

/** More unread bytes than this, and the program is told that the terminal is full. */
const UNREAD_UNITS_MAX = 300;

export class Pipe {
  pace: "slow" | "fast" = "fast";
  private unread = "";
  private isRoomOwed = false;

  write(bytes: string): "drained" | "full" {
    this.unread += bytes;
    if (this.pace === "fast" || this.unread.length <= UNREAD_UNITS_MAX) return "drained";
    this.isRoomOwed = true;
    return "full";
  }

  /** Everything was read, and the program knows it. */
  get isQuiet(): boolean {
    return this.isEmpty && !this.isRoomOwed;
  }

  get isEmpty(): boolean {
    return this.unread === "";
  }

  /** The next bytes, not more than asked for. */
  take(units: number): string {
    const taken = this.unread.slice(0, units);
    this.unread = this.unread.slice(units);
    return taken;
  }

  /** Whether the program waits for the news that there is room again; asking answers it. */
  takeNewsOfRoom(): "room again" | "nothing new" {
    if (!this.isRoomOwed || !this.isEmpty) return "nothing new";
    this.isRoomOwed = false;
    return "room again";
  }
}
