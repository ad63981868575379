// Invariants: what is read stands in the text and is bounded; whatever a device says, the verdict
// is either compatible or has a problem and something to do about it, and its JSON is valid.

#include <nlohmann/json.hpp>

#include "runtime/host/operator/compatibility.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto installed = parse_installed_version(text);
  if (installed.name)
    fuzz::require(text.contains(*installed.name) && installed.name->size() <= 256);
  if (installed.code) fuzz::require(text.contains(*installed.code) && installed.code->size() <= 18);
  const ProgramVersions versions{"1.0.0", "0.5.3"};
  const auto report = judge_compatibility("com.x", versions, "package:com.x\n", text);
  fuzz::require(report.compatible != report.problem.has_value());
  fuzz::require(report.compatible == report.remediation.empty());
  fuzz::require(nlohmann::json::accept(to_json(report, versions)));
  if (const auto version = parse_version(text)) {
    fuzz::require(version->major >= 0 && version->minor >= 0 && version->patch >= 0);
  }
  return 0;
}
