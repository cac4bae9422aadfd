#ifndef CPROCESSOR_H
#define CPROCESSOR_H

#include <stddef.h>
#include <stdint.h>

// Processor instructions that Swift doesn't offer.

/// Prefetches an address into the processor's caches, without waiting.
///
/// Any address is allowed.
static inline void prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }

/// Tells the processor that this thread waits for another one in a loop.
static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/// Returns a bit for each of the first 64 bytes of a text that is one of two bytes, the first byte in
/// the lowest bit.
///
/// The wanted bytes aren't 0.
uint64_t marks_of_block(const uint8_t *bytes, size_t count, uint8_t first, uint8_t second);

/// The maximum number of bytes that this processor compares at a time: 32, 16, or 1.
int delimiters_width(void);

/// Finds each of four bytes in a text.
///
/// `width` is 32, 16, or 1, and at most `delimiters_width()`, so that tests can compare the
/// implementations. The wanted bytes are below 128 and differ in their lower halves; a byte may be
/// given twice. Writes their positions in ascending order, and returns their number. There must be
/// room for `count + 64` positions, because those after the last one are overwritten, too.
size_t delimiters_find(
    int width, const uint8_t *bytes, size_t count, const uint8_t *wanted, uint32_t *positions);

#endif
