// Invariants: a frame is read or refused; what is read names the skill that was run and has our
// source, is valid JSON, and reads the same when it is emitted again without it; the outcome is
// valid JSON whatever the output was, and a success only where the script ended with 0.

#include <nlohmann/json.hpp>
#include <string>

#include "skills/phone/rules/outcome.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string output(reinterpret_cast<const char*>(data), size);
  const FrameRules rules{.skill_id = "a.b", .source = R"({"kind":"script"})"};
  const auto frame = read_frame(output, rules);
  if (frame && *frame) {
    Json result = **frame;
    fuzz::require(result["skillId"] == "a.b" && result["source"]["kind"] == "script");
    result.erase("source");
    const auto again = read_frame(std::string(kFrameMarker) + "\n" + write_json(result), rules);
    fuzz::require(again && *again && write_json(**again) == write_json(**frame));
  }
  for (const int code : {0, 1}) {
    const auto outcome = judge_run({.skill_id = "a.b"},
                                   {.exit_code = code, .out = output, .err = output}, rules, {});
    fuzz::require(nlohmann::json::accept(outcome.json));
    fuzz::require(nlohmann::json::accept(http_body(outcome)));
    fuzz::require(code == 0 || outcome.kind == Outcome::Kind::failed);
  }
  return 0;
}
