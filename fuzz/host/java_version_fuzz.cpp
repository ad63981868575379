// Invariants: no input crashes; a version is never negative; what stands behind the version's first
// number changes nothing.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "runtime/host/doctor/build_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto version = clawperator::parse_java_version(text);
  if (version && *version < 0) std::abort();
  if (version != clawperator::parse_java_version(text + "\n")) std::abort();
  return 0;
}
