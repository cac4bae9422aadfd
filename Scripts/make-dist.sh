#!/bin/sh
# Makes an archive that runs on Linux without anything else, and its checksum.
#
#   make-dist.sh [--binary FILE]
#
# It goes to .build/dist. The same commit gives the same bytes: times in it are those of the
# commit, or SOURCE_DATE_EPOCH. --binary takes a command that 'build.sh --portable' has built.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
. Scripts/staging.sh
take_options "$@"

name=linkaudit-$version-linux-$(uname -m)
stage "$dist/$name" ""
# The documents run their examples on them.
cp -R SampleLogs "$dist/$name/share/doc/linkaudit/"
archive=$name.tar.gz
(
  cd "$dist"
  tar --create --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw \
    --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -n -9 >"$archive"
  sha256sum "$archive" >SHA256SUMS
  rm -rf "$name"
)
echo "$dist/$archive"
