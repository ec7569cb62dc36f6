// Our requests that an agent has not answered yet, and what to do with each answer: the same table on every wire that
// numbers its requests. Which request an answer belongs to is the wire's own rule.

type Sent<Answer> = { readonly name: string; readonly onAnswer: (answer: Answer) => void };

export class SentRequests<Answer, Id extends string | number> {
  private readonly idOf: (number: number) => Id;
  private readonly sent = new Map<Id, Sent<Answer>>();
  private nextNumber = 0;

  constructor(idOf: (number: number) => Id) {
    this.idOf = idOf;
  }

  /** For wires that take any text for an id. */
  static named<Answer>(): SentRequests<Answer, string> {
    return new SentRequests((number) => `palaver-${number + 1}`);
  }

  /** The id under which the request is sent. */
  add(name: string, onAnswer: (answer: Answer) => void): Id {
    const id = this.idOf(this.nextNumber++);
    this.sent.set(id, { name, onAnswer });
    return id;
  }

  has(id: Id): boolean {
    return this.sent.has(id);
  }

  /** The oldest first. */
  waiting(): { id: Id; name: string }[] {
    return [...this.sent].map(([id, { name }]) => ({ id, name }));
  }

  /** The answer is still expected, and dropped when it comes. */
  forget(id: Id): void {
    const request = this.sent.get(id);
    if (request !== undefined) this.sent.set(id, { ...request, onAnswer: () => undefined });
  }

  /** False when no such request waits. */
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
