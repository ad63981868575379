#include "runtime/host/operator/curl_library.hpp"

#include "base/loaded_library.hpp"

namespace clawperator {

// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses)
#define CLAWPERATOR_DEFINE(name) decltype(&::name) name = nullptr;
CLAWPERATOR_LIBCURL(CLAWPERATOR_DEFINE)
#undef CLAWPERATOR_DEFINE
// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)

namespace {

#define CLAWPERATOR_BIND(name) library.bind(name, #name);

Result<void> load() {
  LoadedLibrary library("libcurl.so.4");
  CLAWPERATOR_LIBCURL(CLAWPERATOR_BIND)
  TRY_VOID(library.complete("libcurl4"));
  if (const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK) {
    return fail(errc::unsupported,
                std::string("libcurl does not start: ") + curl_easy_strerror(code));
  }
  return ok();
}

#undef CLAWPERATOR_BIND

}  // namespace

Result<void> load_curl() {
  static const Result<void> kLoaded = load();
  return kLoaded;
}

}  // namespace clawperator
