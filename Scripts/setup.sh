#!/bin/sh
# Installs what building and testing need and this machine lacks. Says nothing
# about what is there.
set -eu

if ! command -v "${SWIFT:-swift}" >/dev/null 2>&1; then
  echo "setup: there is no Swift toolchain; install one of 6.2 or later: https://www.swift.org/install" >&2
  exit 1
fi

# Whether the C compiler finds a header.
has_header() {
  for folder in /usr/include /usr/local/include /usr/include/*-linux-gnu; do
    [ -e "$folder/$1" ] && return 0
  done
  return 1
}

if [ "$(uname -s)" = Darwin ]; then
  # libz comes with the system's SDK.
  if ! xcrun --show-sdk-path >/dev/null 2>&1; then
    echo "setup: the command line tools are missing; run 'xcode-select --install'" >&2
    exit 1
  fi
  exit 0
fi

missing=""
has_header zlib.h || missing="$missing zlib1g-dev"
command -v git >/dev/null 2>&1 || missing="$missing git"
# The script that writes SampleLogs is in Python; a test runs it.
command -v python3 >/dev/null 2>&1 || missing="$missing python3"
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: these Debian packages, or what they are called here, are missing:$missing" >&2
  exit 1
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "setup: not root, and there is no sudo; run 'apt-get install$missing' as root" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "setup: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# Word by word on purpose.
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
