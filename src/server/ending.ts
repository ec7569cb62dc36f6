// The end of something that can be ended from several sides at once: by a signal, by a client, by its own program. However
// often it is asked for, it happens once, and everybody can wait for it.

export interface Ending {
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  isStopping(): boolean;
  /** What has to happen last, once it is known. */
  onStop(end: () => Promise<void>): void;
}

export function createEnding(perform: (end: () => Promise<void>) => Promise<void>): Ending {
  let end: () => Promise<void> = async () => undefined;
  let running: Promise<void> | null = null;
  let settle: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    ended,
    isStopping: () => running !== null,
    onStop: (action) => {
      end = action;
    },
    stop: () => {
      running ??= perform(() => end()).finally(settle);
      return running;
    },
  };
}
