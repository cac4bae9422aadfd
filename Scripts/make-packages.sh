#!/bin/sh
# Makes an archive, a Debian package, or all files of a release, and prints where they are.
#
#   make-packages.sh dist|deb|release [--binary FILE]
#
# They go to .build/dist. The same commit gives the same bytes: times in them are those of the commit, or
# SOURCE_DATE_EPOCH. --binary takes a command that 'build.sh --portable' has built.
#
#   dist     an archive that runs on Linux without anything else, and its checksum
#   deb      a Debian package; DEBFULLNAME and DEBEMAIL say who maintains it, the author of the commit unless given
#   release  both, a bill of materials, the sources, and SHA256SUMS of all of them; if RELEASE_URL names the folder from
#            which they will be downloaded, the formula for Homebrew as well
set -eu
cd "$(dirname "$0")/.."
umask 022
dist=$PWD/.build/dist
version=$(Scripts/version.sh)

complain() {
  echo "make-packages: $2" >&2
  exit "$1"
}

# Lays what is installed into a folder, as it is under a prefix, with the licenses of what is linked in.
stage() {
  rm -rf "$1"
  mkdir -p "$1"
  # Units name the command by its path, so archives are made for /usr/local.
  Scripts/install.sh install "$binary" --prefix "${2:-/usr/local}" --destdir "$1.root" >/dev/null
  mv "$1.root${2:-/usr/local}"/* "$1/"
  rm -rf "$1.root"
  Scripts/list-licenses.py --binary "$binary" --output "$1/share/doc/linkaudit/licenses"
}

make_dist() {
  name=linkaudit-$version-linux-$(uname -m)
  stage "$dist/$name" ""
  # The documents run their examples on them.
  cp -R SampleLogs "$dist/$name/share/doc/linkaudit/"
  (
    cd "$dist"
    tar --create --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw \
      --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -n -9 >"$name.tar.gz"
    sha256sum "$name.tar.gz" >SHA256SUMS
    rm -rf "$name"
  )
  echo "$dist/$name.tar.gz"
}

make_deb() {
  command -v dpkg-deb >/dev/null 2>&1 || complain 1 "there is no dpkg-deb; make Debian packages on Debian or a derivative"
  architecture=$(dpkg --print-architecture)
  revision=1
  folder=$dist/deb
  documents=$folder/usr/share/doc/linkaudit
  name=${DEBFULLNAME:-$(git log -1 --format=%an 2>/dev/null || echo "linkaudit")}
  address=${DEBEMAIL:-$(git log -1 --format=%ae 2>/dev/null || echo "linkaudit@localhost")}
  day=$(date -u -R -d "@$SOURCE_DATE_EPOCH")

  rm -rf "$folder"
  mkdir -p "$folder/DEBIAN"
  stage "$dist/staged" /usr
  mv "$dist/staged" "$folder/usr"

  # As Debian has them: pages compressed, licenses in one file, and the changelogs under their names.
  find "$folder/usr/share/man" -type f -exec gzip -9n {} +
  Scripts/debian/write-copyright.py "$documents/licenses" >"$documents/copyright"
  rm -rf "$documents/licenses" "$documents/LICENSE"
  mv "$documents/CHANGELOG.md" "$documents/changelog"
  printf '%s\n' "linkaudit ($version-$revision) unstable; urgency=medium" "" \
    "  * The version's changes are in changelog.gz." "" " -- $name <$address>  $day" >"$documents/changelog.Debian"
  gzip -9n "$documents/changelog" "$documents/changelog.Debian"
  mkdir -p "$folder/usr/share/lintian/overrides"
  cp Scripts/debian/lintian-overrides "$folder/usr/share/lintian/overrides/linkaudit"

  # The libraries that it needs, in the versions that have what it uses.
  mkdir -p "$dist/shlibs/debian"
  printf 'Source: linkaudit\n\nPackage: linkaudit\nArchitecture: any\n' >"$dist/shlibs/debian/control"
  needs=$(cd "$dist/shlibs" && dpkg-shlibdeps -O -e"$folder/usr/bin/linkaudit" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
  rm -rf "$dist/shlibs"
  [ -n "$needs" ] || complain 1 "dpkg-shlibdeps (of dpkg-dev) is missing, or found nothing"

  size=$(find "$folder/usr" -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
  sed -e "s/@VERSION@/$version-$revision/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@MAINTAINER@/$name <$address>/" \
    -e "s/@DEPENDS@/$needs/" -e "s/@SIZE@/$size/" Scripts/debian/control >"$folder/DEBIAN/control"
  for script in postinst prerm postrm; do install -m 755 "Scripts/debian/$script" "$folder/DEBIAN/$script"; done
  (cd "$folder" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$folder/DEBIAN/md5sums"
  find "$folder" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  chmod -R go=rX,u+rwX "$folder"

  package=$dist/linkaudit_$version-${revision}_$architecture.deb
  dpkg-deb --root-owner-group -Zxz --build "$folder" "$package" >&2
  rm -rf "$folder"
  echo "$package"
}

make_release() {
  archive=$(make_dist)
  package=$(make_deb)
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
  (cd "$dist" && for file in "$@"; do sha256sum "${file##*/}"; done >SHA256SUMS)
  printf '%s\n' "$@" "$dist/SHA256SUMS"
}

case "$*" in
  dist | deb | release) binary="" ;;
  "dist --binary "* | "deb --binary "* | "release --binary "*) binary=$3 ;;
  *) complain 64 "use 'make-packages.sh dist|deb|release [--binary FILE]'" ;;
esac
[ "$(uname -s)" = Linux ] || complain 1 "packages are made on Linux"
[ -n "$binary" ] || binary=$(Scripts/build.sh --portable --quiet)
# The time of the commit; of the changelog, if there is no repository.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
fi
export SOURCE_DATE_EPOCH
"make_$1"
