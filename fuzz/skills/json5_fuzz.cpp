// Invariants: what is read can be written and read again as the same; an edit of what can be read
// can be read, and means what it says.

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "skills/agent/rules/json5.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::agent_skills;

namespace {

Json* find(Json* document, const std::vector<std::string>& path) {
  for (const std::string& name : path) {
    if (!document->is_object() || !document->contains(name)) return nullptr;
    document = &(*document)[name];
  }
  return document;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = read_json5(text);
  const std::vector<std::string> path{"skills", "entries", "a"};
  const auto changed = with_member(text, path, "1");
  const auto removed = without_member(text, path);
  if (!read) return 0;
  const std::string written = write_json(*read);
  const auto again = read_json5(written);
  fuzz::require(again.has_value());
  fuzz::require(write_json(*again) == written);
  if (changed) {
    auto after = read_json5(*changed);
    fuzz::require(after.has_value());
    const Json* member = find(&*after, path);
    fuzz::require(member != nullptr && *member == 1);
  }
  fuzz::require(removed.has_value());
  auto after = read_json5(*removed);
  fuzz::require(after.has_value());
  fuzz::require(find(&*after, path) == nullptr);
  return 0;
}
