// Reads a stream that may stall. An abort ends the reading at once, whatever the stream does about it, and silence beyond a
// limit is an error: a model that hangs must not hang the agent. One listener and one timer serve the whole stream, because a
// stream has very many parts.
import type { Clock } from "../../system/timers.js";
import { ModelError } from "../models/model.js";

/** Reasoning models think for minutes before the first word. */
const SILENCE_MS_MAX = 10 * 60_000;

export type StopPorts = { readonly signal: AbortSignal; readonly clock: Clock };

/** Every part until the stream ends or the signal aborts; after an abort there are none. */
export async function* untilAborted<Part>(stream: AsyncIterable<Part>, ports: StopPorts): AsyncGenerator<Part> {
  const { signal } = ports;
  if (signal.aborted) return;
  const iterator = stream[Symbol.asyncIterator]();
  const reader = new StoppableReader(iterator);
  const onAbort = () => reader.stop("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  const unwatch = watchSilence(reader, ports.clock);
  try {
    for (;;) {
      const next = await reader.next();
      if (next === "aborted" || signal.aborted) return;
      if (next === "silent") {
        throw new ModelError("network", `the model sent nothing for ${SILENCE_MS_MAX / 60_000} minutes`);
      }
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    unwatch();
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a stream that hangs would hang here too.
    void iterator.return?.()?.then(undefined, () => {});
  }
}

type Stop = "aborted" | "silent";

class StoppableReader<Part> {
  /** How many parts have come. */
  count = 0;
  readonly #iterator: AsyncIterator<Part>;
  #settle: (stop: Stop) => void = () => {};
  #stopped: Stop | null = null;

  constructor(iterator: AsyncIterator<Part>) {
    this.#iterator = iterator;
  }

  next(): Promise<IteratorResult<Part> | Stop> {
    if (this.#stopped !== null) return Promise.resolve(this.#stopped);
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#iterator.next().then((part) => {
        this.count += 1;
        resolve(part);
      }, reject);
    });
  }

  stop(why: Stop): void {
    this.#stopped ??= why;
    this.#settle(this.#stopped);
  }
}

// Looks again after each limit whether anything came meanwhile, so that silence lasts at most twice as long as it may.
function watchSilence(reader: StoppableReader<unknown>, clock: Clock): () => void {
  const closed = new AbortController();
  const watch = async () => {
    for (let before = -1; !closed.signal.aborted; ) {
      if (before === reader.count) reader.stop("silent");
      before = reader.count;
      await clock.wait(SILENCE_MS_MAX, closed.signal);
    }
  };
  void watch();
  return () => closed.abort();
}
