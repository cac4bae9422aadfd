// The wanted bytes of a block of 64 become the bits of a word; then the positions of the bits are
// written. A block has few of them, but their number is hard to predict. So four are written
// unconditionally, and only blocks with more need a branch.

#include "CProcessor.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define BLOCK 64

static inline __attribute__((always_inline)) size_t write_positions(
    uint64_t bits, size_t base, uint32_t *positions)
{
    size_t found = (size_t)__builtin_popcountll(bits);
    size_t start = 0;
    do {
        for (size_t next = start; next < start + 4; next++) {
            // Without bits, the position is meaningless, but it must be defined.
            positions[next] = (uint32_t)base + (uint32_t)(bits ? __builtin_ctzll(bits) : 64);
            bits &= bits - 1;
        }
        start += 4;
    } while (__builtin_expect(start < found, 0));
    return found;
}

static inline __attribute__((always_inline)) size_t find_from(
    const uint8_t *bytes, size_t start, size_t count, const uint8_t *wanted, uint32_t *positions)
{
    size_t found = 0;
    for (size_t index = start; index < count; index++) {
        uint8_t byte = bytes[index];
        if (byte == wanted[0] || byte == wanted[1] || byte == wanted[2] || byte == wanted[3]) {
            positions[found++] = (uint32_t)index;
        }
    }
    return found;
}

#if defined(__x86_64__)

// The wanted bytes differ in their lower halves, so each byte is compared with the one that has the
// same lower half. A shuffle gives 0 for bytes from 128 on, which are never wanted.
__attribute__((target("avx2,bmi,popcnt"))) static size_t find_avx2(
    const uint8_t *bytes, size_t count, const uint8_t *wanted, uint32_t *positions)
{
    uint8_t table[16];
    // A byte with another lower half equals no byte that is looked up here.
    for (int half = 0; half < 16; half++) table[half] = half == 15 ? 0 : 15;
    for (int index = 0; index < 4; index++) table[wanted[index] & 15] = wanted[index];
    const __m256i candidates =
        _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
    size_t found = 0, index = 0;
    for (; index + BLOCK <= count; index += BLOCK) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(bytes + index));
        __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + index + 32));
        low = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(candidates, low), low);
        high = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(candidates, high), high);
        uint64_t bits = (uint64_t)(uint32_t)_mm256_movemask_epi8(low)
                        | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
        found += write_positions(bits, index, positions + found);
    }
    return found + find_from(bytes, index, count, wanted, positions + found);
}

static size_t find_sse2(
    const uint8_t *bytes, size_t count, const uint8_t *wanted, uint32_t *positions)
{
    const __m128i first = _mm_set1_epi8((char)wanted[0]);
    const __m128i second = _mm_set1_epi8((char)wanted[1]);
    const __m128i third = _mm_set1_epi8((char)wanted[2]);
    const __m128i fourth = _mm_set1_epi8((char)wanted[3]);
    size_t found = 0, index = 0;
    for (; index + BLOCK <= count; index += BLOCK) {
        uint64_t bits = 0;
        for (int quarter = 0; quarter < 4; quarter++) {
            __m128i part = _mm_loadu_si128((const __m128i *)(bytes + index + 16 * quarter));
            __m128i one = _mm_or_si128(_mm_cmpeq_epi8(part, first), _mm_cmpeq_epi8(part, second));
            __m128i other =
                _mm_or_si128(_mm_cmpeq_epi8(part, third), _mm_cmpeq_epi8(part, fourth));
            bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_or_si128(one, other))
                    << (16 * quarter);
        }
        found += write_positions(bits, index, positions + found);
    }
    return found + find_from(bytes, index, count, wanted, positions + found);
}

int delimiters_width(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") ? 32 : 16;
}

size_t delimiters_find(
    int width, const uint8_t *bytes, size_t count, const uint8_t *wanted, uint32_t *positions)
{
    switch (width) {
    case 32: return find_avx2(bytes, count, wanted, positions);
    case 16: return find_sse2(bytes, count, wanted, positions);
    default: return find_from(bytes, 0, count, wanted, positions);
    }
}

#elif defined(__aarch64__)

int delimiters_width(void) { return 16; }

static size_t find_neon(
    const uint8_t *bytes, size_t count, const uint8_t *wanted, uint32_t *positions)
{
    const uint8x16_t first = vdupq_n_u8(wanted[0]), second = vdupq_n_u8(wanted[1]);
    const uint8x16_t third = vdupq_n_u8(wanted[2]), fourth = vdupq_n_u8(wanted[3]);
    // Each byte keeps the bit of its place; adding neighbors three times gathers eight of them.
    const uint8x16_t places = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    size_t found = 0, index = 0;
    for (; index + BLOCK <= count; index += BLOCK) {
        uint8x16_t parts[4];
        for (int quarter = 0; quarter < 4; quarter++) {
            uint8x16_t part = vld1q_u8(bytes + index + 16 * quarter);
            uint8x16_t one = vorrq_u8(vceqq_u8(part, first), vceqq_u8(part, second));
            uint8x16_t other = vorrq_u8(vceqq_u8(part, third), vceqq_u8(part, fourth));
            parts[quarter] = vandq_u8(vorrq_u8(one, other), places);
        }
        uint8x16_t low = vpaddq_u8(parts[0], parts[1]), high = vpaddq_u8(parts[2], parts[3]);
        uint8x16_t sums = vpaddq_u8(low, high);
        sums = vpaddq_u8(sums, sums);
        uint64_t bits = vgetq_lane_u64(vreinterpretq_u64_u8(sums), 0);
        found += write_positions(bits, index, positions + found);
    }
    return found + find_from(bytes, index, count, wanted, positions + found);
}

size_t delimiters_find(
    int width, const uint8_t *bytes, size_t count, const uint8_t *wanted, uint32_t *positions)
{
    return width == 16 ? find_neon(bytes, count, wanted, positions)
                       : find_from(bytes, 0, count, wanted, positions);
}

#else

int delimiters_width(void) { return 1; }

size_t delimiters_find(
    int width, const uint8_t *bytes, size_t count, const uint8_t *wanted, uint32_t *positions)
{
    (void)width;
    return find_from(bytes, 0, count, wanted, positions);
}

#endif
