#!/bin/sh
# Builds the command with optimization, and prints where it is.
#
#   build.sh [--tests] [--link | --portable] [--quiet]
#   build.sh --quick
#
# There is one kind of optimized build, so that tests, packages and the command in use share their
# objects, and each module is compiled once. --tests builds the tests, too.
#
# On Linux, --link makes a command that runs without Swift, for installation: Swift's libraries are
# linked into it, and functions that are not used are left out. With --portable, the C libraries are linked into it, too; compressions whose library is not there
# in its static form are left out, with a message. STATIC_LIBRARIES names a folder with further
# ones. ISA-L and libcurl are loaded when they are needed, where the system has them.
#
# --quick makes a command for a first look, without optimization and with libz alone: it builds in a
# third of the time, and 'swift build' shares its objects.
#
# SCRATCH is the folder of builds in place of .build.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
# Keeps traits in one order, as the Makefile does.
export SWIFT_DETERMINISTIC_HASHING=1
scratch=${SCRATCH:-.build}
swift=${SWIFT:-swift}
tests=""
linked=""
quick=""
quiet=""
for option in "$@"; do
  case "$option" in
    --tests) tests=yes ;;
    --link) linked=shared ;;
    --portable) linked=portable ;;
    --quick) quick=yes ;;
    --quiet) quiet=--quiet ;;
    *)
      echo "build: '$option' is not an option; use '--tests', '--link', '--portable', '--quick' or '--quiet'" >&2
      exit 64
      ;;
  esac
done
[ "$(uname -s)" = Linux ] || linked=""

if [ -n "$quick" ]; then
  set -- --scratch-path "$scratch" --force-resolved-versions
  "$swift" build $quiet "$@" --product linkaudit >&2
  echo "$("$swift" build "$@" --show-bin-path)/linkaudit"
  exit 0
fi

traits=$(Scripts/traits.sh)
traits=${traits#--traits }

# Removes a trait whose library can't be linked in.
leave_out() {
  case ",$traits," in
    *",$1,"*) ;;
    *) return 0 ;;
  esac
  traits=$(printf '%s' ",$traits," | sed "s/,$1,/,/;s/^,//;s/,\$//")
  echo "build: there is no $2; building without it" >&2
}

libraries=$root/$scratch/libraries
toolchain=$(dirname "$(readlink -f "$(command -v "$swift")")")
if [ -n "$linked" ]; then
  rm -rf "$libraries"
  mkdir -p "$libraries"
fi
if [ "$linked" = portable ]; then
  # A linker prefers the shared library, so it first searches a folder with static ones alone.
  for name in z sqlite3 yaml zstd bz2 lzma stdc++; do
    file=${STATIC_LIBRARIES:-/nowhere}/lib$name.a
    [ -e "$file" ] || file=$("$toolchain/clang" -print-file-name="lib$name.a")
    [ ! -e "$file" ] || ln -s "$file" "$libraries/"
  done
  [ -e "$libraries/libzstd.a" ] || leave_out Zstd libzstd.a
  [ -e "$libraries/libbz2.a" ] || leave_out Bzip2 libbz2.a
  [ -e "$libraries/liblzma.a" ] || leave_out XZ liblzma.a
fi

# Everybody builds with the versions in Package.resolved. Tests need to see internal names, and no
# path of this machine goes into the binary.
set -- -c release --scratch-path "$scratch" --force-resolved-versions \
  -Xswiftc -enable-testing -Xswiftc -debug-prefix-map -Xswiftc "$root=."
if [ "$(uname -s)" = Linux ]; then
  set -- "$@" -Xcc "-ffile-prefix-map=$root=." -Xcc -ffunction-sections -Xcc -fdata-sections
fi
[ -z "$traits" ] || set -- "$@" --traits "$traits"
if [ -n "$tests" ]; then
  "$swift" build $quiet "$@" --build-tests >&2
else
  "$swift" build $quiet "$@" --product linkaudit >&2
fi
folder=$("$swift" build "$@" --show-bin-path)
if [ -z "$linked" ]; then
  echo "$folder/linkaudit"
  exit 0
fi

# Links once more, as the package manager does, but with static libraries. Nothing is exported, so
# that everything that is not used can be left out. The objects name the shared Foundation, so its
# static parts are named here; lld finds them in any order.
printf '{ local: *; };\n' >"$libraries/hide.map"
set -- -static-stdlib -use-ld=lld -lFoundationEssentials -l_FoundationCShims -l_FoundationCollections \
  -L "$libraries" -L "$folder" "@$folder/linkaudit.product/Objects.LinkFileList" \
  -Xlinker --gc-sections -Xlinker -z -Xlinker pack-relative-relocs -Xlinker "--version-script=$libraries/hide.map" \
  -Xlinker --defsym -Xlinker main=linkaudit_main -Xclang-linker -static-libgcc -lstdc++ -lm -lz
"$toolchain/swiftc" -emit-executable -module-name linkaudit "$@" -o "$folder/linkaudit-$linked" >&2
echo "$folder/linkaudit-$linked"
