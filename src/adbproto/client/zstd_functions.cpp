#include "adbproto/client/zstd_functions.hpp"

namespace adbproto {

ADBPROTO_ZSTD(LOADED_DEFINE)

namespace {

Result<void> load() {
  LoadedLibrary library("libzstd.so.1");
  ADBPROTO_ZSTD(LOADED_BIND)
  return library.complete("libzstd1");
}

}  // namespace

Result<void> load_zstd() {
  static const Result<void> loaded = load();
  return loaded;
}

}  // namespace adbproto
