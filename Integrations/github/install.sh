#!/usr/bin/env bash
# Makes the command 'linkaudit' available to later steps of a job.
#
#   LINKAUDIT_PACKAGE     a Debian package or an archive, by its path
#   LINKAUDIT_VERSION     else: the release to get
#   LINKAUDIT_REPOSITORY  the repository whose releases these are
#
# Nothing is written outside RUNNER_TEMP, and no rights are needed.
set -euo pipefail

package=${LINKAUDIT_PACKAGE:-}
version=${LINKAUDIT_VERSION:-}
folder=${RUNNER_TEMP:-$(mktemp -d)}/linkaudit

fail() {
  echo "::error title=linkaudit::$1"
  exit 2
}

if [ -z "$package" ] && [ -z "$version" ] && command -v linkaudit >/dev/null; then
  linkaudit --version
  exit 0
fi
mkdir -p "$folder"

if [ -z "$package" ]; then
  [ -n "${LINKAUDIT_REPOSITORY:-}" ] \
    || fail "there is no command 'linkaudit'; install it, or pass a package with 'package'"
  releases=${GITHUB_SERVER_URL:-https://github.com}/$LINKAUDIT_REPOSITORY/releases
  if [ -n "$version" ]; then files=$releases/download/v${version#v}; else files=$releases/latest/download; fi
  curl --fail --silent --show-error --location --retry 3 --output "$folder/SHA256SUMS" "$files/SHA256SUMS" \
    || fail "$files has no SHA256SUMS; check that '$version' is a release"
  name=$(grep -o "linkaudit-.*-linux-$(uname -m)\.tar\.gz" "$folder/SHA256SUMS" | head -n 1) \
    || fail "that release has no archive for $(uname -m)"
  package=$folder/$name
  curl --fail --silent --show-error --location --retry 3 --output "$package" "$files/$name" \
    || fail "$files/$name can't be downloaded"
  (cd "$folder" && grep -F "  $name" SHA256SUMS | sha256sum --check --quiet) \
    || fail "the checksum of $name is wrong"
fi

[ -f "$package" ] || fail "there is no package '$package'"
case $package in
  *.deb)
    dpkg-deb --extract "$package" "$folder/package"
    binaries=$folder/package/usr/bin
    ;;
  *.tar.gz)
    mkdir -p "$folder/package"
    tar --extract --gzip --file "$package" --directory "$folder/package" --strip-components 1
    binaries=$folder/package/bin
    ;;
  *) fail "'$package' is neither a Debian package nor an archive (.tar.gz)" ;;
esac
[ -x "$binaries/linkaudit" ] || fail "'$package' has no linkaudit"
"$binaries/linkaudit" --version
[ -z "${GITHUB_PATH:-}" ] || echo "$binaries" >>"$GITHUB_PATH"
