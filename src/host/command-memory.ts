// What became of commands that named themselves. A front end whose connection broke sends its command again under the same
// name, and gets the same answer without the command being carried out twice.

export interface CommandAnswer {
  readonly status: number;
  readonly body: unknown;
}

const REMEMBERED_MAX = 2_000;

export class CommandMemory {
  private readonly answers = new Map<string, Promise<CommandAnswer>>();

  /** Carries it out, unless that was done under this name before. Without a name it is carried out every time. */
  once(name: string | null, perform: () => Promise<CommandAnswer>): Promise<CommandAnswer> {
    if (name === null) return perform();
    const known = this.answers.get(name);
    if (known !== undefined) return known;
    const answer = perform();
    this.answers.set(name, answer);
    const oldest = this.answers.keys().next().value;
    if (this.answers.size > REMEMBERED_MAX && oldest !== undefined) this.answers.delete(oldest);
    return answer;
  }
}
