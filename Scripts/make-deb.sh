#!/bin/sh
# Makes a Debian package.
#
#   make-deb.sh [--binary FILE]
#
# It goes to .build/dist. The same commit gives the same bytes, as with make-dist.sh. DEBFULLNAME
# and DEBEMAIL say who maintains it; the author of the commit unless given.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
. Scripts/staging.sh
if ! command -v dpkg-deb >/dev/null 2>&1; then
  echo "make-deb: there is no dpkg-deb; make Debian packages on Debian or a derivative" >&2
  exit 1
fi
take_options "$@"

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
needs=$(
  cd "$dist"
  mkdir -p shlibs/debian
  printf 'Source: linkaudit\n\nPackage: linkaudit\nArchitecture: any\n' >shlibs/debian/control
  cd shlibs
  dpkg-shlibdeps -O -e"$folder/usr/bin/linkaudit" 2>/dev/null | sed -n 's/^shlibs:Depends=//p'
)
rm -rf "$dist/shlibs"
[ -n "$needs" ] || { echo "make-deb: dpkg-shlibdeps (of dpkg-dev) is missing, or found nothing" >&2; exit 1; }

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
