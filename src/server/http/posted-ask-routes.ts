// Questions that programs of the project leave here because nobody sits in front of them. The answer comes on the response to
// the request itself, so that there is nothing to clean up: when the connection is gone, so is the question.
import { randomBytes } from "node:crypto";
import type { AskOutcome, WithdrawReason } from "../../contract/asks.js";
import { type PostedAskParams, postedAskParamsSchema, settledEventSchema } from "../../contract/posted-asks.js";
import type { AskRegistry } from "../../host/asks/ask-registry.js";
import { withDanger } from "../../session/permission/dangerous-ask.js";
import { realTimers, type Timers } from "../../system/timers.js";
import { readJsonBody } from "./json-body.js";
import type { RouteGroup } from "./route.js";

export interface PostedAskPorts {
  readonly board: Pick<AskRegistry, "ask" | "withdraw" | "nowMs">;
  readonly timers?: Timers;
  readonly heartbeatMs?: number;
}

const HEARTBEAT_MS = 15_000;

export function postedAskRoutes(ports: PostedAskPorts): RouteGroup {
  return [
    {
      method: "POST",
      path: "/asks",
      summary: "Ask whoever looks at this daemon; the answer comes on the stream, and who hangs up takes the ask back",
      body: { schema: postedAskParamsSchema, contentTypes: ["application/json"], required: true },
      answers: {
        200: {
          description: "The events asked and settled",
          contentType: "text/event-stream",
          schema: settledEventSchema,
        },
        413: { description: "The body is too large" },
      },
      async handle(request) {
        const params = await readJsonBody(request, postedAskParamsSchema);
        const posted = new PostedAsk(params, ports);
        request.signal.addEventListener("abort", () => posted.takeBack("disconnected"), { once: true });
        return new Response(posted.stream(), {
          // Said outright, the adapter sends the head at once instead of waiting for the answer.
          headers: { "content-type": "text/event-stream", "transfer-encoding": "chunked", "x-accel-buffering": "no" },
        });
      },
    },
  ];
}

class PostedAsk {
  private readonly id = `p${randomBytes(4).toString("hex")}`;
  private readonly ports: PostedAskPorts;
  private readonly settled: Promise<AskOutcome>;
  private cancelBeat: () => void = () => undefined;

  constructor({ question, origin, timeout_ms }: PostedAskParams, ports: PostedAskPorts) {
    this.ports = ports;
    const deadlineMs = timeout_ms === undefined ? null : this.nowMs + timeout_ms;
    const about = { id: this.id, sessionId: null, turnId: null, origin: origin ?? ({ kind: "agent" } as const) };
    this.settled = ports.board.ask(withDanger({ ...about, question, deadlineMs }, { folder: process.cwd() }));
  }

  takeBack(reason: WithdrawReason): void {
    this.ports.board.withdraw({ type: "withdraw", askId: this.id, reason, atMs: this.nowMs });
  }

  stream(): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream({
      start: (controller) => {
        const say = (text: string) => controller.enqueue(encoder.encode(text));
        say(event("asked", { id: this.id }));
        // Nothing is piled up for somebody who does not read.
        this.beat(() => (controller.desiredSize ?? 0) > 0 && say(": waiting\n\n"));
        void this.settled.then((outcome) => {
          this.cancelBeat();
          try {
            say(event("settled", outcome));
            controller.close();
          } catch {
            // The connection was gone first, and that is why it was settled.
          }
        });
      },
      cancel: () => this.takeBack("disconnected"),
    });
  }

  private get nowMs(): number {
    return this.ports.board.nowMs();
  }

  private beat(say: () => void): void {
    const { timers = realTimers, heartbeatMs = HEARTBEAT_MS } = this.ports;
    this.cancelBeat = timers.after(heartbeatMs, () => {
      say();
      this.beat(say);
    });
  }
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
