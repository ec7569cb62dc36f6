// Two chapters about more than one thing at a time: a prompt in the middle of a turn, and several sessions.
import { answer, type Prompts, said } from "./chapters.js";
import type { Conversation } from "./conversation.js";
import type { Verdicts } from "./verdicts.js";

/** The second prompt is sent with the first sign of the turn: it is refused, or runs afterwards. */
export async function promptingTwice(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  let ends = 0;
  let errors = 0;
  let sent = false;
  agent.send({ type: "prompt", text: prompts.asking });
  while (ends + errors < 2) {
    const next = await agent.next();
    if (typeof next === "string") {
      const seen = `${ends} agent_end and ${errors} errors for two prompts`;
      verdicts.fail("prompt-in-turn", `after a second prompt in the turn: ${seen}, then ${said(next, agent)}`);
      return;
    }
    if (next.type === "error") errors += 1;
    if (next.type === "event" && next.event.type === "agent_end") ends += 1;
    if (!sent && (next.type === "event" || next.type === "ui_request")) {
      sent = true;
      agent.send({ type: "prompt", text: prompts.plain });
    }
    if (next.type === "ui_request") answer(agent, next);
  }
  verdicts.hold("prompt-in-turn");
}

export async function playingSessions(agent: Conversation, verdicts: Verdicts): Promise<void> {
  agent.send({ type: "initialize", protocol_version: "2", client: { name: "palaver conform" } });
  const introduced = await agent.until(["initialized", "error"]);
  const can = typeof introduced !== "string" && introduced.type === "initialized" ? introduced.server_capabilities : {};
  if (can.supports_sessions !== true) {
    verdicts.note("sessions", "the agent does not claim supports_sessions");
    return;
  }
  agent.send({ type: "start_session" });
  const started = await agent.until(["session_started", "error"]);
  if (typeof started === "string" || started.type !== "session_started") {
    verdicts.fail("sessions", `start_session was answered by ${said(started, agent)}`);
    return;
  }
  const { session_id } = started;
  agent.send({ type: "list_running_sessions" });
  const listed = await agent.until(["running_sessions", "error"]);
  const isListed =
    typeof listed !== "string" &&
    listed.type === "running_sessions" &&
    listed.sessions.some((session) => session.session_id === session_id);
  verdicts.check("sessions", isListed, `running_sessions does not have the new session ${session_id}`);
  agent.send({ type: "close_session", session_id });
  const closed = await agent.until(["session_closed", "error"]);
  const isClosed = typeof closed !== "string" && closed.type === "session_closed";
  verdicts.check("sessions", isClosed, `close_session was answered by ${said(closed, agent)}`);
}
