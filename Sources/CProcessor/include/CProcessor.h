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

/// Returns whether a byte is one of `a` to `z`, `0` to `9` and `-._=&/`.
static inline int is_plain_byte(uint8_t byte)
{
    // '-', '.', '/' and the digits are consecutive.
    return (uint8_t)(byte - 'a') < 26 || (uint8_t)(byte - '-') < 13 || byte == '_' || byte == '='
           || byte == '&';
}

/// Returns whether a text consists of `a` to `z`, `0` to `9` and `-._=&/`, and has no two slashes in
/// a row.
static inline int is_plain_text(const uint8_t *bytes, size_t count)
{
    typedef uint8_t vector __attribute__((vector_size(16), aligned(1)));
    typedef uint64_t words __attribute__((vector_size(16)));
    size_t index = 0;
    vector bad = {0};
    // Each step compares a byte and the next one; the last step may repeat some.
    while (count >= 17) {
        vector one = *(const vector *)(bytes + index), next = *(const vector *)(bytes + index + 1);
        // The same as is_plain_byte, for sixteen bytes.
        bad |= ~(vector)((vector)((one - 'a') < 26) | (vector)((one - '-') < 13)
                         | (vector)(one == '_') | (vector)(one == '=') | (vector)(one == '&'));
        bad |= (vector)(one == '/') & (vector)(next == '/');
        if (index + 17 == count) {
            words sum = (words)bad;
            return (sum[0] | sum[1]) == 0 && is_plain_byte(bytes[count - 1]);
        }
        index = index + 33 <= count ? index + 16 : count - 17;
    }
    uint8_t previous = 0;
    for (; index < count; index++) {
        uint8_t byte = bytes[index];
        if (!is_plain_byte(byte) || (byte == '/' && previous == '/')) return 0;
        previous = byte;
    }
    return 1;
}

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
