#pragma once
// The functions of libzstd that we call, as pointers: the library is loaded with the first
// compressed file. The shared one, because only it compresses on threads of its own.

#include <zstd.h>

#include "base/loaded_library.hpp"

// clang-format off
#define ADBPROTO_ZSTD(X)                                                                        \
  X(ZSTD_CCtx_setParameter) X(ZSTD_compress2) X(ZSTD_compressStream2) X(ZSTD_createCCtx)        \
  X(ZSTD_createDCtx) X(ZSTD_decompressStream) X(ZSTD_freeCCtx) X(ZSTD_freeDCtx)                 \
  X(ZSTD_getErrorName) X(ZSTD_isError)
// clang-format on

namespace adbproto {

// Written once, by load_zstd().
ADBPROTO_ZSTD(LOADED_DECLARE)

// At the first call; `unsupported` where it is not installed. Before it nothing above may be
// called.
Result<void> load_zstd();

}  // namespace adbproto
