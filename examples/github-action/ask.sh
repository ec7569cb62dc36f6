#!/bin/sh
# Asks $QUESTION and waits. A daemon takes the question to the hub, if there is one; the job summary says where to answer. The answer is
# the output `answer`; a no, and no answer in time, fails the step.
set -u
palaver=${PALAVER:-palaver}
daemon=

# The key comes as text, from a secret; Palaver reads it from a file.
if [ -n "${HUB_KEY_TEXT:-}" ]; then
  PALAVER_HUB_KEY=$(mktemp)
  export PALAVER_HUB_KEY
  chmod 600 "$PALAVER_HUB_KEY"
  printf '%s\n' "$HUB_KEY_TEXT" > "$PALAVER_HUB_KEY"
  trap 'rm -f "$PALAVER_HUB_KEY"' EXIT
fi

if ! $palaver state > /dev/null 2>&1; then
  if [ -n "${PALAVER_HUB_URL:-}" ]; then set -- --hub "$PALAVER_HUB_URL"; else set --; fi
  $palaver serve --json "$@" > /dev/null &
  daemon=$!
  tries=0
  until $palaver state > /dev/null 2>&1; do
    tries=$((tries + 1))
    if [ "$tries" -ge 100 ] || ! kill -0 "$daemon" 2> /dev/null; then
      echo "the daemon did not start" >&2
      exit 1
    fi
    sleep 0.3
  done
fi

{
  echo "### A question waits for you"
  echo
  printf '> %s\n\n' "$QUESTION"
  if [ -n "${DANGER:-}" ]; then printf '**Danger:** %s\n\n' "$DANGER"; fi
  if [ -n "${PAGE:-}" ]; then printf '[Answer it on the page](%s), or run `palaver asks --hub`.\n' "$PAGE"; else echo 'Answer it with `palaver asks` and `palaver answer`.'; fi
} >> "${GITHUB_STEP_SUMMARY:-/dev/null}"

set -- --on-ask wait --timeout "${TIMEOUT_SECONDS:-3600}" --no-input
if [ -n "${DANGER:-}" ]; then set -- "$@" --danger "$DANGER"; fi
$palaver ask confirm "$QUESTION" --quiet "$@" < /dev/null
code=$?

case $code in 0) answer=yes ;; *) answer=no ;; esac
echo "answer=$answer" >> "${GITHUB_OUTPUT:-/dev/null}"
printf '\nThe answer: **%s**\n' "$answer" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
if [ -n "$daemon" ]; then $palaver stop > /dev/null 2>&1; fi
exit "$code"
