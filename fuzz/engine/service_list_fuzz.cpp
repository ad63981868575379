// Invariants: a list is bounded, is of one line and reads back the same; a service that is added
// to it is listed.

#include "runtime/engine/service_list.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string printed(reinterpret_cast<const char*>(data), size);
  const ServiceList list = parse_service_list(printed);
  fuzz::require(list.entries.size() <= 32 * 1024 && !list.entries.contains('\n'));
  if (list.problem) {
    fuzz::require(list.entries.empty());
    return 0;
  }
  fuzz::require(parse_service_list(list.entries).entries == list.entries);
  const std::string component = accessibility_component("com.x");
  fuzz::require(lists_service({list.entries + ":" + component, {}}, component));
  return 0;
}
