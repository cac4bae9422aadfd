# What make-dist.sh and make-deb.sh have in common. They stand in the package's folder.

dist=$PWD/.build/dist
version=$(Scripts/version.sh)
binary=""

# The time of the commit; of the changelog, if there is no repository.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
fi
export SOURCE_DATE_EPOCH
umask 022

# Reads the options.
take_options() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --binary)
        [ $# -gt 1 ] || { echo "$0: '--binary' needs a file" >&2; exit 64; }
        binary=$2
        shift 2
        ;;
      *) echo "$0: '$1' is not an option; use '--binary FILE'" >&2; exit 64 ;;
    esac
  done
  if [ "$(uname -s)" != Linux ]; then
    echo "$0: packages are made on Linux" >&2
    exit 1
  fi
  [ -n "$binary" ] || binary=$(Scripts/build.sh --portable --quiet)
}

# Lays what is installed into a folder, as it is under a prefix, with the licenses of what is
# linked in.
stage() {
  rm -rf "$1"
  mkdir -p "$1"
  # Units name the command by its path, so archives are made for /usr/local.
  Scripts/install.sh install "$binary" --prefix "${2:-/usr/local}" --destdir "$1.root" >/dev/null
  mv "$1.root${2:-/usr/local}"/* "$1/"
  rm -rf "$1.root"
  Scripts/list-licenses.py --binary "$binary" --output "$1/share/doc/linkaudit/licenses"
}
