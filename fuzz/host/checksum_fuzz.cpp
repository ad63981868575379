// Invariants: a digest that is found is 64 lower-case hex digits and stands in the text; written as
// a checksum file it is found again. A range that parses lies within its file.

#include <algorithm>

#include "runtime/fetch/http_stream.hpp"
#include "runtime/host/operator/release.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto range = parse_content_range(text)) {
    fuzz::require(!range->size || range->offset < *range->size);
  }
  const auto digest = parse_checksum(text, "operator.apk");
  if (!digest) return 0;
  fuzz::require(digest->size() == 64);
  fuzz::require(digest->find_first_not_of("0123456789abcdef") == std::string::npos);
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  fuzz::require(lower.contains(*digest));
  fuzz::require(parse_checksum(*digest + "  operator.apk\n", "operator.apk") == digest);
  return 0;
}
