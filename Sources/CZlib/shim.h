#pragma once

// Import `next_in` as a pointer to const, so that Swift can pass input that it
// only reads.
#define ZLIB_CONST
#include <zlib.h>

/// Initializes `stream` to decode gzip.
///
/// `inflateInit2` is a macro, which Swift can't import.
static inline int czlib_inflateInitGzip(z_streamp stream) {
  return inflateInit2(stream, 16 + MAX_WBITS);
}

/// Initializes `stream` to encode raw deflate.
static inline int czlib_deflateInitRaw(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}

/// Initializes `stream` to decode raw deflate.
static inline int czlib_inflateInitRaw(z_streamp stream) {
  return inflateInit2(stream, -MAX_WBITS);
}
