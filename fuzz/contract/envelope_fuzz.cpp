// Invariants: no input crashes; a refusal is malformed and one JSON object; what is accepted
// serialises to text that parses to the same envelope.

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error_members.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/contract/errc.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto envelope = parse_envelope({reinterpret_cast<const char*>(data), size});
  if (!envelope) {
    if (envelope.error().code() != errc::result_envelope_malformed) std::abort();
    if (!nlohmann::json::accept(to_json(envelope.error()))) std::abort();
    return 0;
  }
  const auto again = parse_envelope(to_json(*envelope));
  if (!again || *again != *envelope) std::abort();
  return 0;
}
