#!/bin/sh
# Installs what is missing, builds a first command, and reports on SampleLogs.
#
# This is the build of 'swift build': without optimization, for a short wait, and with libz alone,
# which reads SampleLogs. 'make install' builds the command for use.
set -eu
cd "$(dirname "$0")/.."

cat <<'END'
linkaudit demo
  1. installs the C libraries that are missing (apt-get on Debian and Ubuntu)
  2. builds linkaudit: about a minute and a half on two cores the first time, then seconds
  3. reports on the access logs in SampleLogs

END
Scripts/setup.sh
binary=$(Scripts/build.sh --quick)
echo
"$binary" report SampleLogs/logs --aasa SampleLogs/aasa.json --host www.example.com \
  --routes SampleLogs/routes.txt
cat <<'END'

This build is not optimized. For your own logs, install the optimized command (about six minutes, once):

  make install PREFIX="$HOME/.local" && "$HOME/.local/bin/linkaudit" report /var/log/nginx --host www.example.com --aasa apple-app-site-association
END
