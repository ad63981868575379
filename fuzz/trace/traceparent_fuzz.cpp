// Invariants: what is read is written as 55 bytes of version 00 that read the same, with ids that
// are not zero.

#include "base/traceparent.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
namespace fuzz = adbproto::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parent = parse_traceparent(text);
  if (!parent) return 0;
  const std::string written = to_string(*parent);
  fuzz::require(written.size() == 55 && written.starts_with("00-"));
  fuzz::require(parse_traceparent(written) == parent);
  fuzz::require(parent->trace_id.find_first_not_of('0') != std::string::npos);
  return 0;
}
