#!/bin/sh
# Installs what building and testing need and this machine lacks. Says nothing
# about what is there.
#
#   setup.sh [--checks] [--browser] [--store] [--fetch] [--faults] [--safety] [--dashboards] [--spark] [--spark-connect] [--warehouses] [--package] [--peers]
#
# With --checks, also the programs of others that tests hold reports against, and without
# which they are skipped: promtool, of the package prometheus, and jsonschema and PyYAML for Python.
# With --browser, what 'make test-page' needs, too: Chromium, its driver, and Selenium.
# With --store, what cases of 'make test-store' need, and without which they are left out:
# logrotate, strace and zstd.
# With --fetch, what cases of 'make test-fetch' need, and without which they are left out:
# nginx and openssl.
# With --faults, what cases of 'make test-faults' need, and without which they are left out:
# strace, a C compiler, and what locales are made of.
# With --safety, what cases of 'make test-safety' need, and without which they are left out:
# strace and openssl.
# With --dashboards, what 'make test-dashboards' needs, too: Prometheus, node_exporter, and
# Datasette in .build/dashboards.
# With --spark, what 'make test-spark' needs, too: Java, and PySpark in .build/spark;
# with --spark-connect, what 'make test-spark-connect' needs.
# With --warehouses, what 'make test-sql' and cases of 'make test-rows' need, too: Java, and in
# .build/warehouses ClickHouse, DuckDB, PySpark and a parser of SQL for Python.
# With --package, what parts of 'make test-package' need, and without which they are left out:
# shells, readers of manuals, Debian's tools for packages, podman, Ruby, and in .build/package
# validators of bills of materials and workflows.
# With --peers, what 'make benchmark-peers' compares with, and leaves out if it is missing: GoAccess,
# and ClickHouse and DuckDB as packages for Python in .build/peers.
set -eu

checks=""
browser=""
store=""
fetch=""
faults=""
safety=""
dashboards=""
spark=""
connect=""
warehouses=""
package_tools=""
peers=""
for option in "$@"; do
  case "$option" in
    --checks) checks=yes ;;
    --browser) browser=yes ;;
    --store) store=yes ;;
    --fetch) fetch=yes ;;
    --faults) faults=yes ;;
    --safety) safety=yes ;;
    --dashboards) dashboards=yes ;;
    --spark) spark=yes ;;
    --spark-connect) connect=yes ;;
    --warehouses) warehouses=yes ;;
    --package) package_tools=yes ;;
    --peers) peers=yes ;;
    *)
      echo "setup: '$option' is not an option; options are '--checks', '--browser', '--store', '--fetch', '--faults', '--safety', '--dashboards', '--spark', '--spark-connect', '--warehouses', '--package' and '--peers'" >&2
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
if [ -n "$checks" ]; then
  command -v promtool >/dev/null 2>&1 || wanted="$wanted prometheus"
  # The python3 of the path need not be the one that sees the system's packages.
  python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null ||
    /usr/bin/python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null ||
    wanted="$wanted python3-jsonschema"
  python3 -c 'import yaml' 2>/dev/null || wanted="$wanted python3-yaml"
fi
if [ -n "$browser" ]; then
  command -v chromium >/dev/null 2>&1 || wanted="$wanted chromium"
  command -v chromedriver >/dev/null 2>&1 || wanted="$wanted chromium-driver"
  /usr/bin/python3 -c 'import selenium' 2>/dev/null || wanted="$wanted python3-selenium"
  # axe checks accessibility; the page is tested without it, too.
  axe="$(dirname "$0")/../.build/browser"
  [ -d "$axe" ] || python3 -m pip install --quiet --no-deps --disable-pip-version-check \
    --root-user-action=ignore --target "$axe" axe-core-python==0.1.0 2>/dev/null ||
    echo "setup: axe could not be installed; continuing without it" >&2
fi
if [ -n "$store" ]; then
  # logrotate is where only root looks.
  PATH="$PATH:/usr/sbin" command -v logrotate >/dev/null 2>&1 || wanted="$wanted logrotate"
  command -v strace >/dev/null 2>&1 || wanted="$wanted strace"
  command -v zstd >/dev/null 2>&1 || wanted="$wanted zstd"
fi
if [ -n "$fetch" ]; then
  # nginx is where only root looks.
  PATH="$PATH:/usr/sbin" command -v nginx >/dev/null 2>&1 || wanted="$wanted nginx-light"
  command -v openssl >/dev/null 2>&1 || wanted="$wanted openssl"
