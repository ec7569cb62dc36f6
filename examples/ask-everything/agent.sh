#!/bin/sh
# An agent in POSIX shell: it asks one question of every kind and tells what it got. Try it:
#   palaver conform -- sh examples/ask-everything/agent.sh
# Palaver writes `type` first in every command, so a pattern is enough to read it; `\042` is a double quote.
seq=0 asked=0

fail() { printf '{"type":"error","message":"%s"}\n' "$1"; }

type_of() { printf '%s' "$1" | LC_ALL=C sed -n 's/^{"type":"\([a-z_]*\)".*}$/\1/p'; }

event() { # type, fields
  printf '{"type":"event","session_id":"main","event_seq":%d,"event":{"type":"%s"%s}}\n' "$seq" "$1" "$2"
  seq=$((seq + 1))
}

message() { event "$1" ',"message":{"role":"assistant","content":[{"type":"text","text":"'"$said"'"}]}'; }

other() { # whatever is no prompt and no answer
  case $(type_of "$1") in
    ping) echo '{"type":"pong"}' ;;
    initialize) echo '{"type":"initialized","protocol_version":"2","server_capabilities":{}}' ;;
    quit) exit 0 ;;
    prompt) fail "a turn is running; abort it first" ;;
    ui_response | abort) ;;
    "") fail "this line is not a command" ;;
    *) fail "unknown command: $(type_of "$1")" ;;
  esac
}

ask() { # method, params: the answer as JSON in $answer; fails when the turn was aborted
  asked=$((asked + 1))
  printf '{"type":"ui_request","id":"q%d","method":"%s","params":%s}\n' "$asked" "$1" "$2"
  while read -r line; do
    case $line in
      '{"type":"ui_response","id":"q'"$asked"'",'*)
        answer=$(printf '%s' "$line" | LC_ALL=C sed -n 's/.*"result":\(.*\),"error":.*/\1/p')
        said="$said $1: ${#answer} characters of JSON."
        message message_update
        return 0 ;;
      '{"type":"abort"'*) printf '{"type":"ui_cancel","id":"q%d","reason":"aborted"}\n' "$asked"; return 1 ;;
      *) other "$line" ;;
    esac
  done
  exit 0
}

echo '{"type":"ready","protocol_version":"2","ui":true,"active_session_id":"main"}'
while read -r line; do
  case $line in '{"type":"prompt",'*'"text":"'*'}') ;; '{"type":"prompt"'*) fail "prompt: text: expected a string"; continue ;; *) other "$line"; continue ;; esac
  event agent_start
  said="Let me ask you." && message message_start && message message_update
  ask select '{"title":"Which colour?","options":[{"label":"Red","value":"red"},{"label":"Green","value":"green"}]}' &&
    ask confirm '{"title":"Are you sure?"}' && ask input '{"title":"Your name?","placeholder":"Ada"}' &&
    ask editor '{"title":"Your story?","prefill":"Once upon a time"}'
  message message_end
  event agent_end ',"messages":[]'
done
