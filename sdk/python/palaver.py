"""Ask the user from Python: write an agent for Palaver (serve), or ask through its daemon (Daemon).

One file, the standard library only, Python 3.9 or newer. An agent reads and writes JSON lines; this module keeps the
protocol, and the author works on prompts:

    def on_prompt(turn: palaver.Turn) -> None:
        turn.say(f"{turn.select('Which colour?', ['red', 'green'])} it is.")
    palaver.serve("hello", on_prompt)
"""

from __future__ import annotations

import hashlib, hmac, http.client, itertools, json, os, queue, secrets, sys, threading, traceback
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, TextIO, Union, cast
from urllib.parse import urlsplit

Json = Dict[str, Any]
Choice = Union[str, Json]
LINE_CHARS_MAX = 32 * 1024 * 1024


class Aborted(Exception):
    """The user stopped the turn. It ends the turn and is not an error."""


class AskFailed(Exception):
    """No one answered: the time passed, the front end is gone, or it reported an error."""


@dataclass(frozen=True)
class Permission:
    ok: bool
    remember: bool = False
    reason: str = ""


class Asker:
    """Every kind of question, made from one call that carries it. None is a cancel; for confirm it is False."""
    has_permission = False  # Whether the front end has permission as a question of its own.

    def ask(self, method: str, params: Json, timeout_ms: Optional[float] = None) -> Any:
        raise NotImplementedError

    def select(self, title: str, options: Sequence[Choice], *, timeout_ms: Optional[float] = None, **opts: Any) -> Optional[str]:
        return cast("Optional[str]", self.ask("select", {"title": title, "options": _options(options), "opts": opts}, timeout_ms))
    def multi_select(self, title: str, options: Sequence[Choice], *, timeout_ms: Optional[float] = None, **opts: Any) -> Optional[List[str]]:
        answer = self.ask("select", {"title": title, "options": _options(options), "opts": {**opts, "multiple": True}}, timeout_ms)
        return [answer] if isinstance(answer, str) else answer
    def confirm(self, title: str, message: str = "", *, timeout_ms: Optional[float] = None, **opts: Any) -> bool:
        answer = self.ask("confirm", {"title": title, "message": message, "opts": opts}, timeout_ms)
        return answer.get("ok") is True if isinstance(answer, dict) else answer is True
    def input(self, title: str, *, placeholder: str = "", timeout_ms: Optional[float] = None, **opts: Any) -> Optional[str]:
        return cast("Optional[str]", self.ask("input", {"title": title, "placeholder": placeholder, "opts": opts}, timeout_ms))
    def editor(self, title: str, prefill: str = "", *, timeout_ms: Optional[float] = None, **opts: Any) -> Optional[str]:
        return cast("Optional[str]", self.ask("editor", {"title": title, "prefill": prefill, "opts": opts}, timeout_ms))

    def form(self, title: str, fields: Dict[str, Json], *, timeout_ms: Optional[float] = None) -> Optional[Json]:
        listed = [{"label": name, **field, "name": name} for name, field in fields.items()]
        for field in listed:
            if "options" in field: field["options"] = _options(field["options"])
        return cast("Optional[Json]", self.ask("form", {"title": title, "fields": listed}, timeout_ms))

    def files(self, title: str, folder: Optional[str] = None, *, multiple: bool = False, timeout_ms: Optional[float] = None) -> Optional[List[str]]:
        place = {} if folder is None else {"folder": folder}
        return cast("Optional[List[str]]", self.ask("files", {"title": title, **place, "opts": {"multiple": multiple}}, timeout_ms))

    def permission(self, tool: str, *, title: str = "", message: str = "", remember: bool = False, timeout_ms: Optional[float] = None, **shown: Any) -> Permission:
        """Asks before something is done. Say all of it: command, path, diff, danger; the user sees it."""
        about = str(shown.get("path") or shown.get("command") or "").split("\n")[0][:60]
        asked = {"title": title or f"{tool} {about}".strip(), "message": message}
        if self.has_permission:
            answer = self.ask("permission", {"tool": tool, **shown, **asked, "remember": remember}, timeout_ms) or {}
            return Permission(answer.get("choice") in ("once", "always"), answer.get("choice") == "always", str(answer.get("reason") or ""))
        level = {"danger_level": "danger"} if "danger" in shown else {}
        opts = {"tool": tool, **shown, **level, "allow_remember": remember, "allow_reason": True}
        answer = self.ask("confirm", {**asked, "opts": opts}, timeout_ms)
        if not isinstance(answer, dict):
            return Permission(answer is True)
        return Permission(answer.get("ok") is True, answer.get("remember") is True, str(answer.get("reason") or ""))


