#!/bin/bash
# Builds what the documents promise, in a new clone of this commit: the demo, a debug build with libz
# alone, the fuzz targets, each trait alone, and the build for the thread sanitizer. Unless one half
# is named, runs the tests of AccessLogs with libz alone, too. Prints the time of each.
#
#   test-builds.sh [--record | --whole | --modules]
#
# --record writes what 'make demo' prints to Tests/System/demo.txt, instead of comparing it. --whole
# builds the first two and leaves the clone to --modules, which compiles the others.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
clone=$root/.build/clone
swift=${SWIFT:-swift}
export LINKAUDIT_WARNINGS_AS_ERRORS=1 SWIFT_DETERMINISTIC_HASHING=1

TIMEFORMAT='%0R s, %0U s of a processor'
build() {
  local name=$1 log duration
  log=$clone.$(printf '%s' "$name" | tr -c '[:alnum:]' -)
  shift
  duration=$({ time "$@" >"$log" 2>&1; } 2>&1) || {
    tail -n 60 "$log"
    echo "builds: $name fails" >&2
    exit 1
  }
  printf '%-44s %s\n' "$name" "$duration"
  rm "$log"
}

if [ "${1:-}" != --modules ]; then
  rm -rf "$clone"
  mkdir -p .build
  git clone --quiet --no-hardlinks . "$clone"
fi
cd "$clone"

demo() { make demo >demo.txt; }

whole() {
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
}

# A trait changes only the modules whose source asks for it, and nothing that others see of them; the
# thread sanitizer, what is made of the source. So these are compiled once more, by the command of the
# last build with further arguments.
again() {
  python3 - "$swift"c "$@" <<'END'
import glob, json, re, subprocess, sys
compiler, module, *further = sys.argv[1:]
build = open(".build/debug.yaml").read()
found = re.search(r'"C\.%s-[^"]*\.module":\n.*?\n    args: (\[.*?\])\n' % module, build, re.DOTALL)
assert found, "the build has no command for " + module
places = {"-emit-module-path", "-output-file-map", "-emit-objc-header-path", "-index-store-path"}
forms = {"-c", "-incremental", "-emit-module", "-emit-dependencies", "-serialize-diagnostics", "-parseable-output",
         "-emit-objc-header", "-enable-batch-mode", "-index-ignore-system-modules"}
arguments = json.loads(found[1])[1:]
kept = [word for word, before in zip(arguments, [""] + arguments)
        if word not in places | forms and before not in places]
maps = ["-fmodule-map-file=" + path for path in sorted(glob.glob("Sources/C*/module.modulemap"))]
sys.exit(subprocess.run(
    [compiler, *kept, "-whole-module-optimization", "-o", "/dev/null", *further,
     *(word for path in maps for word in ("-Xcc", path))]).returncode)
END
}

modules() {
  local modules module trait traits sanitizer
  # A module takes one processor; this one takes the longest, beside the others.
  build 'TrafficDigest with the thread sanitizer' again TrafficDigest -emit-object -sanitize=thread &
  sanitizer=$!
  traits=$("$swift" package dump-package | python3 -c 'import json, sys
for trait in json.load(sys.stdin)["traits"]: print(trait["name"])')
  for trait in $traits; do
    modules=$(grep -rlE "^ *#(if|elseif).*\b$trait\b" Sources --include='*.swift' | cut -d/ -f2 | sort -u)
    [ -n "$modules" ] || { echo "builds: no module asks for the trait '$trait'" >&2; exit 1; }
    for module in $modules; do
      build "$module with $trait alone" again "$module" -emit-sil "-D$trait"
    done
  done
  wait "$sanitizer"
}

[ "${1:-}" = --modules ] || whole "$@"
[ "${1:-}" != --whole ] || exit 0
if [ "${1:-}" != --modules ]; then
  # In a debug build, the tests of holes read zeros for ten minutes, and others take longer than they are worth.
  build 'swift test of AccessLogs, with libz alone' env LINKAUDIT_TESTS=AccessLogsTests "$swift" test \
    --skip 'HoleTests|ByteMarksTests|DelimiterIndexTests|ColumnHeadingTests|TornLineTests|ContentTraceTests|PlainLinesTests|RecordAssemblyTests'
fi
build 'fuzz targets' env LINKAUDIT_FUZZING=1 "$swift" build --target linkaudit-fuzz
modules
rm -rf "$clone"
