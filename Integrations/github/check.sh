#!/usr/bin/env bash
# Checks an association file, and compares it with the deployed one. The variables LINKAUDIT_... are
# the inputs of action.yml, which describes them; other pipelines can set them, too.
#
# Annotations go to standard output, a summary to GITHUB_STEP_SUMMARY, and the same text to
# LINKAUDIT_COMMENT. The exit status is 1 for findings as severe as asked for, and 2 if
# something could not be read.
set -euo pipefail

aasa=${LINKAUDIT_AASA:?names the association file}
host=${LINKAUDIT_HOST:?names the host of the association file}
deployed=${LINKAUDIT_DEPLOYED:-base}
traffic=${LINKAUDIT_TRAFFIC:-}
comment=${LINKAUDIT_COMMENT:-linkaudit-comment.md}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A line by which a comment is found again.
echo '<!-- linkaudit -->' >"$comment"
failed=0

# Runs a command with a severity from which on it fails, adds its Markdown to the comment, and notes
# whether it failed.
check() {
  local severity=$1 status=0
  shift
  set -- "$@" --format github --comment "$folder/part.md"
  [ "$severity" = never ] || set -- "$@" --fail-on "$severity"
  "$@" || status=$?
  if [ -s "$folder/part.md" ]; then
    { echo; cat "$folder/part.md"; } >>"$comment"
    rm "$folder/part.md"
  fi
  if [ "$status" -gt 1 ]; then finish "$status"; fi
  if [ "$status" -eq 1 ] && [ "$severity" != never ]; then failed=1; fi
}

# Writes the outputs, and ends.
finish() {
  local result=passed
  [ "$1" -eq 0 ] || result=failed
  if [ "$1" -gt 1 ]; then
    printf '\n**The check did not finish.** See the messages of the job.\n' >>"$comment"
  fi
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$comment" >>"$GITHUB_STEP_SUMMARY"; fi
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf 'comment-file=%s\nresult=%s\n' "$comment" "$result" >>"$GITHUB_OUTPUT"
  fi
  exit "$1"
}

# What both commands take. The shell of some runners knows no empty lists.
options=(--color never)
[ -z "${LINKAUDIT_BASELINE:-}" ] || options+=(--baseline "$LINKAUDIT_BASELINE")

lint=(linkaudit lint --site "$host=$aasa" "${options[@]}")
[ -z "${LINKAUDIT_ENTITLEMENTS:-}" ] || lint+=(--entitlements "$LINKAUDIT_ENTITLEMENTS")
check "${LINKAUDIT_LINT_FAIL_ON:-error}" "${lint[@]}"

# The file that is deployed now.
old=$folder/deployed.json
case $deployed in
  none) old="" ;;
  base)
    base=${GITHUB_BASE_REF:-${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-}}
    if [ -z "$base" ]; then
      echo "No pull request: nothing to compare with."
      old=""
    else
      # A checkout has no other branches.
      if ! git fetch --quiet --depth 1 origin "$base"; then
        echo "::error title=linkaudit::the branch '$base' can't be fetched"
        finish 2
      fi
      # As the repository names it, wherever this runs.
      path=$(git ls-files --full-name -- "$aasa" | head -n 1)
      if git cat-file -e "FETCH_HEAD:${path:-$aasa}" 2>/dev/null; then
        git show "FETCH_HEAD:${path:-$aasa}" >"$old"
      else
        echo "The branch '$base' has no '$aasa': nothing to compare with."
        old=""
      fi
    fi
    ;;
  cdn | site)
    source=$deployed
    [ "$source" = cdn ] || source=origin
    # Problems of delivery are not those of this change; without a file there is nothing to compare.
    status=0
    linkaudit fetch "$host" --from "$source" --save "$old" --format text >"$folder/fetch.txt" 2>&1 ||
      status=$?
    if [ "$status" -gt 2 ]; then
      cat "$folder/fetch.txt"
      finish "$status"
    fi
    if [ ! -s "$old" ]; then
      cat "$folder/fetch.txt"
      echo "::warning title=linkaudit::'$deployed' serves no association file for $host, so there is nothing to compare with"
      old=""
    fi
    ;;
  *) old=$deployed ;;
esac

if [ -n "$old" ]; then
  diff=(linkaudit diff "$old" "$aasa")
  if [ -n "$traffic" ] && [ -e "$traffic" ]; then diff+=("$traffic"); else diff+=(--patterns-only); fi
  if [ -n "$traffic" ] && [ ! -e "$traffic" ]; then
    echo "::notice title=linkaudit::there is no traffic at '$traffic', so linkaudit compares only the patterns"
  fi
  diff+=(--host "$host" "${options[@]}" --no-progress)
  [ -z "${LINKAUDIT_ROUTES:-}" ] || diff+=(--routes "$LINKAUDIT_ROUTES")
  check "${LINKAUDIT_FAIL_ON:-error}" "${diff[@]}"
fi
finish "$failed"
