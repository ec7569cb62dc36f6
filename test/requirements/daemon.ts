// What a daemon owes to those who register handlers with it and to those who look at it from elsewhere: handlers and
// their state, actions, the HTTP surface, the log stream, and the attached view.
import { table } from "./table.js";

export const daemon = table("daemon", {
  "daemon.1":
    "The surface a daemon program talks to is one typed interface, and leaving a method out does not compile.",
  "daemon.2": "The headless surface, the terminal surface and the test double pass the same conformance suite.",
  "daemon.3":
    "A tab handle reveals nothing, and a missing handle, a foreign object and another surface's handle each give an error of their own.",
  "daemon.4": "What kind a handler is follows from its methods by one ordered table that every surface uses.",
  "daemon.5": "A display handler appears in the state, with its content as the value.",
  "daemon.6": "Labels and values are asked for when the state is read, so a snapshot is never older than its request.",
  "daemon.7":
    "A handler that throws while it is read is reported in its own entry and every other entry is still there.",
  "daemon.8":
    "State entries use the published snake_case keys and come in the order in which handlers were registered.",
  "daemon.9":
    "Shortcuts travel as an ordered list of one-key objects, and a handler without any sends null and is read the same as an empty list.",
  "daemon.10": "Two handlers of the same name in different tabs are both listed and both can be reached.",
  "daemon.11":
    "An action finds its handler by name or by shortcut, minds upper and lower case, and an empty key finds nothing.",
  "daemon.12":
    "Starting an action never makes the caller wait for the handler, and what the handler throws is caught and logged.",
  "daemon.13":
    "Dispatch tells whether a handler took the key, and only an untaken key reaches the lifecycle actions start, stop, restart and quit.",
  "daemon.14": "An action that nobody knows is answered with an error that names it.",
  "daemon.15":
    "Reading state answers 204 when nothing provides it and 200 otherwise; an action answers 400, 401, 405 or 503 for a missing key, a bad token, a wrong method or no receiver.",
  "daemon.16": "An action is understood from the query string, from a form body and from a JSON body alike.",
  "daemon.17":
    "State and actions work as JSON-RPC methods too: an id comes back with the type it had, batches are answered together and notifications not at all.",
  "daemon.18":
    "MCP initialisation answers with the version asked for when it is supported, and else with the newest one that is.",
  "daemon.19":
    "Every log event has an id, a client that names the last one it saw gets only what came after, a new client may have everything, and the history is bounded.",
  "daemon.20": "A client too slow for the log loses lines instead of holding others up, and is told how many it lost.",
  "daemon.21":
    "A quiet log stream sends heartbeats, its client reconnects with growing pauses and shows no line twice.",
  "daemon.22":
    "A change of state is announced by an event with a name, and the unnamed form older daemons send is understood as well.",
  "daemon.23":
    "Every route, the log stream too, demands the bearer token, compares it in constant time, checks Host and Origin, and listens on loopback unless told otherwise.",
  "daemon.24": "The token file is readable by its owner alone, and white space around the token is ignored.",
  "daemon.25":
    "The version is served as JSON, and a daemon of the same program and another version is replaced, by a process that proved to be it; one of another program is named and left alone.",
  "daemon.26":
    "Switching projects cancels the old one, waits for its end and starts the new one, and a late clean-up of the old cannot touch what the new one owns.",
  "daemon.27":
    "A log line carries tab, handler and colour, the newest ones stay in a bounded ring, and they can be fetched by count and by handler.",
  "daemon.28":
    "A handler shows its latest message only, unless it streams or debugging is on, and a tab keeps no more than 500.",
  "daemon.29": "A message that opens a progress shows a spinner until the message that closes it.",
  "daemon.30":
    "The level of a plain message is told from its words and shown in colour, and NO_COLOR turns colour off.",
  "daemon.31":
    "An edited value shows at once in the attached view and goes back to the old one when the daemon refuses it.",
  "daemon.32":
    "An empty state from the daemon leaves the fields as they are, and shortcuts of fields that went away stop working.",
  "daemon.33":
    "An edit field moves by whole characters, scrolls sideways when its text is longer than its room, is left unchanged by Esc, and Enter sends nothing when nothing changed.",
  "daemon.34":
    "An interactive handler keeps its field open for one answer after another until it no longer waits for the person, and Esc leaves it.",
  "daemon.35": "A shortcut works from every tab, and a help tab lists all of them.",
  "daemon.36": "The attached view stays readable after a resize, in a very small terminal and with double-width text.",
  "daemon.37": "Leaving the attached view by Ctrl+C, by a signal or by a crash gives the terminal back as it was.",
  "daemon.hosted-end-first":
    "A front end that joins a long session gets its end first and what was before it in pieces that are each understood alone, nothing lost and nothing doubled.",
  "daemon.hosted-moments":
    "How long a tool of a hosted session took is the same for whoever was there and for whoever joins later.",
  "daemon.hosted-who-answered":
    "When somebody answers a question of a hosted session, every other front end that shows it closes it and says who answered.",
  "daemon.hosted-memory":
    "A daemon that is started again goes on with its sessions, and an agent that keeps its sessions on disk knows what was said before.",
  "daemon.hosted-no-orphans":
    "When a daemon is killed its agents end too, also one that does not mind that nobody writes to it any more.",
  "daemon.hosted-news":
    "Whoever looks at a daemon is told to look again when a hosted session comes, goes or gets another name.",
  "daemon.hosted-tab-active": "A handler is told once when a person elsewhere brings its tab to the front.",
  "daemon.hosted-endless-message":
    "Of a message without an end a daemon keeps the beginning and the end, says what is left out, and what it writes down can be read.",
  "daemon.hosted-slow-client":
    "A client that opens a stream and reads nothing of it costs the daemon a bounded amount of memory, however much is logged.",
});
