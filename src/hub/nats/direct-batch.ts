// Reads a run of messages from a stream in one request, without a consumer. The client's own call for it keeps its subscription
// after the end, and takes an empty stream for an error.
import { createInbox, type Msg, type NatsConnection } from "@nats-io/transport-node";
import { API } from "./subjects.js";

export interface DirectMessage {
  readonly subject: string;
  readonly seq: number;
  readonly time: Date;
  readonly data: Uint8Array;
}

interface BatchRequest {
  readonly stream: string;
  readonly filter: string;
  readonly firstSeq: number;
  readonly messagesMax: number;
  /** Where this user may listen. */
  readonly inboxPrefix: string;
}

/** The longest time between two messages. */
const SILENCE_MS_MAX = 1_000;
const END_OF_BATCH = 204;
const NOTHING = 404;

/** The end is shorter than asked for. Rejects when the server falls silent, or refuses. */
export function directBatch(connection: NatsConnection, request: BatchRequest): Promise<DirectMessage[]> {
  const { stream, filter, firstSeq, messagesMax } = request;
  const inbox = createInbox(request.inboxPrefix);
  return new Promise((resolve, reject) => {
    const found: DirectMessage[] = [];
    const end = (error: Error | null) => {
      clearTimeout(timer);
      subscription.unsubscribe();
      if (error === null) resolve(found);
      else reject(error);
    };
    const take = (error: Error | null, message: Msg) => {
      timer.refresh();
      const code = message?.headers?.code ?? 0;
      if (error !== null) end(error);
      else if (code === END_OF_BATCH || code === NOTHING) end(null);
      else if (code !== 0) end(new Error(`the server of the hub refused to read: ${message.headers?.description}`));
      else found.push(messageOf(message));
    };
    // Both throw on a closed connection, before there is anything to clean up.
    const subscription = connection.subscribe(inbox, { callback: take });
    const asked = JSON.stringify({ seq: firstSeq, next_by_subj: filter, batch: messagesMax });
    connection.publish(`${API}.DIRECT.GET.${stream}`, asked, { reply: inbox });
    const timer = setTimeout(() => end(new Error("the server of the hub fell silent")), SILENCE_MS_MAX);
  });
}

function messageOf({ headers, data }: Msg): DirectMessage {
  const text = (name: string) => headers?.get(name) ?? "";
  return {
    subject: text("Nats-Subject"),
    seq: Number(text("Nats-Sequence")),
    time: new Date(text("Nats-Time-Stamp")),
    data,
  };
}
