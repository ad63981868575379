#pragma once
// The functions of libcurl that we call, as pointers: the library is loaded when something is
// downloaded for the first time, because each start of the program would pay for it.
//
// Within namespace clawperator these names hide libcurl's own, so calls read as they always do.
// Nothing links libcurl: a function that is missing here fails to link.

#include <curl/curl.h>

#include "base/error.hpp"

// clang-format off
#define CLAWPERATOR_LIBCURL(X)                                                                  \
  X(curl_easy_cleanup) X(curl_easy_getinfo) X(curl_easy_header) X(curl_easy_init)               \
  X(curl_easy_setopt) X(curl_easy_strerror) X(curl_global_init) X(curl_multi_add_handle)        \
  X(curl_multi_cleanup) X(curl_multi_info_read) X(curl_multi_init) X(curl_multi_perform)        \
  X(curl_multi_poll) X(curl_multi_remove_handle) X(curl_multi_wakeup)
// clang-format on

namespace clawperator {

// Written once, by load_curl().
// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses)
#define CLAWPERATOR_DECLARE(name) extern decltype(&::name) name;
CLAWPERATOR_LIBCURL(CLAWPERATOR_DECLARE)
#undef CLAWPERATOR_DECLARE
// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)

// At the first call; `unsupported` where it is not installed. Before it nothing above may be
// called.
Result<void> load_curl();

}  // namespace clawperator
