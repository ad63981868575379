// Invariants: a configuration is read or refused with at least one problem; no include is read
// forever; each query of it has an answer.

#include <nlohmann/json.hpp>
#include <string>

#include "skills/agent/rules/config.hpp"
#include "skills/agent/rules/errc.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::agent_skills;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  ConfigReading reading;
  reading.read = [&text](const std::string& path, std::string* resolved) -> Result<std::string> {
    if (path.empty()) return fail(errc::io, "no file");
    *resolved += "/" + path.substr(0, 1);
    return text;
  };
  reading.variable = [](const std::string& name) {
    return name.size() % 2 ? std::optional<std::string>(name + "${A}") : std::nullopt;
  };
  auto document = resolve_config(text, "main", reading);
  if (!document) return 0;
  const auto config =
      read_config(std::make_shared<const Json>(*std::move(document)), reading.variable);
  if (!config) {
    fuzz::require(config.error().code() == errc::agent_config_invalid);
    return 0;
  }
  is_config_true(*config, text.substr(0, 40));
  for (const auto& [key, entry] : config->entries) fuzz::require(config->entry(key) != nullptr);
  return 0;
}
