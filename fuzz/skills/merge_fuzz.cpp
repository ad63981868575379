// Invariants: no input crashes; what is merged is a registry again, holds each id once, and merged
// with the same upstream once more stays as it is; a conflict names ids, and leaves no text.
// The input is three texts, separated by zero bytes.

#include <cstdint>
#include <string>
#include <string_view>

#include "skills/phone/rules/merge.hpp"
#include "skills/phone/rules/registry.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

std::string_view take_text(std::string_view* rest) {
  const auto end = rest->find('\0');
  const std::string_view text = rest->substr(0, end);
  rest->remove_prefix(end == rest->npos ? rest->size() : end + 1);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view base = take_text(&rest);
  const std::string_view local = take_text(&rest);
  const std::string_view incoming = take_text(&rest);
  if (!parse_registry(incoming)) return 0;
  const auto merged = merge_registry(base, local, incoming);
  if (!merged || !merged->conflicts.empty()) {
    fuzz::require(!merged || merged->text.empty());
    return 0;
  }
  if (!parse_registry(merged->text)) {
    fuzz::require(incoming == base && merged->text == local);
    return 0;
  }
  const auto again = merge_registry(incoming, merged->text, incoming);
  fuzz::require(again && again->text == merged->text);
  return 0;
}
