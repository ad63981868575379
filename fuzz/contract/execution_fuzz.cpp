// Invariants: no input crashes; a refusal is one JSON object; what is accepted serialises to text
// that parses to the same execution and serialises to itself.

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error_members.hpp"
#include "runtime/contract/parse.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto execution = parse_execution(text);
  if (!execution) {
    if (!nlohmann::json::accept(to_json(execution.error()))) std::abort();
    return 0;
  }
  const std::string canonical = to_json(*execution);
  const auto again = parse_execution(canonical);
  if (!again || *again != *execution || to_json(*again) != canonical) std::abort();
  if (!nlohmann::json::accept(plan_json(*execution))) std::abort();
  return 0;
}
