#!/bin/bash
# Builds what the documents promise, in a new clone of this commit: the demo, a debug build with libz
# alone, each trait alone, the fuzz targets, and the build for the thread sanitizer. Runs the tests
# of AccessLogs with libz alone. Prints the time of each.
#
#   test-builds.sh [--record]
#
# --record writes what 'make demo' prints to Tests/System/demo.txt, instead of comparing it.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
clone=$root/.build/clone
swift=${SWIFT:-swift}
export LINKAUDIT_WARNINGS_AS_ERRORS=1 SWIFT_DETERMINISTIC_HASHING=1

build() {
  local start=$SECONDS name=$1
  shift
  if ! "$@" >"$clone.log" 2>&1; then
    tail -n 60 "$clone.log"
    echo "builds: $name fails" >&2
    exit 1
  fi
  printf '%-44s %5d s\n' "$name" $((SECONDS - start))
}

rm -rf "$clone"
mkdir -p .build
git clone --quiet --no-hardlinks . "$clone"
cd "$clone"

demo() { make demo >demo.txt; }
build 'make demo' demo
if [ "${1:-}" = --record ]; then
  cp demo.txt "$root/Tests/System/demo.txt"
else
  diff -u Tests/System/demo.txt demo.txt || {
    echo "builds: 'make demo' prints something else; if it should, run 'Scripts/test-builds.sh --record'" >&2
    exit 1
  }
fi
build 'swift build, with libz alone' "$swift" build
# In a debug build, the tests of holes read zeros for ten minutes.
build 'swift test of AccessLogs, with libz alone' env LINKAUDIT_TESTS=AccessLogsTests "$swift" test --skip HoleTests
build 'fuzz targets' env LINKAUDIT_FUZZING=1 "$swift" build --target linkaudit-fuzz
# A trait changes only the modules whose source asks for it. The others were just compiled.
traits=$("$swift" package dump-package | python3 -c 'import json, sys
for trait in json.load(sys.stdin)["traits"]: print(trait["name"])')
for trait in $traits; do
  modules=$(grep -rlE "^ *#(if|elseif).*\b$trait\b" Sources --include='*.swift' | cut -d/ -f2 | sort -u)
  [ -n "$modules" ] || { echo "builds: no module asks for the trait '$trait'" >&2; exit 1; }
  for module in $modules; do
    build "$module with $trait alone" "$swift" build --traits "$trait" --target "$module"
  done
done
build 'thread sanitizer' make build-thread THREAD_MODULES=TrafficDigestTests
rm -rf "$clone"
