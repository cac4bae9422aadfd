#include "CProcessor.h"
#include <string.h>

// Sixteen bytes, or a property of each: 255 or 0.
typedef uint8_t sixteen_bytes __attribute__((vector_size(16), aligned(1)));

// Two words of eight bytes, the first byte in the lowest bits, as on all processors that this runs
// on.
typedef uint64_t two_words __attribute__((vector_size(16)));

// Returns the bytes of a text of at most sixteen bytes, and zeros after them.
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

// A bit for each of sixteen bytes that has a property, the first byte in the lowest bit.
static inline uint64_t bits_of_sixteen(sixteen_bytes property)
{
#if defined(__x86_64__)
    typedef char sixteen_chars __attribute__((vector_size(16)));
    return (uint64_t)(uint32_t)__builtin_ia32_pmovmskb128((sixteen_chars)property);
#else
    // Each byte keeps the bit of its place, and a multiplication adds up the bytes of a word.
    two_words words = ((two_words)property & 0x8040201008040201) * 0x0101010101010101 >> 56;
    return words[0] | words[1] << 8;
#endif
}

static inline uint64_t marks_of_sixteen(sixteen_bytes text, uint8_t first, uint8_t second)
{
    return bits_of_sixteen((sixteen_bytes)(text == first) | (sixteen_bytes)(text == second));
}

uint64_t marks_of_block(const uint8_t *bytes, size_t count, uint8_t first, uint8_t second)
{
    const sixteen_bytes *parts = (const sixteen_bytes *)bytes;
    if (count >= 64) {
        return marks_of_sixteen(parts[0], first, second)
               | marks_of_sixteen(parts[1], first, second) << 16
               | marks_of_sixteen(parts[2], first, second) << 32
               | marks_of_sixteen(parts[3], first, second) << 48;
    }
    uint64_t bits = 0;
    size_t index = 0;
    for (; index + 16 <= count; index += 16) {
        bits |= marks_of_sixteen(*(const sixteen_bytes *)(bytes + index), first, second) << index;
    }
    sixteen_bytes rest = up_to_sixteen(bytes + index, count - index);
    return bits | marks_of_sixteen(rest, first, second) << index;
}
