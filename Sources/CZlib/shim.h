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
