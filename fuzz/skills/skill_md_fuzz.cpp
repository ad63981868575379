// Invariants: a skill that is read has a name and a description; its lists hold no blank; what
// breaks the rules of the specification is reported, and nothing is reported of a valid file.

#include <string>

#include "base/js_string.hpp"
#include "skills/agent/rules/frontmatter.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::agent_skills;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto entry = read_skill(text, "folder");
  const auto broken = broken_rules(text, "folder");
  if (broken_rules(text, "folder", JudgedFor::a_client).empty()) {
    const auto whole = whole_frontmatter(text);
    fuzz::require(whole && whole->is_object() && find_member(*whole, "name") != nullptr);
  }
  if (!entry) {
    fuzz::require(!broken.empty());
    return 0;
  }
  fuzz::require(!entry->skill.name.empty() && !is_blank(entry->skill.description));
  for (const std::string& bin : entry->metadata.needs.bins) fuzz::require(!is_blank(bin));
  for (const InstallSpec& spec : entry->metadata.install) fuzz::require(spec.strip_components >= 0);
  if (broken.empty()) fuzz::require(entry->skill.name == "folder");
  return 0;
}
