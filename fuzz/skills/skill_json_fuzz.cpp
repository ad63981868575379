// Invariants: skill.json is read or refused; an agent that is read is a program's name with a time
// above zero; an input's range is not empty; inputs that are trusted are a valid object with just
// the declared names.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "skills/phone/rules/outcome.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto json = read_skill_json(text);
  if (!json) return 0;
  const Skill entry{.id = "a.b", .scripts = {"x"}};
  fuzz::require(mismatches_of(*json, entry).size() <= 8);
  const auto manifest = read_manifest(*json, entry);
  if (!manifest) return 0;
  if (manifest->agent) {
    fuzz::require(!manifest->agent->cli.empty() && !manifest->agent->cli.contains('/'));
    fuzz::require(!manifest->agent->timeout || manifest->agent->timeout->count() > 0);
  }
  for (const auto& [name, type] : manifest->contract.inputs) {
    fuzz::require(!type.least || *type.least <= *type.most);
  }
  const std::vector<std::string> args{"--a=1", "--b", "2", "3", text.substr(0, 20), "5"};
  if (const auto trusted = trusted_inputs(manifest->contract, args)) {
    const auto inputs = nlohmann::json::parse(*trusted, nullptr, false);
    fuzz::require(inputs.is_object() && inputs.size() == manifest->contract.inputs.size());
  }
  unproved_because(manifest->contract, args, *json);
  return 0;
}
