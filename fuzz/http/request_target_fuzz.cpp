// Invariants: what is decoded holds no NUL and is never longer than what came; encoding it byte by
// byte and decoding again gives the same; the segments are those of the path, in its order.

#include "runtime/http/request.hpp"
#include "wire/chunks.hpp"

using namespace clawperator::http;
using namespace adbproto;

namespace {

std::string encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string escapes;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    escapes += {'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return escapes;
}

void check_segments(const Request& request) {
  std::size_t at = 0;
  for (const std::string& segment : request.segments) {
    fuzz::require(!segment.empty());
    at = request.path.find(segment, at);
    fuzz::require(at != std::string::npos);
    at += segment.size();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = as_text(fuzz::input(data, size));
  if (const auto decoded = percent_decoded(text)) {
    fuzz::require(decoded->size() <= text.size() && !decoded->contains('\0'));
    fuzz::require(percent_decoded(encoded(*decoded)) == decoded);
  }
  for (const auto& [name, value] : query_parameters(text).value_or(Request::Pairs{})) {
    const auto again = query_parameters(encoded(name) + "=" + encoded(value));
    fuzz::require(again && *again == Request::Pairs{{name, value}});
  }
  Request request{.method = "GET", .headers = {{"host", "h"}}};
  if (read_target(text, &request)) check_segments(request);
  return 0;
}
