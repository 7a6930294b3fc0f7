#!/usr/bin/env bash
# The check of the action: remarks on the lines of a change, and a report for code scanning.
# Everything comes by the environment, so that nothing of an input is read as a command.
set -euo pipefail

program="$HELD/node_modules/.bin/scenewright"
if [ ! -e "$program" ]; then
  # Split on purpose: several packages may be named.
  # shellcheck disable=SC2086
  npm install --prefix "$HELD" --no-audit --no-fund --loglevel error $PACKAGE
fi

options=(--project "$PROJECT")
since="$CHANGED_SINCE"
if [ "$since" = auto ]; then
  since=""
  if [ -n "${BASE:-}" ]; then
    # A checkout of a pull request has no other commit than its own. It is fetched into the repository that the
    # runner made, never into one that the pull request brought along as files.
    top=$(cd "$PROJECT" && pwd -P)
    while [ ! -e "$top/.git" ] && [ "$top" != / ]; do top=$(dirname "$top"); done
    git -c safe.bareRepository=explicit -c core.hooksPath=/dev/null -c core.fsmonitor=false \
      --git-dir="$top/.git" fetch --quiet --no-tags --no-recurse-submodules --no-auto-maintenance --depth=1 \
      origin "+refs/heads/$BASE:refs/remotes/origin/$BASE"
    since="origin/$BASE"
  fi
fi
[ -z "$since" ] || options+=(--changed-since "$since")
[ -z "$BASELINE" ] || options+=(--baseline "$BASELINE")
# shellcheck disable=SC2206
set -f && options+=($ARGS) && set +f

"$program" check "${options[@]}" --fail-on never --format sarif --output "$SARIF"
echo "sarif=$SARIF" >> "$GITHUB_OUTPUT"

# For people who read the log: the same once more, in words.
"$program" check "${options[@]}" --fail-on never | tee "$HELD/report.txt"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  { echo '```text'; head -c 60000 "$HELD/report.txt"; echo '```'; } >> "$GITHUB_STEP_SUMMARY"
fi
"$program" check "${options[@]}" --fail-on "$FAIL_ON" --format github
