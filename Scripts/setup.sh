#!/bin/sh
# Installs what building and testing need and this machine lacks. Says nothing about what is there.
#
#   setup.sh [OPTION...]
#
# Each option installs what a suite of tests needs, too; cases without their tools are left out. The table below lists
# programs with their packages, headers and Python's modules, and where modules go in .build.
set -eu

# option        packages: NAME of a program, PROGRAM:PACKAGE, a /file:PACKAGE, python:MODULE:PACKAGE
# option        folder in .build, modules to find, and what pip installs there
table='
--checks        promtool:prometheus python:yaml:python3-yaml
--checks        pip checks jsonschema_rs jsonschema-rs==0.61.0
--browser       chromium chromedriver:chromium-driver python:selenium:python3-selenium
--browser       pip browser axe_core_python axe-core-python==0.1.0
--store         logrotate strace zstd
--fetch         nginx:nginx-light openssl
--faults        strace cc:gcc cc:libc6-dev /usr/share/i18n/locales/de_DE:locales
--safety        strace openssl
--dashboards    prometheus prometheus-node-exporter
--dashboards    pip dashboards datasette datasette==0.65.5
--spark         java:default-jre-headless
--spark         pip spark/venv pyspark pyspark==3.5.6
--spark-connect java:default-jre-headless
--spark-connect pip spark/connect pyspark,pandas,pyarrow,grpc_status pyspark[connect]==4.0.1 pandas<3
--warehouses    java:default-jre-headless
--warehouses    pip warehouses chdb,duckdb,pyspark,sqlglot chdb==4.4.0 duckdb==2.0.0 pyspark==4.3.0 sqlglot==30.30.0
--package       zsh fish man:man-db groff mandoc lintian debootstrap dpkg-shlibdeps:dpkg-dev podman runc ruby
--package       /usr/share/bash-completion/bash_completion:bash-completion
--package       pip package cyclonedx.validation.json,jsonschema,check_jsonschema cyclonedx-python-lib[json-validation]==11.12.0 check-jsonschema==0.39.0
--peers         goaccess igzip:isal
--peers         pip peers chdb,duckdb chdb duckdb
'

for option in "$@"; do
  case "$table" in
    *"
$option "*) ;;
    *)
      echo "setup: '$option' is not an option; options are $(echo "$table" | sed -n "s/ .*//p" | uniq | tr '\n' ' ')" >&2
      exit 64
      ;;
  esac
done

if ! command -v "${SWIFT:-swift}" >/dev/null 2>&1; then
  echo "setup: there is no Swift toolchain; install one of 6.2 or later: https://www.swift.org/install" >&2
  exit 1
fi

. "$(dirname "$0")/headers.sh"

if [ "$(uname -s)" = Darwin ]; then
  # libz comes with the system's SDK.
  if ! xcrun --show-sdk-path >/dev/null 2>&1; then
    echo "setup: the command line tools are missing; run 'xcode-select --install'" >&2
    exit 1
  fi
  exit 0
fi

missing=""
has_header zlib.h || missing="$missing zlib1g-dev"
# The store of nightly runs is an SQLite database.
has_header sqlite3.h || missing="$missing libsqlite3-dev"
# The configuration is YAML.
has_header yaml.h || missing="$missing libyaml-dev"
command -v git >/dev/null 2>&1 || missing="$missing git"
# The script that writes SampleLogs is in Python; a test runs it.
command -v python3 >/dev/null 2>&1 || missing="$missing python3"
# ISA-L reads gzip twice as fast as libz; the others read zstd, bzip2 and xz.
wanted=""
has_header isa-l/igzip_lib.h || wanted="$wanted libisal-dev"
has_header zstd_errors.h || wanted="$wanted libzstd-dev"
has_header bzlib.h || wanted="$wanted libbz2-dev"
has_header lzma.h || wanted="$wanted liblzma-dev"
# 'linkaudit fetch' needs libcurl; everything else works without it.
has_header curl/curl.h || wanted="$wanted libcurl4-openssl-dev"

# Whether a program is there, also where only root looks, or a file, or a module of some Python of this machine.
is_there() {
  case "$1" in
    /*) [ -e "$1" ] ;;
    python:*)
      python3 -c "import ${1#python:}" 2>/dev/null || /usr/bin/python3 -c "import ${1#python:}" 2>/dev/null
      ;;
    java) [ -n "${JAVA_HOME:-}" ] || command -v java >/dev/null 2>&1 ;;
    *) PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# Installs packages for Python in a folder of .build, unless the modules are there.
with_pip() {
  folder="$(dirname "$0")/../.build/$1" modules=$2
  shift 2
  "$folder/bin/python" -c "import $modules" 2>/dev/null || {
    python3 -m venv "$folder" && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
  } >/dev/null 2>&1 || echo "setup: $* could not be installed; continuing without" >&2
}

for option in "$@"; do
  # Words are split on purpose, and brackets are no patterns.
  set -f
  while read -r name words; do
    [ "$name" = "$option" ] || continue
    # shellcheck disable=SC2086
    set -- $words
    if [ "$1" = pip ]; then
      shift
      with_pip "$@" </dev/null
      continue
    fi
    for word in "$@"; do
      is_there "${word%:*}" || case " $wanted " in *" ${word##*:} "*) ;; *) wanted="$wanted ${word##*:}" ;; esac
    done
  done <<END
$table
END
  set +f
done
[ -z "$missing$wanted" ] && exit 0

if ! command -v apt-get >/dev/null 2>&1 && [ -z "$missing" ]; then exit 0; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: these packages are missing (Debian names):$missing" >&2
  exit 1
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  # Nobody is asked for a password for what is merely wanted.
  if [ -z "$missing" ] && ! sudo -n true 2>/dev/null; then exit 0; fi
  if ! command -v sudo >/dev/null 2>&1; then
    echo "setup: not root, and there is no sudo; run 'apt-get install$missing' as root" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "setup: installing$missing$wanted" >&2
export DEBIAN_FRONTEND=noninteractive
# Words split on purpose.
# shellcheck disable=SC2086
{
  if [ -n "$missing" ]; then
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
  else
    $as_root apt-get update -qq 2>/dev/null || true
  fi
  # All at once, or one by one, so that one that can't be had leaves the others.
  [ -z "$wanted" ] || $as_root apt-get install -y -qq --no-install-recommends $wanted >/dev/null 2>&1 ||
    for package in $wanted; do
      $as_root apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 ||
        echo "setup: $package could not be installed; continuing without it" >&2
    done
}
