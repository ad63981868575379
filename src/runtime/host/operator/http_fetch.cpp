#include "runtime/host/operator/http_fetch.hpp"

#include <charconv>

namespace clawperator {

namespace {

constexpr long kOk = 200;
constexpr long kPartial = 206;

class Transfer {
 public:
  Transfer(const HttpRequest& request, HttpSink* sink, HttpStream* stream)
      : request_(request), sink_(sink), stream_(stream) {}

  Result<long> run() {
    const long status = stream_->status();
    if (status != kOk && status != kPartial) return status;  // the page of a 404 is not wanted
    TRY_VOID(begin());
    for (;;) {
      TRY(const std::string_view bytes, stream_->read());
      if (bytes.empty()) return status;
      position_ += bytes.size();
      if (position_ > request_.max_bytes) return too_long();
      TRY_VOID(sink_->take(bytes));
    }
  }

 private:
  Result<void> begin() {
    HttpBody body;
    body.size = stream_->content_length();
    if (stream_->status() == kPartial) {
      const auto range = parse_content_range(stream_->header("Content-Range").value_or(""));
      if (!range || range->offset != request_.offset || request_.offset == 0) {
        return fail(errc::protocol, "the server sent a part of the file that nobody asked for");
      }
      body = *range;
    }
    if (body.size.value_or(0) > request_.max_bytes) return too_long();
    position_ = body.offset;
    return sink_->begin(body);
  }

  [[nodiscard]] std::unexpected<Error> too_long() const {
    return fail(errc::limit,
                "the file is longer than " + std::to_string(request_.max_bytes) + " bytes");
  }

  const HttpRequest& request_;
  HttpSink* sink_;
  HttpStream* stream_;
  std::uint64_t position_ = 0;
};

}  // namespace

std::optional<HttpBody> parse_content_range(std::string_view value) {
  constexpr std::string_view kUnit = "bytes ";
  if (!value.starts_with(kUnit)) return std::nullopt;
  const char* at = value.data() + kUnit.size();
  const char* const end = value.data() + value.size();
  HttpBody body;
  std::uint64_t last = 0;
  auto read = std::from_chars(at, end, body.offset);
  if (read.ec != std::errc{} || read.ptr == end || *read.ptr != '-') return std::nullopt;
  read = std::from_chars(read.ptr + 1, end, last);
  if (read.ec != std::errc{} || read.ptr == end || *read.ptr != '/') return std::nullopt;
  at = read.ptr + 1;
  if (last < body.offset) return std::nullopt;
  if (std::string_view(at, end) == "*") return body;
  std::uint64_t size = 0;
  read = std::from_chars(at, end, size);
  if (read.ec != std::errc{} || read.ptr != end || size <= last) return std::nullopt;
  body.size = size;
  return body;
}

Result<long> fetch(const HttpRequest& request, HttpSink* sink, std::stop_token stop) {
  HttpOrder order;
  order.url = request.url;
  order.limits = request.limits;
  if (request.offset > 0) order.range = std::to_string(request.offset) + "-";
  TRY(const auto stream, open_http(std::move(order), std::move(stop)));
  return Transfer(request, sink, stream.get()).run();
}

}  // namespace clawperator
