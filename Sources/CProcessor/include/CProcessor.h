#ifndef CPROCESSOR_H
#define CPROCESSOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/// Sixteen bytes, or a property of each: 255 or 0.
typedef uint8_t sixteen_bytes __attribute__((vector_size(16), aligned(1)));

/// Two words of eight bytes, the first byte in the lowest bits, as on all processors that this runs
/// on.
typedef uint64_t two_words __attribute__((vector_size(16)));

/// Returns the bytes of a text of at most sixteen bytes, and zeros after them.
static inline sixteen_bytes up_to_sixteen(const uint8_t *bytes, size_t count)
{
    two_words words = {0, 0};
    if (count >= 8) {
        uint64_t low, high;
        memcpy(&low, bytes, 8);
        memcpy(&high, bytes + count - 8, 8);
        words[0] = low;
        if (count > 8) words[1] = high >> (8 * (16 - count));
    } else {
        uint64_t word = 0;
        for (size_t index = 0; index < count; index++) word |= (uint64_t)bytes[index] << (8 * index);
        words[0] = word;
    }
    return (sixteen_bytes)words;
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
