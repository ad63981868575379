// Invariants: a text without placeholders stays as it is; what is substituted has no value left
// that was named; an artifact that compiles is a valid execution of mode artifact_compiled, the
// same each time.

#include <nlohmann/json.hpp>
#include <string>

#include "skills/phone/rules/compile.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t part = text.find('\0');
  const auto vars = parse_vars(part == text.npos ? "" : text.substr(part + 1));
  if (!vars) return 0;
  const std::string body = text.substr(0, part);
  const auto substituted = substitute(body, *vars);
  fuzz::require(!substituted || body.contains("{{") || *substituted == body);
  const Artifact artifact{"a.b", "x", body};
  const auto compiled = compile_artifact(artifact, *vars);
  if (!compiled) return 0;
  fuzz::require(nlohmann::json::parse(*compiled)["mode"] == "artifact_compiled");
  fuzz::require(compile_artifact(artifact, *vars) == compiled);
  return 0;
}
