// Invariants: a text without placeholders stays; what is filled in is the text around the
// placeholders and the values, each once and unchanged, whatever they contain.

#include <string>

#include "base/js_string.hpp"
#include "base/utf8.hpp"
#include "skills/phone/recipe/placeholders.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::recipe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input = valid_utf8({reinterpret_cast<const char*>(data), size});
  const auto part = input.find('\n');
  const std::string text = input.substr(0, part);
  const std::string value = part == input.npos ? "" : input.substr(part + 1);
  const auto filled = fill_in(text, {{"a", value}});
  std::string wanted;
  std::size_t at = 0;
  bool has_all = true;
  for (const Placeholder& each : placeholders_in(text)) {
    fuzz::require(text.compare(each.offset, 2, "${") == 0);
    if (each.name != "a" || is_blank(value)) has_all = false;
    wanted += text.substr(at, each.offset - at) + value;
    at = each.offset + each.length;
  }
  if (filled) fuzz::require(has_all && *filled == wanted + text.substr(at));
  return 0;
}