def _options(options: Sequence[Choice]) -> List[Json]:
    return [{"label": each, "value": each} if isinstance(each, str) else {"label": each["value"], **each} for each in options]


class Tool:
    """A tool call that was reported as begun."""

    def __init__(self, turn: "Turn", name: str, args: Any) -> None:
        self.id, self.name, self._args, self._turn, self._text = secrets.token_hex(6), name, args, turn, ""
        turn.event("tool_execution_start", tool_call_id=self.id, tool=name, arguments=args)
    def output(self, text: str) -> None:
        self._text = (self._text + text)[-64 * 1024 :]
        self._turn.event("tool_execution_update", tool_call_id=self.id, tool=self.name, arguments=self._args, output=self._text)
    def end(self, text: str, is_error: bool = False) -> None:
        """`text` is the result, and takes the place of the output so far."""
        self._turn.event("tool_execution_end", tool_call_id=self.id, tool=self.name, output={"content": [{"type": "text", "text": text}]}, is_error=is_error)


class Turn(Asker):
    """One prompt at work. Every call raises Aborted after the user has stopped it."""

    def __init__(self, agent: "_Agent", text: str) -> None:
        self.text = text
        self.messages: List[Json] = []
        self.usage: Optional[Json] = None  # What the prompt cost: input, output, cost.
        self.answers: "queue.Queue[Json]" = queue.Queue()
        self.aborted = threading.Event()
        self.asked: Optional[str] = None
        self._agent = agent
        self.has_permission = agent.has_permission
        self._said: Optional[Json] = None
        self._sent = 0
    def say(self, text: str) -> None:
        """Adds to the open message; a question or a tool call ends it."""
        self._add("text", text)
    def think(self, text: str) -> None:
        self._add("thinking", text)
    def _add(self, kind: str, text: str) -> None:
        self.check()
        if self._said is None:
            self._said, self._sent = {"role": "assistant", "content": []}, 0
            self.messages.append(self._said)
            self.event("message_start", message={"role": "assistant", "content": []})
        blocks = self._said["content"]
        if not blocks or blocks[-1]["type"] != kind: blocks.append({"type": kind, kind: ""})
        blocks[-1][kind] += text
        size = sum(len(block[block["type"]]) for block in blocks)
        if self._agent.has_deltas:
            self.event("message_delta", index=len(blocks) - 1, kind=kind, delta=text)
        elif self._sent + size <= 4096 + 8 * size:  # The whole message for every token would cost its square.
            self._sent += size
            self.event("message_update", message=self._said)
    def tool(self, name: str, args: Any = None) -> Tool:
        self.check()
        self.close()
        return Tool(self, name, {} if args is None else args)
    def notify(self, message: str, level: str = "info") -> None:
        self._show("notify", message=message, level=level)
    def status(self, key: str, text: Optional[str]) -> None:
        """A field of the status line; None removes it, as with the next two."""
        self._show("status", key=key, text=text)
    def widget(self, key: str, content: Union[str, List[str], None], placement: str = "above") -> None:
        self._show("widget", key=key, content=content, opts={"placement": placement})
    def working(self, message: Optional[str]) -> None:
        self._show("working", message=message)
    def _show(self, what: str, **params: Any) -> None:
        self._agent.send(type=f"ui_{what}", params=params, session_id="main")
    def ask(self, method: str, params: Json, timeout_ms: Optional[float] = None) -> Any:
        self.check()
        self.close()
        limit = {} if timeout_ms is None else {"timeout_ms": timeout_ms}
        self.asked = f"q{next(self._agent.question_numbers)}"
        self._agent.send(type="ui_request", id=self.asked, method=method, params=params, session_id="main", **limit)
        try:
            response = self.answers.get(timeout=None if timeout_ms is None else timeout_ms / 1000)
        except queue.Empty:
            self._agent.send(type="ui_cancel", id=self.asked, reason="timeout")
            raise AskFailed("timeout") from None
        finally:
            self.asked = None
        self.check()
        if response.get("error") is not None:
            raise AskFailed(str(response["error"]))
        return response.get("result")
    def check(self) -> None:
        if self.aborted.is_set(): raise Aborted
    def close(self) -> None:
        said, self._said = self._said, None
        if said is not None:
            self.event("message_end", message=said)
    def event(self, type_: str, **fields: Any) -> None:
        self._agent.event(type_, **fields)


