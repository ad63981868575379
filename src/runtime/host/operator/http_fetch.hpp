#pragma once
// One file by GET, whole or what is missing of it; its size is bounded.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "runtime/host/http_stream.hpp"

namespace clawperator {

struct HttpRequest {
  std::string url{};
  std::uint64_t offset = 0;     // bytes that are here already: only what follows is asked for
  std::uint64_t max_bytes = 0;  // of the whole file
  HttpLimits limits{};
};

// What a server is about to send.
struct HttpBody {
  std::uint64_t offset = 0;             // 0: from the start, whatever was asked for
  std::optional<std::uint64_t> size{};  // of the whole file, where the server tells
};

class HttpSink {
 public:
  virtual ~HttpSink() = default;
  // Once, before the first byte; not for answers other than 200 and 206.
  virtual Result<void> begin(const HttpBody& body) = 0;
  virtual Result<void> take(std::string_view bytes) = 0;
};

// Blocks; the status of the answer, whatever it is. The sink's errors are passed on; ours are
// invalid_argument (the URL), unsupported (no libcurl), io, deadline_exceeded, limit, protocol,
// cancelled.
Result<long> fetch(const HttpRequest& request, HttpSink* sink, std::stop_token stop);

// "bytes 5-9/10" -> offset 5, size 10 (absent for '*').
std::optional<HttpBody> parse_content_range(std::string_view value);

}  // namespace clawperator
