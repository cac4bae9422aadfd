#!/bin/sh
# Installs the command with its manual, completions, documentation, and units for systemd, or
# removes them.
#
#   install.sh install BINARY [--prefix /usr/local] [--destdir FOLDER]
#   install.sh remove [--prefix /usr/local] [--destdir FOLDER]
#
# --prefix is where the files will be used from, and --destdir a folder that stands for the root
# until then. The binary makes the pages and the completions, so it must run on this machine; it is
# installed without its symbols. Nothing is turned on: 'systemctl enable --now linkaudit.timer'
# does that.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

usage() {
  sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0" >&2
  exit 64
}

task=${1:-}
[ $# -gt 0 ] && shift
binary=""
prefix=/usr/local
destdir=""
if [ "$task" = install ]; then
  [ $# -gt 0 ] || usage
  binary=$1
  shift
fi
while [ $# -gt 0 ]; do
  [ $# -gt 1 ] || usage
  case "$1" in
    --prefix) prefix=${2%/} ;;
    --destdir) destdir=${2%/} ;;
    *) usage ;;
  esac
  shift 2
done
# Units and services name the command by its path.
case "$prefix" in
  /* | "") ;;
  *) echo "install: the prefix '$prefix' is not an absolute path" >&2; exit 64 ;;
esac
to=$destdir$prefix

bash_completions=$to/share/bash-completion/completions
zsh_completions=$to/share/zsh/site-functions
fish_completions=$to/share/fish/vendor_completions.d
manual=$to/share/man/man1
documents=$to/share/doc/linkaudit
units=$to/lib/systemd/system
unit_names="linkaudit.service linkaudit.timer linkaudit-fetch.service linkaudit-fetch.timer"
users=$to/lib/sysusers.d

# What is laid down among the documents, from the root of the package, and what they lead to.
list_documents() {
  (cd "$root" && find README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE SECURITY.md \
    Documentation Integrations -type f ! -name 'test_*' | LC_ALL=C sort)
}

# A file with the places that it was installed to in place of those that it was written for, and
# without links to what isn't installed.
place() {
  sed -E -e 's#\[([^]]*)\]\((\.\./)*(SampleLogs|Sources)/[^)]*\)#\1#g' \
    -e "s#/usr/local/bin/#$prefix/bin/#g" -e "s#/etc/systemd/system/linkaudit#$prefix/lib/systemd/system/linkaudit#g" \
    -e "s#/usr/lib/sysusers.d/#$prefix/lib/sysusers.d/#g" "$1" >"$2"
  chmod 644 "$2"
}

case "$task" in
  install)
    pages=$(mktemp -d)
    trap 'rm -rf "$pages"' EXIT
    # Without what only debuggers read, it is a third of the size.
    if ! { command -v strip >/dev/null 2>&1 && strip -o "$pages/linkaudit" "$binary"; }; then
      cp "$binary" "$pages/linkaudit"
    fi
    # All that can fail is done before anything is laid down.
    "$root/Scripts/make-manuals.py" --binary "$binary" --output "$pages/man"
    # Files stand behind the host in 'HOST=FILE', which zsh has to be told.
    hosts='s/:host=file:_files/:host=file:{compset -P "*="; _files}/'
    for shell in bash zsh fish; do
      # They are read by a shell, not run: a first line that names one has no place there.
      "$binary" --generate-completion-script "$shell" | sed -e '1{/^#!/d;}' -e "$hosts" >"$pages/$shell"
    done
    install -d "$to/bin" "$manual" "$bash_completions" "$zsh_completions" "$fish_completions" \
      "$documents" "$units" "$users"
    install -m 755 "$pages/linkaudit" "$to/bin/linkaudit"
    install -m 644 "$pages"/man/*.1 "$manual/"
    install -m 644 "$pages/bash" "$bash_completions/linkaudit"
    install -m 644 "$pages/zsh" "$zsh_completions/_linkaudit"
    install -m 644 "$pages/fish" "$fish_completions/linkaudit.fish"
    list_documents | while read -r document; do
      install -d "$documents/$(dirname "$document")"
      place "$root/$document" "$documents/$document"
    done
    for unit in $unit_names; do place "$root/Integrations/systemd/$unit" "$units/$unit"; done
    place "$root/Integrations/systemd/linkaudit.sysusers" "$users/linkaudit.conf"
    size=$(($(wc -c <"$to/bin/linkaudit") / 1000000))
    cat <<END
Installed
  command      $to/bin/linkaudit ($size MB)
  manual       $manual ('man linkaudit')
  completions  bash, zsh and fish, below $to/share
  documents    $documents
  systemd      $units/linkaudit.timer, linkaudit-fetch.timer (not enabled)
Next
  linkaudit report /var/log/nginx --host www.example.com --aasa apple-app-site-association
  linkaudit init   # writes a configuration, so that 'linkaudit report' needs no options
END
    case ":$PATH:" in
      *":$prefix/bin:"*) ;;
      *) echo "'$prefix/bin' is not in your PATH." ;;
    esac
    ;;
  remove)
    rm -f "$to/bin/linkaudit" "$bash_completions/linkaudit" "$zsh_completions/_linkaudit" \
      "$fish_completions/linkaudit.fish" "$users/linkaudit.conf"
    for unit in $unit_names; do rm -f "$units/$unit"; done
    # Pages that were made here, and no other's.
    for page in "$manual"/linkaudit.1 "$manual"/linkaudit-*.1; do
      if [ -f "$page" ] && head -n 1 "$page" | grep -q 'Made by Scripts/make-manuals.py'; then rm -f "$page"; fi
    done
    list_documents | while read -r document; do rm -f "$documents/$document"; done
    if [ -d "$documents" ]; then find "$documents" -depth -type d -empty -delete; fi
    ;;
  *) usage ;;
esac
