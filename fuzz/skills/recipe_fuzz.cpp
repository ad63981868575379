// Invariants: each fault has a code and a place in the file, or at its end; the same text has the
// same faults; a recipe without faults compiles to an execution, or to faults of its values.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "skills/phone/recipe/compile.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::recipe;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Reading reading = read_recipe(text);
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  for (const Fault& fault : reading.faults) {
    fuzz::require(fault.place.line >= 1 && fault.place.column >= 1);
    // A lone CR ends a line of YAML, too.
    fuzz::require(fault.place.line <=
                  lines + static_cast<std::size_t>(std::ranges::count(text, '\r')) + 1);
    fuzz::require(!fault.message.empty());
  }
  fuzz::require(read_recipe(text).faults.size() == reading.faults.size());
  if (!reading.faults.empty()) return 0;
  const auto execution = compile_recipe(reading.recipe, Json::object());
  if (execution) {
    fuzz::require(nlohmann::json::parse(*execution)["mode"] == "artifact_compiled");
  } else {
    fuzz::require(!execution.error().empty());
  }
  return 0;
}
