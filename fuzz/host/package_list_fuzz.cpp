// Invariants: every name is a part of what was printed, on a line of its own; printed again, the
// names are the same.

#include "runtime/host/verbs/apps.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string listing(reinterpret_cast<const char*>(data), size);
  const auto names = parse_package_list(listing);
  std::string again;
  for (const std::string& name : names) {
    fuzz::require(!name.empty() && !name.contains('\n') && listing.contains(name));
    again += "package:" + name + "\r\n";
  }
  fuzz::require(parse_package_list(again) == names);
  return 0;
}
