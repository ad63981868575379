#include "skills/result/frame.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"
#include "skills/result/frame_shapes_table.hpp"

namespace clawperator::skills {
namespace {

constexpr std::size_t kMaxFrame = std::size_t{8} << 20;
constexpr std::size_t kMostMembers = 8192;  // each is looked for among those before it
constexpr std::uint64_t kMajor = 1;

std::unexpected<Error> refused(std::string message) {
  return fail(errc::skill_result_parse_failed, std::move(message));
}

// What the last lines say about a frame.
struct Suffix {
  std::size_t lines = 0;
  std::size_t markers = 0;
  std::string_view before_last{};
  std::string_view last{};
};

Suffix suffix_of(std::string_view output) {
  Suffix suffix;
  while (!output.empty()) {
    const auto end = std::min(output.find('\n'), output.size());
    std::string_view line = output.substr(0, end);
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_blank(line)) continue;
    ++suffix.lines;
    suffix.markers += line == kFrameMarker ? 1 : 0;
    suffix.before_last = suffix.last;
    suffix.last = line;
  }
  return suffix;
}

Result<std::string_view> frame_line(const Suffix& suffix, const FrameRules& rules) {
  const std::string_view line = trim_js(suffix.last);
  if (suffix.lines == 1) {
    return refused("SkillResult frame marker was not followed by a JSON line");
  }
  if (suffix.before_last != kFrameMarker) {
    return refused("SkillResult frame must be the terminal non-empty stdout suffix");
  }
  if (!line.starts_with('{')) {
    return refused("SkillResult frame marker must be followed by a JSON object line");
  }
  if (!rules.untrusted.empty()) {
    return refused(rules.untrusted +
                   ". Framed SkillResult output requires authoritative source metadata.");
  }
  if (suffix.markers > 1) {
    return refused(
        "Skill emitted multiple SkillResult frames or a non-terminal SkillResult marker");
  }
  return line;
}

// "1", of "1.2.3" with what semver allows behind it; nullopt: it has no such shape.
std::optional<std::uint64_t> major_of(std::string_view version) {
  const auto end = std::min(version.find_first_of("-+"), version.size());
  std::string_view rest = version.substr(0, end);
  std::vector<std::uint64_t> numbers;
  for (bool more = true; more;) {
    const auto dot = rest.find('.');
    more = dot != rest.npos;
    const std::string_view part = rest.substr(0, dot);
    const auto number = whole_number<std::uint64_t>(part);
    if (!number || (part.size() > 1 && part.starts_with('0'))) return std::nullopt;
    numbers.push_back(*number);
    if (more) rest.remove_prefix(dot + 1);
  }
  const bool has_empty_suffix = end + 1 == version.size();
  return numbers.size() == 3 && !has_empty_suffix ? std::optional(numbers[0]) : std::nullopt;
}

Result<void> check_version(const std::string& version) {
  const auto major = major_of(version);
  if (!major) {
    return refused("SkillResult contractVersion must be semver-shaped, got " +
                   version.substr(0, 60));
  }
  if (*major == kMajor) return ok();
  return refused("Unsupported SkillResult contract major version " + std::to_string(*major) +
                 "; expected 1");
}

Result<Json> check_shape(const Json& json) {
  std::vector<std::string> issues;
  Json result = checked(json, skill_result_shape(), &issues);
  if (issues.empty()) return result;
  std::string all;
  for (const std::string& issue : issues) all += (all.empty() ? "" : "; ") + issue;
  return refused("SkillResult frame failed validation: " + all);
}

}  // namespace

Result<std::optional<Json>> read_frame(std::string_view output, const FrameRules& rules) {
  const Suffix suffix = suffix_of(output);
  if (suffix.markers == 0) {
    if (!rules.required) return std::nullopt;
    return refused("Agent-driven skills must emit a terminal SkillResult frame");
  }
  TRY(const std::string_view line, frame_line(suffix, rules));
  const auto json = read_json(line, kMaxFrame, kMostMembers);
  if (!json) {
    return refused("SkillResult frame contained invalid JSON: " + json.error().message());
  }
  if (json->contains("source")) {
    return refused("SkillResult frame must not include source; runSkill injects it");
  }
  TRY(Json result, check_shape(*json));
  TRY_VOID(check_version(result["contractVersion"].get<std::string>()));
  const auto& skill_id = result["skillId"].get_ref<const std::string&>();
  if (skill_id != rules.skill_id) {
    return refused("SkillResult skillId " + skill_id.substr(0, 200) +
                   " did not match invoked skill " + rules.skill_id);
  }
  TRY(result["source"], read_json(rules.source, kMaxFrame));
  return result;
}

}  // namespace clawperator::skills
