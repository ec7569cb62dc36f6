// The start of an agent on one of its earlier sessions. For the front end the agent is ready when that session is open and its
// messages have come: the agent repeats them before it answers the next command. Where it cannot resume, the session that it
// began with is used, with a notice.
//
//   ready → initialize → list_sessions → start_session → set_active_session → close_session (the first one) → ready
import { introduction } from "../../../contract/introduction.js";
import type { LinesOutput } from "../../../contract/lines-outputs.js";
import { namedAmongAll } from "../../../contract/named-session.js";
import { START_WAIT_MS } from "../dialect.js";
import type { PlainCommand } from "../dialect-base.js";
import { present } from "../frames/lenient-field.js";
import type { PendingEffects } from "../pending-effects.js";
import type { StepBuilder } from "../step-builder.js";

export type Ready = Extract<LinesOutput, { type: "ready" }>;

/** An agent that does not answer its greeting, which it should, has no sessions either. */
const INTRODUCTION_WAIT_MS = 5_000;

export interface ResumedStartPorts {
  readonly out: StepBuilder;
  readonly effects: PendingEffects<never>;
  /** The id of the session, the beginning of it, or "" for the newest of this folder. */
  readonly wanted: string;
  readonly folder: string;
  send(command: PlainCommand): void;
  /** The session is open, or another one; from now on the agent is ready. */
  begin(ready: Ready): void;
}

type Started = Extract<LinesOutput, { type: "session_started" }>;
type Reply = LinesOutput | { readonly type: "problem"; readonly message: string };

export class ResumedStart {
  private readonly ports: ResumedStartPorts;
  private readonly ready: Ready;
  private awaited: { readonly type: LinesOutput["type"]; settle(reply: Reply): void } | null = null;
  /** The answer to `initialize`, for the front end, which asks when it hears that the agent is ready. */
  introduced: Extract<LinesOutput, { type: "initialized" }> | null = null;

  constructor(ready: Ready, ports: ResumedStartPorts) {
    this.ready = ready;
    this.ports = ports;
    this.request(introduction(ready.protocol_version), "initialized", (reply) => {
      if (reply.type !== "initialized") this.begin(reasonOf(reply));
      else {
        this.introduced = reply;
        if (reply.server_capabilities.supports_sessions === true) this.list();
        else this.begin("the agent does not remember the earlier conversation");
      }
    });
  }

  /** Whether the frame answers a request of this start. */
  take(frame: LinesOutput): boolean {
    const { awaited } = this;
    if (awaited === null || (frame.type !== awaited.type && frame.type !== "error")) return false;
    awaited.settle(frame);
    return true;
  }

  private list(): void {
    const { wanted, folder } = this.ports;
    this.request({ type: "list_sessions" }, "sessions_list", (reply) => {
      const listed = reply.type === "sessions_list" ? reply.sessions : [];
      const chosen = namedAmongAll(listed, wanted, folder);
      if ("session" in chosen) this.open(chosen.session.path ?? chosen.session.id);
      else if (wanted === "" && reply.type !== "sessions_list") this.begin(reasonOf(reply));
      // It may be a file, or one that is too old for the list.
      else if (chosen.problem === null) this.open(wanted);
      else this.begin(chosen.problem);
    });
  }

  private open(file: string): void {
    this.request({ type: "start_session", session_file: file }, "session_started", (reply) => {
      if (reply.type === "session_started") this.opened(reply);
      else this.begin(reasonOf(reply));
    });
  }

  // Nothing was said in the session that the agent began with.
  private opened(started: Started): void {
    const { session_id, cwd } = started;
    this.ports.out.event({ type: "session.started", sessionId: session_id, ...present({ cwd }) });
    const first = this.ready.active_session_id ?? this.ready.primary_session_id ?? session_id;
    const begin = () => this.begin(null, started);
    this.request({ type: "set_active_session", session_id }, "active_session", () => {
      if (first === session_id) begin();
      else this.request({ type: "close_session", session_id: first }, "session_closed", begin);
    });
  }

  private begin(problem: string | null, started?: Started): void {
    const { out, begin } = this.ports;
    if (problem !== null)
      out.notice(null, "warn", `the session could not be resumed, so this is a new one: ${problem}`);
    const { commands, modes, active_session_id: first } = this.ready;
    const offers = { commands: started?.commands ?? commands, modes: started?.modes ?? modes };
    begin({ ...this.ready, ...present(offers), active_session_id: started?.session_id ?? first });
  }

  private request(command: PlainCommand, type: LinesOutput["type"], then: (reply: Reply) => void): void {
    const { effects, send } = this.ports;
    const waitMs = command.type === "initialize" ? INTRODUCTION_WAIT_MS : START_WAIT_MS;
    const message = `no answer to ${command.type} within ${waitMs / 1_000} s`;
    const timer = effects.after(waitMs, () => settle({ type: "problem", message }));
    const settle = (reply: Reply) => {
      effects.forget(timer);
      this.awaited = null;
      then(reply);
    };
    this.awaited = { type, settle };
    send(command);
  }
}

function reasonOf(reply: Reply): string {
  return "message" in reply && typeof reply.message === "string" ? reply.message : `it answered with ${reply.type}`;
}
