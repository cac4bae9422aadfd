#pragma once

// ISA-L is loaded when it is first needed, not linked: one binary then runs with
// and without it. Its state holds arrays that are too long for Swift to import,
// so Swift sees a pointer without a type.
#include <dlfcn.h>
#include <isa-l/igzip_lib.h>
#include <limits.h>
#include <stdlib.h>

/// The functions of ISA-L; each can be called from any thread.
typedef struct __attribute__((swift_attr("@Sendable"))) cisal_library {
  void (*init)(struct inflate_state *);
  void (*reset)(struct inflate_state *);
  int (*inflate)(struct inflate_state *);
  void (*deflate_init)(struct isal_zstream *);
  int (*deflate)(struct isal_zstream *);
} cisal_library;

/// Loads ISA-L; returns whether the system has it.
static inline int cisal_load(cisal_library *library) {
#ifdef __APPLE__
  void *handle = dlopen("libisal.2.dylib", RTLD_NOW | RTLD_LOCAL);
  if (!handle) handle = dlopen("/opt/homebrew/lib/libisal.2.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *handle = dlopen("libisal.so.2", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!handle) return 0;
  *(void **)&library->init = dlsym(handle, "isal_inflate_init");
  *(void **)&library->reset = dlsym(handle, "isal_inflate_reset");
  *(void **)&library->inflate = dlsym(handle, "isal_inflate");
  *(void **)&library->deflate_init = dlsym(handle, "isal_deflate_init");
  *(void **)&library->deflate = dlsym(handle, "isal_deflate");
  return library->init && library->reset && library->inflate && library->deflate_init &&
         library->deflate;
}

/// Makes a decoder ready for another member.
static inline void cisal_reset(const cisal_library *library, void *decoder) {
  struct inflate_state *state = (struct inflate_state *)decoder;
  library->reset(state);
  state->crc_flag = ISAL_GZIP;
}

/// Creates a decoder of gzip members, or returns NULL if there is no memory.
static inline void *cisal_create(const cisal_library *library) {
  struct inflate_state *state = (struct inflate_state *)malloc(sizeof(struct inflate_state));
  if (state) {
    library->init(state);
    state->crc_flag = ISAL_GZIP;
  }
  return state;
}

/// Releases a decoder.
static inline void cisal_destroy(void *decoder) { free(decoder); }

/// Decodes until the input is used up, the output is full, or the member ends.
///
/// The sizes become those of what is left. The decoder keeps no pointer to the buffers.
static inline int cisal_inflate(const cisal_library *library, void *decoder, const uint8_t *input,
                                uint32_t *input_size, uint8_t *output, uint32_t *output_size) {
  struct inflate_state *state = (struct inflate_state *)decoder;
  state->next_in = (uint8_t *)input;
  state->avail_in = *input_size;
  state->next_out = output;
  state->avail_out = *output_size;
  int status = library->inflate(state);
  *input_size = state->avail_in;
  *output_size = state->avail_out;
  state->next_in = NULL;
  state->next_out = NULL;
  return status;
}

/// Whether the member has ended, its checksum included.
static inline int cisal_has_ended(void *decoder) {
  return ((struct inflate_state *)decoder)->block_state == ISAL_BLOCK_FINISH;
}

/// Returns a size of the output that is enough for an input of `size` bytes.
static inline size_t cisal_deflate_bound(size_t size) { return size + size / 8 + 1024; }

/// Compresses a whole input (RFC 1951); returns the length of the output, or 0 if it doesn't fit or
/// there is no memory.
///
/// The level is the highest whose output is the same on all usual processors (x86-64 with SSE4.2):
/// the next one reads memory that nobody wrote.
static inline size_t cisal_deflate(const cisal_library *library, const uint8_t *input, size_t size,
                                   uint8_t *output, size_t output_size) {
  if (size > UINT_MAX || output_size > UINT_MAX) return 0;
  struct isal_zstream *stream = (struct isal_zstream *)malloc(sizeof(struct isal_zstream));
  uint8_t *buffer = (uint8_t *)calloc(1, ISAL_DEF_LVL2_DEFAULT);
  size_t length = 0;
  if (stream && buffer) {
    library->deflate_init(stream);
    stream->level = 2;
    stream->level_buf = buffer;
    stream->level_buf_size = ISAL_DEF_LVL2_DEFAULT;
    stream->end_of_stream = 1;
    stream->flush = NO_FLUSH;
    stream->next_in = (uint8_t *)input;
    stream->avail_in = (uint32_t)size;
    stream->next_out = output;
    stream->avail_out = (uint32_t)output_size;
    if (library->deflate(stream) == COMP_OK && stream->internal_state.state == ZSTATE_END) {
      length = stream->total_out;
    }
  }
  free(stream);
  free(buffer);
#ifdef __x86_64__
  // ISA-L leaves the upper halves of vector registers in use, which slows down older vector
  // instructions that follow.
  if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper" ::: "memory");
#endif
  return length;
}
