#pragma once

#include <isa-l/igzip_lib.h>
#include <stdlib.h>

// The state holds arrays that are too long for Swift to import, so Swift sees a
// pointer to something.

/// Creates a decoder of gzip members, or returns NULL if there is no memory.
static inline void *cisal_create(void) {
  struct inflate_state *state = (struct inflate_state *)malloc(sizeof(struct inflate_state));
  if (state) {
    isal_inflate_init(state);
    state->crc_flag = ISAL_GZIP;
  }
  return state;
}

/// Releases a decoder.
static inline void cisal_destroy(void *decoder) { free(decoder); }

/// Makes a decoder ready for another member.
static inline void cisal_reset(void *decoder) {
  struct inflate_state *state = (struct inflate_state *)decoder;
  isal_inflate_reset(state);
  state->crc_flag = ISAL_GZIP;
}

/// Decodes until the input is used up, the output is full, or the member ends.
///
/// The sizes become those of what is left. Nothing of the buffers is kept.
static inline int cisal_inflate(void *decoder, const uint8_t *input, uint32_t *input_size,
                                uint8_t *output, uint32_t *output_size) {
  struct inflate_state *state = (struct inflate_state *)decoder;
  state->next_in = (uint8_t *)input;
  state->avail_in = *input_size;
  state->next_out = output;
  state->avail_out = *output_size;
  int status = isal_inflate(state);
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
