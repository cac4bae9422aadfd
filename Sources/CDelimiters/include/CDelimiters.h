#ifndef CDELIMITERS_H
#define CDELIMITERS_H

#include <stddef.h>
#include <stdint.h>

/// The greatest number of bytes that this processor compares at a time: 32, 16, or 1.
int delimiters_width(void);

/// Finds each of four bytes in a text.
///
/// `width` is 32, 16, or 1, and at most `delimiters_width()`: tests compare the ways of searching. The
/// wanted bytes are below 128 and differ in their lower halves; a byte may be given twice. Writes
/// their positions in ascending order, and returns their number. There must be room for `count + 64`
/// positions: those after the last one are overwritten, too.
size_t delimiters_find(
    int width, const uint8_t *bytes, size_t count, const uint8_t *wanted, uint32_t *positions);

#endif
