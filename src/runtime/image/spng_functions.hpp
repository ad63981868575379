#pragma once
// The functions of libspng that we call, as pointers: the library is loaded when the first PNG is
// made or read, because each start of the program would pay for it.

#include <spng.h>

#include "base/loaded_library.hpp"

// clang-format off
#define CLAWPERATOR_LIBSPNG(X)                                                                  \
  X(spng_ctx_free) X(spng_ctx_new) X(spng_decode_chunks) X(spng_decode_image)                   \
  X(spng_decode_row)                                                                            \
  X(spng_encode_image) X(spng_encode_row) X(spng_get_ihdr) X(spng_set_crc_action)               \
  X(spng_set_ihdr) X(spng_set_image_limits) X(spng_set_option) X(spng_set_png_buffer)           \
  X(spng_set_png_stream) X(spng_strerror)
// clang-format on

namespace clawperator {

CLAWPERATOR_LIBSPNG(LOADED_DECLARE)

// At the first call; `unsupported` where it is not installed. Before it nothing above may be
// called.
Result<void> load_libspng();

}  // namespace clawperator
