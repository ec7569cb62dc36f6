# An agent in Python, standard library only: it asks one question of every kind and tells what it got. Try it:
#   palaver conform -- python3 examples/ask-everything/agent.py
import json, sys
from itertools import count
QUESTIONS = {
    "select": {"title": "Which colour?", "options": [{"label": name, "value": name} for name in ("red", "green")]},
    "confirm": {"title": "Are you sure?"}, "input": {"title": "Your name?", "placeholder": "Ada"},
    "editor": {"title": "Your story?", "prefill": "Once upon a time"},
}
event_numbers, question_numbers = count(), count(1)

def send(**frame):
    print(json.dumps(frame), flush=True)
def event(kind, **fields):
    send(type="event", session_id="main", event_seq=next(event_numbers), event={"type": kind, **fields})
def message(kind, text):
    event(kind, message={"role": "assistant", "content": [{"type": "text", "text": text}]})

def commands():
    """The commands that have to do with a turn; the others are answered here. Ends with the input, or on quit."""
    for line in sys.stdin.buffer:
        try:
            command = json.loads(line.decode("utf-8", "replace"))
            kind, text = command["type"], command.get("text")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            send(type="error", message=f"this line is not a command: {error}")
            continue
        if kind == "ping": send(type="pong")
        elif kind == "initialize": send(type="initialized", protocol_version="2", server_capabilities={})
        elif kind == "quit": return
        elif kind == "prompt" and not isinstance(text, str): send(type="error", message="prompt: text: expected a string")
        elif kind in ("prompt", "abort", "ui_response"): yield command
        else: send(type="error", message=f"unknown command: {kind}")

def ask(inbox, method, params):
    """The answer, or None when it was cancelled or not answered; InterruptedError when the turn was aborted."""
    question = f"q{next(question_numbers)}"
    send(type="ui_request", id=question, method=method, params=params)
    for command in inbox:
        if command["type"] == "abort":
            send(type="ui_cancel", id=question, reason="aborted")
            raise InterruptedError
        if command["type"] == "prompt": send(type="error", message="a turn is running; abort it first")
        elif command.get("id") == question: return None if command.get("error") else command.get("result")
    raise SystemExit

def turn(inbox):
    said = "Let me ask you."
    event("agent_start"), message("message_start", said)
    try:
        for method, params in QUESTIONS.items():
            said += f" {method}: {ask(inbox, method, params)}."
            message("message_update", said)
    except InterruptedError: pass
    message("message_end", said), event("agent_end", messages=[])

send(type="ready", protocol_version="2", ui=True, active_session_id="main")
for command in (inbox := commands()):
    if command["type"] == "prompt": turn(inbox)
