// A hub without a server, in a file: the second adapter that the tests of the hub run against.
import { FileLog, type FileLogOptions } from "../../src/hub/file-log.js";
import type { Hub, NowListener, NowSubject, OnceSubject, ShownSubject, WatchedPart } from "../../src/hub/hub.js";

export class FileHub implements Hub {
  readonly log: FileLog;
  private readonly watchers = new Set<NowListener["onNow"]>();
  private readonly shownListeners = new Map<Parameters<Hub["onShown"]>[1], string>();
  private readonly answerListeners = new Set<{ key: string; listener: (ask: string) => void }>();

  constructor(options: FileLogOptions) {
    this.log = new FileLog(options);
  }

  async put(subject: OnceSubject, body: Uint8Array): Promise<"stored" | "exists"> {
    const result = this.log.put(subject, body);
    if (subject.kind === "answer" && result === "stored") this.tellAnswer(subject);
    return result;
  }

  async get(subject: OnceSubject): Promise<Uint8Array | null> {
    return this.log.get(subject);
  }

  async nextAnswer(...given: Parameters<Hub["nextAnswer"]>): ReturnType<Hub["nextAnswer"]> {
    return this.log.nextAnswer(...given);
  }

  async set(subject: NowSubject, body: Uint8Array | null): Promise<void> {
    this.log.set(subject, body);
    for (const tell of [...this.watchers]) tell(subject, body);
  }

  async watch(listener: NowListener, of?: WatchedPart): Promise<() => void> {
    const parts = Object.entries(of ?? {});
    const tell = (subject: NowSubject, body: Uint8Array | null) => {
      if (parts.every(([name, part]) => Reflect.get(subject, name) === part)) listener.onNow(subject, body);
    };
    for (const kind of ["open", "session", "daemon"] as const) {
      for (const { subject, body } of this.log.all(kind)) tell(subject, body);
    }
    listener.onCaughtUp();
    this.watchers.add(tell);
    return () => this.watchers.delete(tell);
  }

  onAnswer(...[{ machine, daemon }, listener]: Parameters<Hub["onAnswer"]>): () => void {
    const entry = { key: `${machine}/${daemon}`, listener };
    this.answerListeners.add(entry);
    return () => this.answerListeners.delete(entry);
  }

  tellShown(subject: ShownSubject, body: Uint8Array): void {
    const to = `${subject.machine}/${subject.daemon}`;
    for (const [listener, key] of [...this.shownListeners]) if (key === to) listener(subject, body);
  }

  onShown(...[{ machine, daemon }, listener]: Parameters<Hub["onShown"]>): () => void {
    this.shownListeners.set(listener, `${machine}/${daemon}`);
    return () => this.shownListeners.delete(listener);
  }

  onConnection(): () => void {
    return () => undefined;
  }

  async ends(...[recordsMax]: Parameters<Hub["ends"]>): ReturnType<Hub["ends"]> {
    return this.log.ends(recordsMax);
  }

  async close(): Promise<void> {
    this.log.close();
  }

  private tellAnswer({ machine, daemon, ask }: Extract<OnceSubject, { kind: "answer" }>): void {
    for (const { key, listener } of [...this.answerListeners]) if (key === `${machine}/${daemon}`) listener(ask);
  }
}
