// Our requests that wait for an answer, by id. Matching an answer to a request is up to the wire.

type Sent<Answer> = { readonly name: string; readonly onAnswer: (answer: Answer) => void };

export class SentRequests<Answer, Id extends string | number> {
  private readonly idOf: (number: number) => Id;
  private readonly sent = new Map<Id, Sent<Answer>>();
  private nextNumber = 0;

  constructor(idOf: (number: number) => Id) {
    this.idOf = idOf;
  }

  /** Ids for wires that allow any string. */
  static named<Answer>(): SentRequests<Answer, string> {
    return new SentRequests((number) => `palaver-${number + 1}`);
  }

  /** Returns the id to send. */
  add(name: string, onAnswer: (answer: Answer) => void): Id {
    const id = this.idOf(this.nextNumber++);
    this.sent.set(id, { name, onAnswer });
    return id;
  }

  has(id: Id): boolean {
    return this.sent.has(id);
  }

  /** Oldest first. */
  waiting(): { id: Id; name: string }[] {
    return [...this.sent].map(([id, { name }]) => ({ id, name }));
  }

  /** Drops the answer when it comes. */
  forget(id: Id): void {
    const request = this.sent.get(id);
    if (request !== undefined) this.sent.set(id, { ...request, onAnswer: () => undefined });
  }

  /** False for an unknown id. */
  settle(id: Id, answer: Answer): boolean {
    const request = this.sent.get(id);
    this.sent.delete(id);
    request?.onAnswer(answer);
    return request !== undefined;
  }

  settleAll(answer: Answer): void {
    const requests = [...this.sent.values()];
    this.sent.clear();
    for (const { onAnswer } of requests) onAnswer(answer);
  }
}
