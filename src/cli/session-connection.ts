// How a command reaches the sessions and asks of a daemon, and what it says when there is none.
import { createSessionClient, type SessionClient } from "../server/sessions/session-client.js";
import { addressOf, type DaemonChoice, inWords, noDaemon } from "./daemon-connection.js";

/** Does one thing with the daemon; what goes wrong on the way becomes a sentence. */
export async function withSessions<Result>(
  choice: DaemonChoice,
  work: (client: SessionClient) => Promise<Result>,
): Promise<Result> {
  const address = await addressOf(choice);
  if (address === null) throw new Error(noDaemon(choice));
  try {
    return await work(createSessionClient(address));
  } catch (error) {
    throw inWords(error, address.url);
  }
}
