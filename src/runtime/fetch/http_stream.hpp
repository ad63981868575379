#pragma once
// One exchange over HTTPS by libcurl, read as it comes: certificates are checked, redirects lead to
// https only and are few, a server that stalls ends the exchange. Plain http is for this computer
// itself (a mirror under test). Proxies are those of the environment, as curl reads it.

#include <stop_token>

#include "base/error.hpp"

namespace clawperator {

struct HttpLimits {
  std::chrono::milliseconds connect{15'000};
  std::chrono::seconds stall{30};  // this long next to nothing arrives
  std::chrono::milliseconds whole{3600'000};
};

struct HttpOrder {
  std::string url{};
  std::vector<std::string> headers{};  // "Accept: text/plain"
  std::string range{};                 // "500-"
  std::optional<std::string> post{};   // the body of a POST; a redirect is not followed then
  std::string method{};                // other than GET and POST; nor is one then
  HttpLimits limits{};
};

class HttpStream {
 public:
  virtual ~HttpStream() = default;
  [[nodiscard]] virtual long status() const = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> content_length() const = 0;
  [[nodiscard]] virtual std::optional<std::string> header(const char* name) const = 0;
  // The answer's URL: another than the requested one after a redirect.
  [[nodiscard]] virtual std::string url() const = 0;
  // Blocks; empty at the end. The returned view is valid until the next call.
  virtual Result<std::string_view> read() = 0;
};

// Blocks until the first bytes of the answer are here, or its end. Its errors and those of read():
// invalid_argument (the URL), unsupported (no libcurl), io, deadline_exceeded, cancelled.
Result<std::unique_ptr<HttpStream>> open_http(HttpOrder order, std::stop_token stop);

// https://HOST..., or http:// to a loopback address; no user names, no odd characters.
Result<void> check_url(std::string_view url);

// One file by GET, whole or its missing rest; its size is bounded.
struct HttpRequest {
  std::string url{};
  std::uint64_t offset = 0;     // bytes that are here already: only the rest is requested
  std::uint64_t max_bytes = 0;  // of the whole file
  HttpLimits limits{};
};

// The body that a server announces.
struct HttpBody {
  std::uint64_t offset = 0;             // 0: from the start, whatever the request was
  std::optional<std::uint64_t> size{};  // of the whole file, where the server reports it
};

class HttpSink {
 public:
  virtual ~HttpSink() = default;
  // Once, before the first byte; not for answers other than 200 and 206.
  virtual Result<void> begin(const HttpBody& body) = 0;
  virtual Result<void> take(std::string_view bytes) = 0;
};

// Blocks; returns the status of the answer, also one of an error. The sink's errors are passed on;
// ours are invalid_argument (the URL), unsupported (no libcurl), io, deadline_exceeded, limit,
// protocol, cancelled.
Result<long> fetch(const HttpRequest& request, HttpSink* sink, std::stop_token stop);

// "bytes 5-9/10" -> offset 5, size 10 (absent for '*').
std::optional<HttpBody> parse_content_range(std::string_view value);

}  // namespace clawperator
