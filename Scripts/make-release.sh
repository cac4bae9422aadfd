#!/bin/sh
# Makes all files of a release, and prints where they are.
#
#   make-release.sh [--binary FILE]
#
# These are the archive (make-dist.sh), the Debian package (make-deb.sh), a bill of materials (make-sbom.py), the sources,
# and SHA256SUMS of all of them. If RELEASE_URL names the folder from which they will be downloaded, there is a formula
# for Homebrew as well. The same commit gives the same bytes.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
. Scripts/staging.sh
take_options "$@"

archive=$(Scripts/make-dist.sh --binary "$binary")
package=$(Scripts/make-deb.sh --binary "$binary")
sources=$dist/linkaudit-$version.tar.gz
git archive --format=tar --prefix="linkaudit-$version/" HEAD | gzip -n -9 >"$sources"
bill=${archive%.tar.gz}.cdx.json
Scripts/make-sbom.py --binary "$binary" --artifact "$archive" --artifact "$package" --output "$bill"
set -- "$archive" "$package" "$bill" "$sources"
if [ -n "${RELEASE_URL:-}" ]; then
  sum=$(sha256sum "$sources" | cut -d ' ' -f 1)
  sed -e "s|^  url .*|  url \"${RELEASE_URL%/}/${sources##*/}\"|" -e "s|^  sha256 .*|  sha256 \"$sum\"|" \
    Integrations/homebrew/linkaudit.rb >"$dist/linkaudit.rb"
  set -- "$@" "$dist/linkaudit.rb"
fi
cd "$dist"
for file in "$@"; do sha256sum "${file##*/}"; done >SHA256SUMS
printf '%s\n' "$@" "$dist/SHA256SUMS"
