#!/bin/sh
# Installs what is missing, builds a first command, and reports on SampleLogs.
#
# The build is made for a short wait: the modules that read logs and match URLs are optimized, and
# everything else is not. 'make install' builds the command for use.
set -eu
cd "$(dirname "$0")/.."

cat <<'END'
linkaudit demo
  1. installs the C libraries that are missing (apt-get on Debian and Ubuntu)
  2. builds linkaudit: about three minutes on two cores the first time, then seconds
  3. reports on the access logs in SampleLogs

END
Scripts/setup.sh
binary=$(Scripts/build.sh --quick)
echo
"$binary" report SampleLogs/logs --aasa SampleLogs/aasa.json --host www.example.com \
  --routes SampleLogs/routes.txt
cat <<END

Your own logs, with the association file that your site serves:

  $binary fetch www.example.com --from origin --save - | $binary report /var/log/nginx --aasa - --host www.example.com

'make install' builds the optimized command, in about six minutes, and installs it.
END
