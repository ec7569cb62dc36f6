// A terminal that can be looked into: a real pty whose output is recorded, counted and read by an emulator without a
// window. What the emulator answers to queries goes back to the program, as in a real terminal.
import pty from "@lydell/node-pty";
import unicode11 from "@xterm/addon-unicode11";
import headless from "@xterm/headless";
import { countDamage } from "./damage.mjs";
import { shellHistory } from "./judge.mjs";

const COLUMNS = 100;
const ROWS = 30;
const SCROLLBACK_ROWS = 250_000;
const LOOK_EVERY_MS = 15;
const UNREAD_BYTES_MAX = 64 * 1024;

export class WatchedTerminal {
  bytes = 0;
  chunks = [];
  damage;
  startedAtMs;
  exited;
  #emulator;
  #pty;
  #unreadChunks = 0;
  #unreadBytes = 0;
  #lastChunkAtMs = 0;
  #onRead = new Set();
  #isAlive = true;

  constructor({ file, args, env }) {
    this.#emulator = new headless.Terminal({
      cols: COLUMNS,
      rows: ROWS,
      scrollback: SCROLLBACK_ROWS,
      allowProposedApi: true,
    });
    this.#emulator.loadAddon(new unicode11.Unicode11Addon());
    this.#emulator.unicode.activeVersion = "11";
    this.#emulator.write(`${shellHistory().join("\r\n")}\r\n`);
    this.damage = countDamage(this.#emulator);
    this.startedAtMs = performance.now();
    this.#lastChunkAtMs = this.startedAtMs;
    this.#pty = pty.spawn(file, args, { name: "xterm-256color", cols: COLUMNS, rows: ROWS, env, encoding: null });
    this.#pty.onData((chunk) => this.#take(chunk));
    this.#emulator.onData((reply) => this.type(reply));
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => {
        this.#isAlive = false;
        resolve(signal ? `signal ${signal}` : `code ${exitCode}`);
      });
    });
  }

  #take(chunk) {
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    this.#lastChunkAtMs = performance.now();
    this.#unreadChunks += 1;
    this.#unreadBytes += chunk.length;
    // A terminal reads no more than it can show: what it has not taken waits in the pty, and the program with it.
    if (this.#unreadBytes > UNREAD_BYTES_MAX) this.#pty.pause();
    this.#emulator.write(chunk, () => {
      this.#unreadChunks -= 1;
      this.#unreadBytes -= chunk.length;
      if (this.#unreadBytes <= UNREAD_BYTES_MAX / 2) this.#pty.resume();
      for (const look of this.#onRead) look();
    });
  }

  get pid() {
    return this.#pty.pid;
  }

  /** Counts from here on. */
  startCounting() {
    this.bytes = 0;
    this.chunks = [];
    this.damage.reset();
  }

  type(keys) {
    if (this.#isAlive) this.#pty.write(keys);
  }

  /** The grid changes first and the program learns of it afterwards, as in a window that is dragged. */
  resize(columns, rows) {
    this.#emulator.resize(columns, rows);
    if (this.#isAlive) this.#pty.resize(columns, rows);
  }

  restoreSize() {
    this.resize(COLUMNS, ROWS);
  }

  allRows() {
    const buffer = this.#emulator.buffer.normal;
    return Array.from({ length: buffer.length }, (_, index) => buffer.getLine(index).translateToString(true));
  }

  shownRows() {
    const buffer = this.#emulator.buffer.active;
    return Array.from({ length: this.#emulator.rows }, (_, index) =>
      buffer.getLine(buffer.baseY + index).translateToString(true),
    );
  }

  /** Resolves with the moment at which the screen first looked so, or undefined after the limit. */
  waitUntil(looksSo, limitMs) {
    return new Promise((resolve) => {
      const end = (moment) => {
        clearTimeout(timer);
        this.#onRead.delete(look);
        resolve(moment);
      };
      const look = () => {
        if (looksSo(this.shownRows())) end(performance.now());
      };
      const timer = setTimeout(end, limitMs, undefined);
      this.#onRead.add(look);
      look();
    });
  }

  /** Waits until nothing has come for a while and everything that came was read. */
  async waitForQuiet(quietMs, limitMs = 90_000) {
    const untilMs = performance.now() + limitMs;
    while (performance.now() < untilMs) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      if (this.#unreadChunks === 0 && performance.now() - this.#lastChunkAtMs >= quietMs) return;
    }
    throw new Error("the terminal never came to rest");
  }

  /** Ends the program and all that it started: on a pty it leads a process group of its own. */
  end() {
    if (!this.#isAlive) return;
    try {
      process.kill(-this.#pty.pid, "SIGKILL");
    } catch {
      // It ended between the question and the signal.
    }
  }

  dispose() {
    this.end();
    this.#emulator.dispose();
  }
}
