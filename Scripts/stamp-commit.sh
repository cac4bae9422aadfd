#!/bin/sh
# Writes the commit of a package into a Swift file, which stays as it is if it says so already.
#
#   stamp-commit.sh PACKAGE FILE
#
# Without git, or without a repository of its own, such as in an unpacked archive, the
# file says that there is none.
set -eu
package=$1
file=$2

# A hook or a rebase has these set, and they may mean another repository.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

ask() {
  git --no-optional-locks -C "$package" "$@" 2>/dev/null
}

commit=""
# An archive may have been unpacked inside another repository.
if top=$(ask rev-parse --show-toplevel) && [ "$(cd "$top" && pwd -P)" = "$(cd "$package" && pwd -P)" ]; then
  commit=$(TZ=UTC0 ask -c log.showSignature=false log -1 --abbrev=12 --date=short-local --format='%h, %cd') || commit=""
fi
if [ -n "$commit" ]; then
  # Files that git doesn't know count where they would be compiled.
  changes=$(ask status --porcelain --untracked-files=no &&
    ask status --porcelain -- Sources Plugins) || changes=""
  [ -z "$changes" ] || commit="$commit, changed"
fi

text="let stampedCommit = \"$commit\""
[ -e "$file" ] && [ "$(cat "$file")" = "$text" ] && exit 0
printf '%s\n' "$text" >"$file.new"
mv "$file.new" "$file"
