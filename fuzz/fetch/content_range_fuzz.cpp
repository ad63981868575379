// Invariants: what is accepted lies inside the file; written out again it is the same; nothing but
// "bytes FIRST-LAST/SIZE" is accepted, and no number beyond 64 bits.

#include "runtime/fetch/http_stream.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string value(reinterpret_cast<const char*>(data), size);
  const auto range = parse_content_range(value);
  if (!range) return 0;
  fuzz::require(value.find_first_not_of("0123456789", 6) == value.find('-'));
  fuzz::require(!range->size || range->offset < *range->size);
  const std::string size_text = range->size ? std::to_string(*range->size) : "*";
  const std::string again = "bytes " + std::to_string(range->offset) + "-" +
                            std::to_string(range->offset) + "/" + size_text;
  const auto read = parse_content_range(again);
  fuzz::require(read && read->offset == range->offset && read->size == range->size);
  fuzz::require(!parse_content_range(value + "0 ") && !parse_content_range(" " + value));
  return 0;
}
