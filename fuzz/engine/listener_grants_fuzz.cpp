// Invariants: a component counts exactly where the system's list of enabled listeners names it;
// what is appended behind another section changes nothing that was granted.

#include "runtime/engine/service_list.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string printed(reinterpret_cast<const char*>(data), size);
  const auto granted = grants_listener(printed, "p/p.L");
  if (granted == true) fuzz::require(printed.contains("ComponentInfo{p/p.L}"));
  if (granted) fuzz::require(printed.contains("All notification listeners"));
  const std::string with = printed +
                           "\n    All notification listeners (1) enabled for current profiles:\n"
                           "      ComponentInfo{p/p.L}\n";
  fuzz::require(grants_listener(with, "p/p.L") == true);
  return 0;
}
