#include "runtime/image/spng_functions.hpp"

namespace clawperator {

CLAWPERATOR_LIBSPNG(LOADED_DEFINE)

namespace {

Result<void> load() {
  LoadedLibrary library("libspng.so.0");
  CLAWPERATOR_LIBSPNG(LOADED_BIND)
  return library.complete("libspng0");
}

}  // namespace

Result<void> load_libspng() {
  static const Result<void> loaded = load();
  return loaded;
}

}  // namespace clawperator
