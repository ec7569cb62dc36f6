// The UI contract as an agent's author sees it: what each call returns, when it rejects, and what reaches the wire.
import { table } from "./table.js";

export const ui = table("design", {
  "ui.dialogs-return-values": "Select, confirm, input and editor resolve to what the person gave.",
  "ui.cancel-resolves": "A dialog the person cancels resolves, to null or for a confirm to false.",
  "ui.error-codes":
    "A dialog that fails rejects with a UiError whose code is timeout, connection_closed, server_shutdown, invalid_response or remote.",
  "ui.signals-return-at-once":
    "Notices, status, widgets, working message, title and editor text are set without waiting for anybody.",
  "ui.editor-text-cached": "The editor's text is answered from a cache, without a round trip.",
  "ui.has-ui": "An agent can ask whether anybody is there to answer.",
  "ui.context-delegates": "A Context passes every call on to the UI it wraps.",
  "ui.rpc-own-reader": "The rpc adapter reads its own stream and speaks bare objects over any pair of streams.",
  "ui.lines-pushed-responses":
    "The lines adapter learns its responses through handleResponse and reads nothing itself.",
  "ui.headless-values": "The headless adapter answers null, false and the empty string, and its notices go to a log.",
  "ui.default-timeout": "A dialog without a limit of its own gives up after 30,000 ms.",
  "ui.timeout-on-both-sides": "The caller and the wire give up on a dialog at the same moment.",
  "ui.abort-signal": "An AbortSignal ends a dialog and withdraws it from the other side.",
  "ui.internal-options-stripped": "Options internal to this side never reach the wire.",
  "ui.options-are-an-object": "The options of a dialog always travel as an object, also when there are none.",
});
