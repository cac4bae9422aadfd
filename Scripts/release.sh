#!/bin/sh
# Builds the command for use, and prints where it is.
#
#   release.sh [--portable] [--quiet]
#
# On Linux, Swift's libraries are linked into it, so that it runs where there is no Swift. With
# --portable, so are libraries of C: those of compressions that can't be are left out, and said.
# STATIC_LIBRARIES names a folder with further libraries, such as an own libisal.a. SCRATCH is
# where builds go in place of .build.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
scratch=${SCRATCH:-.build}
portable=""
quiet=""
for option in "$@"; do
  case "$option" in
    --portable) portable=yes ;;
    --quiet) quiet=--quiet ;;
    *) echo "release: '$option' is not an option; there are '--portable' and '--quiet'" >&2; exit 64 ;;
  esac
done

traits=$(Scripts/traits.sh)
traits=${traits#--traits }

# Lets a trait go whose library can't be linked in.
leave_out() {
  case ",$traits," in
    *",$1,"*) ;;
    *) return 0 ;;
  esac
  traits=$(printf '%s' ",$traits," | sed "s/,$1,/,/;s/^,//;s/,\$//")
  echo "release: there is no $2, so the command is built without it" >&2
}

set --
if [ "$(uname -s)" = Linux ]; then
  # No path of this machine gets into the binary, and what is not used is left out.
  set -- --static-swift-stdlib --disable-local-rpath -Xcc "-ffile-prefix-map=$root=." -Xcc -ffunction-sections -Xcc -fdata-sections \
    -Xswiftc -file-prefix-map -Xswiftc "$root=."
fi
if [ -n "$portable" ]; then
  # A linker takes the shared library if there are both, so it looks first where there is only the
  # other kind.
  libraries=$root/$scratch/portable
  rm -rf "$libraries"
  mkdir -p "$libraries"
  for name in z sqlite3 isal zstd bz2 lzma stdc++; do
    file=${STATIC_LIBRARIES:-/nowhere}/lib$name.a
    [ -e "$file" ] || file=$(cc -print-file-name="lib$name.a")
    [ ! -e "$file" ] || ln -s "$file" "$libraries/"
  done
  [ -e "$libraries/libisal.a" ] || leave_out ISAL libisal.a
  [ -e "$libraries/libzstd.a" ] || leave_out Zstd libzstd.a
  [ -e "$libraries/libbz2.a" ] || leave_out Bzip2 libbz2.a
  [ -e "$libraries/liblzma.a" ] || leave_out XZ liblzma.a
fi
[ -z "$traits" ] || set -- "$@" --traits "$traits"

swift=${SWIFT:-swift}
"$swift" build -c release --scratch-path "$scratch" --product linkaudit $quiet "$@" >&2
folder=$("$swift" build -c release --scratch-path "$scratch" "$@" --show-bin-path)
if [ -z "$portable" ]; then
  echo "$folder/linkaudit"
  exit 0
fi

# Links once more, as the package manager does, but with the libraries of C; and nothing is
# exported, so that what is not used can be left out.
toolchain=$(dirname "$(readlink -f "$(command -v "$swift")")")
printf '{ local: *; };\n' >"$libraries/hide.map"
set -- -static-stdlib -L "$libraries" -L "$folder" "@$folder/linkaudit.product/Objects.LinkFileList" \
  -Xlinker --gc-sections -Xlinker --icf=safe -Xlinker "--version-script=$libraries/hide.map" \
  -Xlinker --defsym -Xlinker main=linkaudit_main -Xclang-linker -static-libgcc -lstdc++ -lm -lz
# More than half of the binary would be languages that nobody asks it for.
icu=$toolchain/../lib/swift_static/linux/lib_FoundationICU.a
if [ -e "$icu" ]; then
  data=$(Scripts/trim-icu.py "$icu" "$libraries/icu.o")
  set -- "$libraries/icu.o" -Xlinker "--wrap=$data" "$@"
fi
"$toolchain/swiftc" -emit-executable -module-name linkaudit "$@" -o "$folder/linkaudit-portable" >&2
echo "$folder/linkaudit-portable"
