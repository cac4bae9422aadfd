# The test for headers that setup.sh and traits.sh share; they read this file.

sdk=""
[ "$(uname -s)" != Darwin ] || sdk=$(xcrun --show-sdk-path 2>/dev/null || true)/usr/include

# Whether the C compiler finds a header.
has_header() {
  for folder in /usr/include /usr/include/*-linux-gnu /usr/local/include /opt/homebrew/include $sdk; do
    [ ! -e "$folder/$1" ] || return 0
  done
  return 1
}