class _Agent:
    def __init__(self, name: str, on_prompt: Callable[[Turn], None], output: TextIO) -> None:
        self.has_deltas = self.has_permission = False
        self.question_numbers, self._event_numbers = itertools.count(1), itertools.count()
        self._name, self._on_prompt, self._output = name, on_prompt, output
        self._lock = threading.RLock()
        self._turn: Optional[Turn] = None
    def send(self, **frame: Any) -> None:
        with self._lock:
            print(json.dumps(frame), file=self._output, flush=True)
    def event(self, type_: str, **fields: Any) -> None:
        with self._lock: self.send(type="event", session_id="main", event_seq=next(self._event_numbers), event={"type": type_, **fields})
    def run(self, lines: Any) -> None:
        self.send(type="ready", protocol_version="2", ui=True, cwd=os.getcwd(), active_session_id="main")
        for line in iter(lambda: lines.readline(LINE_CHARS_MAX + 1), b""):
            command = self._command(line, lines)
            if command is not None and command["type"] == "quit": break
            if command is not None: self._obey(command)
        self._abort("shutdown")
    def _command(self, line: bytes, lines: Any) -> Optional[Json]:
        while len(line) > LINE_CHARS_MAX and not line.endswith(b"\n"):
            line = lines.readline(LINE_CHARS_MAX + 1) or b"\n"
            if line.endswith(b"\n"): return self._refuse(-32010, "the line is over the limit")
        text = line.decode("utf-8", "replace").strip()
        if text == "": return None
        if text[0] not in "{[" and text != "null" and "\0" not in text and "\ufffd" not in text:
            return {"type": "prompt", "text": text}
        try:
            command = json.loads(text)
        except (ValueError, RecursionError) as error:
            return self._refuse(-32700, f"not valid JSON: {error}")
        if not isinstance(command, dict) or not isinstance(command.get("type"), str):
            return self._refuse(-32600, 'a command is an object with a "type"')
        return command
    def _refuse(self, code: int, message: str) -> Optional[Json]:
        self.send(type="error", code=code, message=message)
        return None
    def _obey(self, command: Json) -> None:
        kind, turn = command["type"], self._turn
        if kind == "ping": self.send(type="pong")
        elif kind == "initialize":
            can = command.get("ui_capabilities") or {}
            self.has_deltas, self.has_permission = (can.get(f"supports_{it}") is True for it in ("message_deltas", "permission"))
            abilities = {"supports_message_deltas": True, **{f"supports_{it}": False for it in ("reset", "stats", "debug")}}
            self.send(type="initialized", protocol_version="2", server={"name": self._name}, server_capabilities=abilities)
        elif kind == "abort": self._abort("aborted")
        elif kind == "ui_response":
            if turn is not None and turn.asked == command.get("id"): turn.answers.put(command)
        elif kind != "prompt": self._refuse(-32601, f"unknown command: {kind}")
        elif not isinstance(command.get("text"), str): self._refuse(-32602, "prompt: text: must be a string")
        elif turn is not None: self._refuse(-32022, "a turn is running; abort it first")
        else:
            self._turn = Turn(self, command["text"])
            threading.Thread(target=self._work, args=[self._turn], daemon=True).start()
    def _abort(self, reason: str) -> None:
        turn = self._turn
        if turn is None or turn.aborted.is_set(): return
        turn.aborted.set()
        if turn.asked is not None:
            self.send(type="ui_cancel", id=turn.asked, reason=reason)
        turn.answers.put({"error": reason})
    def _work(self, turn: Turn) -> None:
        self.event("agent_start")
        try: self._on_prompt(turn)
        except Aborted: pass
        except Exception as error:  # The turn ends, whatever the author's function does; the trace is for its author.
            traceback.print_exc()
            self.event("error", message=f"{type(error).__name__}: {error}")
        turn.close()
        with self._lock:  # So that the next agent_start comes after this agent_end.
            self._turn = None
            self.event("agent_end", messages=turn.messages, **({} if turn.usage is None else {"usage": turn.usage}))


