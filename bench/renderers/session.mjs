// One renderer at work: its process in a watched terminal, and a socket beside the pty over which it is told what to do.
// A session ends within its time limit whatever the renderer does; then its process group is ended by its id.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STATUS_MARK } from "./marks.mjs";
import { readMessages, sendMessage } from "./messages.mjs";
import { WatchedTerminal } from "./watched-terminal.mjs";

const READY_LIMIT_MS = 20_000;
const WORDS_MAX = 160;
const child = join(import.meta.dirname, "child.mjs");

/** Opens a session, lets `work` use it, and closes it in any case. */
export async function withSession(renderer, options, work) {
  const session = new Session(renderer, options);
  try {
    await session.ready(READY_LIMIT_MS);
    return await Promise.race([work(session), session.failed]);
  } finally {
    session.close();
  }
}

/** How long Node alone takes to show a word in the same terminal: the floor of every first frame. */
export async function bareFirstFrameMs(node) {
  const args = ["-e", `process.stdout.write("${STATUS_MARK}")`];
  const terminal = new WatchedTerminal({ file: node, args, env: environment({}) });
  try {
    return await firstFrameMs(terminal);
  } finally {
    terminal.dispose();
  }
}

class Session {
  terminal;
  caps;
  meta;
  firstFrame;
  failed;
  #fail;
  #folder = mkdtempSync(join(tmpdir(), "palaver-bench-"));
  #server;
  #socket;
  #answers = new Map();
  #lastId = 0;
  #limit;
  #ready;

  constructor(renderer, { env = {}, limitMs }) {
    this.failed = new Promise((_, reject) => {
      this.#fail = (reason) => reject(new Error(reason));
    });
    this.failed.catch(() => {});
    const path = join(this.#folder, "socket");
    this.#ready = new Promise((resolve) => {
      this.#server = createServer((socket) => this.#connect(socket, resolve)).listen(path);
    });
    this.terminal = new WatchedTerminal({
      file: renderer.node,
      args: [...renderer.flags, child, renderer.adapter, path],
      env: environment({ ...renderer.env, ...env }),
    });
    this.firstFrame = firstFrameMs(this.terminal);
    this.firstFrame.catch(() => {});
    this.#limit = setTimeout(() => this.#fail(`took longer than ${limitMs / 1000} s`), limitMs);
    this.terminal.exited.then((how) => this.#fail(`ended with ${how}: ${this.#lastWords()}`));
  }

  async ready(limitMs) {
    const timer = setTimeout(() => this.#fail(`was not ready in ${limitMs / 1000} s: ${this.#lastWords()}`), limitMs);
    try {
      const { caps, meta } = await Promise.race([this.#ready, this.failed]);
      Object.assign(this, { caps, meta });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Tells the renderer's process to do something and resolves with what it measured. */
  command(name, parameters = {}) {
    this.#lastId += 1;
    sendMessage(this.#socket, { id: this.#lastId, name, parameters });
    const answer = new Promise((resolve, reject) => this.#answers.set(this.#lastId, { resolve, reject }));
    return Promise.race([answer, this.failed]);
  }

  close() {
    clearTimeout(this.#limit);
    this.terminal.dispose();
    this.#socket?.destroy();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #connect(socket, ready) {
    this.#socket = socket;
    socket.on("error", () => {});
    readMessages(socket, (message) => {
      if (message.caps !== undefined) ready(message);
      else if (message.id === undefined) this.#fail(message.error);
      else this.#settle(message);
    });
  }

  #settle({ id, result, error }) {
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(error));
  }

  // The line that names an error, or whatever was said last.
  #lastWords() {
    const text = Buffer.concat(this.terminal.chunks.slice(-5)).toString();
    const lines = text
      .replace(/\x1b\[[\d;?]*[A-Za-z]/g, "")
      .split(/[\r\n]+/)
      .filter((line) => line.trim() !== "");
    return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "it said nothing").trim().slice(0, WORDS_MAX);
  }
}

async function firstFrameMs(terminal) {
  const seen = await terminal.waitUntil((rows) => rows.some((row) => row.includes(STATUS_MARK)), READY_LIMIT_MS);
  if (seen === undefined) throw new Error("showed no first frame");
  return seen - terminal.startedAtMs;
}

// A renderer behaves differently where it thinks nobody watches, so what says so is taken out.
function environment(more) {
  const { CI, FORCE_COLOR, NO_COLOR, NODE_OPTIONS, TERM_PROGRAM, TMUX, ...env } = process.env;
  return { ...env, TERM: "xterm-256color", COLORTERM: "truecolor", ...more };
}
