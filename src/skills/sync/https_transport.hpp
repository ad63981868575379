#pragma once
// git's smart protocol over our own HTTPS (runtime/host/http_stream) beneath libgit2, whose own has
// no time limit and knows no TLS 1.3.
//
//   GET  URL/info/refs?service=git-upload-pack       redirects are followed, and then hold for:
//   POST URL/git-upload-pack

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

#include "runtime/host/http_stream.hpp"
#include "skills/sync/git_functions.hpp"

namespace clawperator::skills {

// Of everything that one sync fetches.
inline constexpr std::uint64_t kMaxFetched = 512ULL << 20;

using OnFetched =
    std::function<void(std::uint64_t bytes, std::uint64_t objects, std::uint64_t objects_in_all)>;

// What libgit2's callbacks share with the fetch that they belong to: `payload` of all of them.
struct FetchWatch {
  std::stop_token stop{};
  HttpLimits limits{};
  OnFetched on_fetched{};
  std::uint64_t fetched = 0;       // bytes of answers
  bool asked_agent = false;        // for a key, once
  std::optional<Error> failure{};  // why a callback said no; says more than libgit2's error
};

// For git_remote_callbacks::transport, of https:// and http:// URLs.
int make_https_transport(git_transport** out, git_remote* owner, void* watch);

}  // namespace clawperator::skills
