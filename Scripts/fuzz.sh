#!/bin/bash
# Runs fuzz targets (Tests/Fuzzing) with libFuzzer and AddressSanitizer, both of the toolchain.
#
#   fuzz.sh [TARGET...] [--seconds N] [--jobs N] [--seed N] [--no-build]
#   fuzz.sh --list
#
# Each target, all unless some are named, runs for N seconds (60) on one core, --jobs of them at
# a time (1). What was interesting stays in .build/fuzz/TARGET/corpus for the next run. Prints a
# table, and ends with status 1 if something was found: with the path of the input, and the
# command that repeats it.
#
# An input may take 10 seconds and 2.5 GiB; more is a finding, too.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60
jobs=1
seed=0
build=yes
list=""
targets=()
usage() {
  echo "fuzz: $1; see 'head -14 Scripts/fuzz.sh'" >&2
  exit 64
}
number() {
  [[ "${2:-}" =~ ^[0-9]+$ ]] || usage "'$1' needs a number"
}
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) number "$@"; seconds=$2; shift ;;
    --jobs) number "$@"; jobs=$2; shift ;;
    --seed) number "$@"; seed=$2; shift ;;
    --seconds=* | --jobs=* | --seed=*)
      option=${1%%=*}; value=${1#*=}; shift
      set -- "$option" "$value" "$@"
      continue ;;
    --no-build) build="" ;;
    --list) list=yes ;;
    -*) usage "'$1' is not an option" ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[ "$jobs" -gt 0 ] || usage "'--jobs' needs a number above 0"

scratch=.build/fuzzing
work=.build/fuzz
if [ -n "$build" ]; then
  # libFuzzer comes with toolchains for Linux, and gold can't link it.
  # Traits stay in one order, as in the Makefile.
  # shellcheck disable=SC2046
  SWIFT_DETERMINISTIC_HASHING=1 LINKAUDIT_FUZZING=1 "${SWIFT:-swift}" build -c release $(Scripts/traits.sh) \
    --scratch-path "$scratch" --quiet --product linkaudit-fuzz \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing -Xswiftc -use-ld=lld \
    -Xcc -fsanitize=fuzzer-no-link,address
fi
binary=$scratch/release/linkaudit-fuzz
if [ ! -x "$binary" ]; then
  echo "fuzz: there is no '$binary'; leave out '--no-build'" >&2
  exit 1
fi
if [ -n "$list" ]; then exec "$binary" --list; fi

known=$("$binary" --list)
if [ ${#targets[@]} -eq 0 ]; then
  mapfile -t targets <<<"$known"
fi
for target in "${targets[@]}"; do
  grep -Fqx -- "$target" <<<"$known" ||
    usage "'$target' is not a target; there are $(paste -sd ' ' <<<"$known")"
done

# Swift's own report of a crash takes longer than libFuzzer's.
export SWIFT_BACKTRACE=enable=no
# zstd may have a window of 2 GiB, of which pages are used only as it fills.
export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0:${ASAN_OPTIONS:-}
limits=(-timeout=10 -rss_limit_mb=2560 -malloc_limit_mb=2300)

run() {
  local target=$1 folder=$work/$1
  mkdir -p "$folder/corpus" "$folder/found"
  rm -rf "$folder/seeds"
  "$binary" --prepare "$target" "$folder" || return 1
  local dictionary=()
  [ "$(wc -w <"$folder/dictionary")" -eq 0 ] || dictionary=("-dict=$folder/dictionary")
  # Slow inputs are kept beside, to be looked at.
  "$binary" "$target" "${limits[@]}" "${dictionary[@]}" "-max_total_time=$seconds" \
    "-seed=$seed" -max_len=4096 -len_control=20 -report_slow_units=2 -print_final_stats=1 \
    "-artifact_prefix=$folder/found/" "$folder/corpus" "$folder/seeds" "Tests/Fuzzing/Findings/$target" \
    >"$folder/log" 2>&1 </dev/null
}

# A folder for each target, so that libFuzzer finds it.
for target in "${targets[@]}"; do mkdir -p "Tests/Fuzzing/Findings/$target"; done
trap 'find Tests/Fuzzing/Findings -mindepth 1 -type d -empty -delete' EXIT

status=0
printf '%-18s %12s %8s %9s  %s\n' target executions exec/s coverage findings
report() {
  local target=$1 log=$work/$1/log
  local executions speed coverage found=none
  executions=$(awk '/stat::number_of_executed_units/ { print $2 }' "$log")
  speed=$(awk '/stat::average_exec_per_sec/ { print $2 }' "$log")
  coverage=$(grep -a -o 'cov: [0-9]*' "$log" | tail -1 | cut -d' ' -f2 || true)
  if [ ! -f "$work/$target/passed" ]; then
    found=$(grep -a -o 'Test unit written to .*' "$log" | tail -1 | cut -d' ' -f5 || true)
    : "${found:=failed without an input, see $log}"
    status=1
  fi
  printf '%-18s %12s %8s %9s  %s\n' "$target" "${executions:--}" "${speed:--}" "${coverage:--}" \
    "$found"
  if [ -f "$found" ]; then
    grep -a -m 3 -E '^linkaudit-fuzz: |^Fatal error|^SUMMARY|^==.*ERROR' "$log" | cut -c1-300 | sed 's/^/  /' || true
    echo "  repeat: SWIFT_BACKTRACE=enable=no $binary $target $found"
  fi
}

running=0
for target in "${targets[@]}"; do
  rm -f "$work/$target/passed"
  { if run "$target"; then touch "$work/$target/passed"; fi; } &
  running=$((running + 1))
  if [ "$running" -ge "$jobs" ]; then
    wait -n || true
    running=$((running - 1))
  fi
  [ "$jobs" -gt 1 ] || report "$target"
done
wait
[ "$jobs" -eq 1 ] || for target in "${targets[@]}"; do report "$target"; done
exit "$status"