def serve(name: str, on_prompt: Callable[[Turn], None]) -> None:
    """Runs until quit or the end of the input. What is printed goes to stderr: stdout is the protocol's."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    _Agent(name, on_prompt, output).run(sys.stdin.buffer)


class Daemon(Asker):
    """Asks the users of a daemon (`palaver serve --json` prints both arguments). An open question ends with this process."""

    def __init__(self, url: str, token_file: str) -> None:
        self._address, self._token_file = urlsplit(url).netloc, token_file

    def ask(self, method: str, params: Json, timeout_ms: Optional[float] = None) -> Any:
        with open(self._token_file, encoding="utf-8") as file:
            token = file.read().strip()
        self._prove(token)
        limit = {} if timeout_ms is None else {"timeout_ms": timeout_ms}
        body = json.dumps({"question": {"kind": method, "params": params}, "origin": {"kind": "tool", "name": "python"}, **limit})
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        with closing(http.client.HTTPConnection(self._address)) as connection:
            connection.request("POST", "/asks", body, headers)
            response = connection.getresponse()
            if response.status != 200: raise AskFailed(response.read().decode("utf-8", "replace"))
            return self._settled(response)

    def _prove(self, token: str) -> None:
        """A port outlives its daemon: whatever listens there now must know the token before it is sent."""
        nonce = secrets.token_hex(32)
        with closing(http.client.HTTPConnection(self._address, timeout=10)) as connection:
            connection.request("GET", f"/prove?nonce={nonce}")
            claims = json.loads(connection.getresponse().read())
        proved = ["palaver daemon proof", nonce, self._address.lower(), *(claims.get(key) for key in ("program", "version", "pid"))]
        text = json.dumps(proved, separators=(",", ":"), ensure_ascii=False)
        if not hmac.compare_digest(hmac.new(token.encode(), text.encode(), hashlib.sha256).hexdigest(), str(claims.get("proof"))):
            raise AskFailed(f"what listens at {self._address} is not the daemon")

    @staticmethod
    def _settled(response: http.client.HTTPResponse) -> Any:
        event = ""
        for line in iter(response.readline, b""):
            name, _, value = line.decode("utf-8").rstrip("\r\n").partition(": ")
            if name == "event": event = value
            elif name == "data" and event == "settled":
                outcome = json.loads(value)
                if outcome["kind"] not in ("answered", "cancelled"):
                    raise AskFailed("timeout" if outcome["kind"] == "expired" else outcome["kind"])
                return outcome.get("value")
        raise AskFailed("the daemon is gone")