fi
if [ -n "$faults" ]; then
  command -v strace >/dev/null 2>&1 || wanted="$wanted strace"
  command -v cc >/dev/null 2>&1 || wanted="$wanted gcc libc6-dev"
  [ -e /usr/share/i18n/locales/de_DE ] || wanted="$wanted locales"
fi
if [ -n "$safety" ]; then
  command -v strace >/dev/null 2>&1 || wanted="$wanted strace"
  command -v openssl >/dev/null 2>&1 || wanted="$wanted openssl"
fi
if [ -n "$dashboards" ]; then
  command -v prometheus >/dev/null 2>&1 || wanted="$wanted prometheus"
  command -v prometheus-node-exporter >/dev/null 2>&1 || wanted="$wanted prometheus-node-exporter"
  folder="$(dirname "$0")/../.build/dashboards"
  "$folder/bin/python" -c 'import datasette' 2>/dev/null || {
    python3 -m venv "$folder" &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check datasette==0.65.5
  } >/dev/null 2>&1 || echo "setup: Datasette could not be installed; continuing without it" >&2
fi
if [ -n "$spark$connect$warehouses" ]; then
  [ -n "${JAVA_HOME:-}" ] || command -v java >/dev/null 2>&1 || wanted="$wanted default-jre-headless"
fi
if [ -n "$spark" ]; then
  pyspark="$(dirname "$0")/../.build/spark/venv"
  "$pyspark/bin/python" -c 'import pyspark' 2>/dev/null || {
    python3 -m venv "$pyspark" &&
      "$pyspark/bin/python" -m pip install --quiet --disable-pip-version-check pyspark==3.5.6
  } >/dev/null 2>&1 || echo "setup: PySpark could not be installed; continuing without it" >&2
fi
if [ -n "$connect" ]; then
  # PySpark has the server of Spark Connect among its jars from version 4 on.
  folder="$(dirname "$0")/../.build/spark/connect"
  "$folder/bin/python" -c 'import pyspark, pandas, pyarrow, grpc_status' 2>/dev/null || {
    python3 -m venv "$folder" &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check 'pyspark[connect]==4.0.1' 'pandas<3'
  } >/dev/null 2>&1 || echo "setup: Spark Connect could not be installed; continuing without it" >&2
fi
if [ -n "$warehouses" ]; then
  folder="$(dirname "$0")/../.build/warehouses"
  "$folder/bin/python" -c 'import chdb, duckdb, pyspark, sqlglot' 2>/dev/null || {
    python3 -m venv "$folder" &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
        chdb==4.4.0 duckdb==2.0.0 pyspark==4.3.0 sqlglot==30.30.0
  } >/dev/null 2>&1 || echo "setup: ClickHouse, DuckDB and Spark could not be installed; continuing without them" >&2
fi
if [ -n "$peers" ]; then
  command -v goaccess >/dev/null 2>&1 || wanted="$wanted goaccess"
  command -v igzip >/dev/null 2>&1 || wanted="$wanted isal"
  folder="$(dirname "$0")/../.build/peers"
  "$folder/bin/python" -c 'import chdb, duckdb' 2>/dev/null || {
    python3 -m venv "$folder" &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check chdb duckdb
  } >/dev/null 2>&1 || echo "setup: ClickHouse and DuckDB could not be installed; continuing without them" >&2
fi
if [ -n "$package_tools" ]; then
  for program in zsh fish man:man-db groff mandoc lintian debootstrap dpkg-shlibdeps:dpkg-dev podman runc ruby; do
    # debootstrap is where only root looks.
    PATH="$PATH:/usr/sbin" command -v "${program%%:*}" >/dev/null 2>&1 || wanted="$wanted ${program##*:}"
  done
  folder="$(dirname "$0")/../.build/package"
  "$folder/bin/python" -c 'import cyclonedx.validation.json, jsonschema, check_jsonschema' 2>/dev/null || {
    python3 -m venv "$folder" &&
      "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
        'cyclonedx-python-lib[json-validation]==11.12.0' check-jsonschema==0.39.0
  } >/dev/null 2>&1 || echo "setup: validators could not be installed; continuing without them" >&2
  [ -e /usr/share/bash-completion/bash_completion ] || wanted="$wanted bash-completion"
fi
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
