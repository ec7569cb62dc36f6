// The agent's end of a JSON-RPC connection on stdin and stdout, for the agent that plays in our tests. It is written apart
// from the one in wire/ on purpose: two ends by one hand would agree on the same mistakes.
export type Frame = Readonly<Record<string, unknown>>;

export class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Handlers {
  request(method: string, params: Frame): Promise<unknown>;
  notification(method: string, params: Frame): void;
}

export class RpcSide {
  private readonly writeLine: (line: string) => void;
  private readonly handlers: Handlers;
  private readonly waiting = new Map<number, { resolve(value: Frame): void; reject(error: RpcError): void }>();
  private rest = "";
  private nextId = 0;

  constructor(writeLine: (line: string) => void, handlers: Handlers) {
    this.writeLine = writeLine;
    this.handlers = handlers;
  }

  push(chunk: string): void {
    const lines = (this.rest + chunk).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") this.take(JSON.parse(line) as Frame);
  }

  raw(line: string): void {
    this.writeLine(line);
  }

  notify(method: string, params: Frame): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  request(method: string, params: Frame): Promise<Frame> {
    return this.requestWithId(method, params).answer;
  }

  requestWithId(method: string, params: Frame): { id: number; answer: Promise<Frame> } {
    const id = this.nextId++;
    const answer = new Promise<Frame>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.send({ jsonrpc: "2.0", id, method, params });
    return { id, answer };
  }

  private take(frame: Frame): void {
    const params = (frame["params"] ?? {}) as Frame;
    const { method, id } = frame;
    if (typeof method === "string" && id !== undefined) void this.answer(id, method, params);
    else if (typeof method === "string") this.handlers.notification(method, params);
    else this.settle(Number(id), frame);
  }

  private settle(id: number, frame: Frame): void {
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    const error = frame["error"] as { code: number; message: string } | undefined;
    if (error === undefined) waiter?.resolve((frame["result"] ?? {}) as Frame);
    else waiter?.reject(new RpcError(error.code, error.message));
  }

  private async answer(id: unknown, method: string, params: Frame): Promise<void> {
    try {
      this.send({ jsonrpc: "2.0", id, result: (await this.handlers.request(method, params)) ?? {} });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32603;
      const message = error instanceof Error ? error.message : String(error);
      this.send({ jsonrpc: "2.0", id, error: { code, message } });
    }
  }

  private send(frame: Frame): void {
    this.writeLine(JSON.stringify(frame));
  }
}
