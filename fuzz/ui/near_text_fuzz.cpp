// Invariants: what differs from a text in what is folded is equal to it, and is offered first; a
// text that says no once more is never offered for it, nor it for that one.

#include <cstdint>
#include <cstdlib>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/near_text.hpp"

using namespace clawperator;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

Nearness near(std::string_view wanted, std::string_view shown) {
  const Nearness nearness = NearText(wanted).to(NearText(shown));
  require((nearness == Nearness::equal) ==
          (NearText(shown).to(NearText(wanted)) == Nearness::equal));
  return nearness;
}

bool is_offered(std::string_view wanted, const std::string& shown) {
  UiTree tree;
  UiNode node;
  node.text = shown;
  tree.nodes.push_back(node);
  tree.interesting = {0};
  return !near_matches(tree, {.text_equals = std::string(wanted)}, 5).empty();
}

// In other marks and blanks around it, in capitals as far as ASCII goes.
std::string otherwise(std::string_view text) {
  std::string out = "“\u00a0";
  for (const char c : text) out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out + "…”\u2009";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kWhole = NearText::kMost / 4;
  const std::string_view given(reinterpret_cast<const char*>(data), size);
  [[maybe_unused]] const auto any = near(given.substr(size / 2), given);
  const std::string text(valid_utf8(given.substr(0, kWhole / 3)));
  const bool says_something = near(text, text) == Nearness::equal;
  if (says_something) {
    require(near(text, otherwise(text)) == Nearness::equal);
    require(is_offered(text, otherwise(text)));
  }
  for (const std::string_view no : {"don't ", "Not ", "nicht ", "ne pas ", "не ", "不 "}) {
    const std::string refusal = std::string(no) + text;
    require(!is_offered(refusal, text));
    require(!is_offered(text, refusal));
  }
  return 0;
}
