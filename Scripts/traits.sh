#!/bin/sh
# Prints the package traits for the libraries that this machine has: ISA-L decompresses gzip
# about twice as fast as libz; zstd, bzip2 and xz are read with their libraries; 'linkaudit fetch'
# needs the headers of libcurl.

. "$(dirname "$0")/headers.sh"

traits=""
if has_header isa-l/igzip_lib.h; then traits="$traits,ISAL"; fi
if has_header zstd.h && has_header zstd_errors.h; then traits="$traits,Zstd"; fi
if has_header bzlib.h; then traits="$traits,Bzip2"; fi
if has_header lzma.h; then traits="$traits,XZ"; fi
if has_header curl/curl.h; then traits="$traits,Curl"; fi
[ -z "$traits" ] || echo "--traits ${traits#,}"
