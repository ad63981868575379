#include "skills/phone/rules/frame.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "skills/phone/rules/errc.hpp"

namespace clawperator::phone_skills {
namespace {

// The shape of a JSON value, as data, and the check of a value against it: the result has no
// members that the shape does not name. The messages are those of the published validator.
struct Shape;

struct Field {
  std::string_view name;
  const Shape* shape;
  bool required = false;
};

struct Shape {
  enum class Kind : std::uint8_t {
    text,
    some_text,
    boolean,
    whole,
    any,
    choice,
    object,
    list,
    map_of_any,
    map_of_text,
    tagged
  };
  Kind kind{};
  std::span<const std::string_view> choices{};  // of a choice
  std::span<const Field> fields{};              // of an object
  const Shape* element = nullptr;               // of a list
  std::span<const Field> variants{};            // of tagged: by the value of `kind`
  bool nullable = false;
  bool keeps_unknown = false;  // keeps members of an object that it does not name
};

// a script's author corrects the first few and runs it again
constexpr std::size_t kMostIssues = 20;

std::string choices_text(std::span<const std::string_view> choices) {
  std::string text;
  for (const std::string_view choice : choices) {
    text += (text.empty() ? "'" : " | '") + std::string(choice) + "'";
  }
  return text;
}

// Appends to `issues`, each "path: message".
class ShapeCheck {
 public:
  explicit ShapeCheck(std::vector<std::string>* issues) : issues_(issues) {}

  Json value(const std::string& at, const Json* value, const Shape& shape) {
    if (value == nullptr) return refuse(at, "Required");
    if (value->is_null() && shape.nullable) return nullptr;
    switch (shape.kind) {
      case Shape::Kind::any: return *value;
      case Shape::Kind::text:
      case Shape::Kind::some_text: return text(at, *value, shape);
      case Shape::Kind::boolean:
        return value->is_boolean() ? *value : wrong_type(at, "boolean", *value);
      case Shape::Kind::whole: return whole(at, *value);
      case Shape::Kind::choice: return choice(at, *value, shape);
      case Shape::Kind::object: return object(at, *value, shape);
      case Shape::Kind::list: return list(at, *value, *shape.element);
      case Shape::Kind::map_of_any:
        return value->is_object() ? *value : wrong_type(at, "object", *value);
      case Shape::Kind::map_of_text: return texts(at, *value);
      case Shape::Kind::tagged: return tagged(at, *value, shape);
    }
    return nullptr;
  }

 private:
  Json refuse(const std::string& at, const std::string& message) {
    if (issues_->size() < kMostIssues) {
      issues_->push_back((at.empty() ? "<root>" : at) + ": " + message);
    }
    return nullptr;
  }

  Json wrong_type(const std::string& at, std::string_view expected, const Json& got) {
    return refuse(at, "Expected " + std::string(expected) + ", received " + got.type_name());
  }

  static std::string below(const std::string& at, std::string_view name) {
    return at.empty() ? std::string(name) : at + "." + std::string(name);
  }

  Json text(const std::string& at, const Json& value, const Shape& shape) {
    if (!value.is_string()) return wrong_type(at, "string", value);
    const bool blank = value.get_ref<const std::string&>().empty();
    if (shape.kind == Shape::Kind::some_text && blank) {
      return refuse(at, "String must contain at least 1 character(s)");
    }
    return value;
  }

  Json whole(const std::string& at, const Json& value) {
    if (!value.is_number()) return wrong_type(at, "number", value);
    const double number = value.get<double>();
    if (number != std::floor(number)) return refuse(at, "Expected integer, received float");
    if (number < 0) return refuse(at, "Number must be greater than or equal to 0");
    return value;
  }

  Json choice(const std::string& at, const Json& value, const Shape& shape) {
    if (!value.is_string()) return wrong_type(at, choices_text(shape.choices), value);
    const auto& chosen = value.get_ref<const std::string&>();
    if (std::ranges::find(shape.choices, chosen) != shape.choices.end()) return value;
    return refuse(at, "Invalid enum value. Expected " + choices_text(shape.choices) +
                          ", received '" + chosen.substr(0, 60) + "'");
  }

  Json object(const std::string& at, const Json& value, const Shape& shape) {
    if (!value.is_object()) return wrong_type(at, "object", value);
    Json kept = Json::object();
    for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
      const auto field = std::ranges::find(shape.fields, name, &Field::name);
      if (field != shape.fields.end()) {
        kept[name] = this->value(below(at, name), &member, *field->shape);
      } else if (shape.keeps_unknown) {
        kept[name] = member;
      }
    }
    for (const Field& field : shape.fields) {
      if (field.required && !value.contains(field.name)) refuse(below(at, field.name), "Required");
    }
    return kept;
  }

  Json list(const std::string& at, const Json& value, const Shape& element) {
    if (!value.is_array()) return wrong_type(at, "array", value);
    Json kept = Json::array();
    for (std::size_t i = 0; i < value.size(); ++i) {
      kept.push_back(this->value(below(at, std::to_string(i)), &value[i], element));
    }
    return kept;
  }

  Json texts(const std::string& at, const Json& value) {
    if (!value.is_object()) return wrong_type(at, "object", value);
    for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
      if (!member.is_string()) wrong_type(below(at, name), "string", member);
    }
    return value;
  }

  Json tagged(const std::string& at, const Json& value, const Shape& shape) {
    if (!value.is_object()) return wrong_type(at, "object", value);
    const std::string* kind = string_member(value, "kind");
    const auto variant = std::ranges::find(shape.variants, kind ? *kind : "", &Field::name);
    if (variant != shape.variants.end()) return this->value(at, &value, *variant->shape);
    std::vector<std::string_view> names;
    for (const Field& each : shape.variants) names.push_back(each.name);
    return refuse(below(at, "kind"),
                  "Invalid discriminator value. Expected " + choices_text(names));
  }

  std::vector<std::string>* issues_;
};

using Kind = Shape::Kind;

constexpr std::string_view kStatuses[] = {"success", "failed", "indeterminate"};
constexpr std::string_view kCheckpointStatuses[] = {"ok", "failed", "skipped"};
constexpr std::string_view kVerificationStatuses[] = {"verified", "failed", "not_run"};
constexpr std::string_view kRuntimeStates[] = {"healthy", "poisoned", "unavailable", "unknown"};

constexpr Shape kText{.kind = Kind::text};
constexpr Shape kNullableText{.kind = Kind::text, .nullable = true};
constexpr Shape kName{.kind = Kind::some_text};
constexpr Shape kAny{.kind = Kind::any};
constexpr Shape kFlag{.kind = Kind::boolean};
constexpr Shape kIndex{.kind = Kind::whole};
constexpr Shape kObject{.kind = Kind::map_of_any};
constexpr Shape kTextMap{.kind = Kind::map_of_text};
constexpr Shape kTexts{.kind = Kind::list, .element = &kText};

// Evidence and the answer: {"kind":"text","text"} or {"kind":"json","value"}; evidence may also
// point at a step of an envelope.
constexpr Field kTextFields[] = {{"kind", &kText, true}, {"text", &kText, true}};
constexpr Field kJsonFields[] = {{"kind", &kText, true}, {"value", &kAny, true}};
constexpr Field kEnvelopeFields[] = {
    {"kind", &kText, true}, {"execEnvelopeIndex", &kIndex, true}, {"stepResultId", &kText}};
constexpr Shape kTextEvidence{.kind = Kind::object, .fields = kTextFields};
constexpr Shape kJsonEvidence{.kind = Kind::object, .fields = kJsonFields};
constexpr Shape kEnvelopeEvidence{.kind = Kind::object, .fields = kEnvelopeFields};
constexpr Field kEvidences[] = {{"text", &kTextEvidence},
                                {"json", &kJsonEvidence},
                                {"result_envelope_ref", &kEnvelopeEvidence}};
constexpr Shape kEvidence{.kind = Kind::tagged, .variants = kEvidences};
constexpr Shape kNullableEvidence{.kind = Kind::tagged, .variants = kEvidences, .nullable = true};
constexpr Field kAnswers[] = {{"text", &kTextEvidence}, {"json", &kJsonEvidence}};
constexpr Shape kAnswer{.kind = Kind::tagged, .variants = kAnswers, .nullable = true};

constexpr Shape kCheckpointStatus{.kind = Kind::choice, .choices = kCheckpointStatuses};
constexpr Field kCheckpointFields[] = {{"id", &kName, true},
                                       {"status", &kCheckpointStatus, true},
                                       {"observedAt", &kText},
                                       {"evidence", &kEvidence},
                                       {"note", &kText}};
constexpr Shape kCheckpoint{.kind = Kind::object, .fields = kCheckpointFields};
constexpr Shape kCheckpoints{.kind = Kind::list, .element = &kCheckpoint};

constexpr Shape kVerificationStatus{.kind = Kind::choice, .choices = kVerificationStatuses};
constexpr Field kVerificationFields[] = {{"status", &kVerificationStatus, true},
                                         {"expected", &kEvidence},
                                         {"observed", &kNullableEvidence},
                                         {"note", &kNullableText}};
constexpr Shape kVerification{
    .kind = Kind::object, .fields = kVerificationFields, .nullable = true};

constexpr Field kStepFields[] = {{"id", &kText, true},
                                 {"actionType", &kText, true},
                                 {"success", &kFlag, true},
                                 {"data", &kTextMap, true}};
constexpr Shape kStep{.kind = Kind::object, .fields = kStepFields};
constexpr Shape kSteps{.kind = Kind::list, .element = &kStep};
constexpr Field kExecFields[] = {{"commandId", &kText, true}, {"taskId", &kText, true},
                                 {"status", &kText, true},    {"stepResults", &kSteps, true},
                                 {"error", &kNullableText},   {"errorCode", &kNullableText},
                                 {"hint", &kNullableText}};
constexpr Shape kExecEnvelope{.kind = Kind::object, .fields = kExecFields};
constexpr Shape kExecEnvelopes{.kind = Kind::list, .element = &kExecEnvelope};

constexpr Shape kRuntimeState{.kind = Kind::choice, .choices = kRuntimeStates};
constexpr Field kDiagnosticFields[] = {
    {"runtimeState", &kRuntimeState}, {"warnings", &kTexts}, {"hints", &kTexts}};
constexpr Shape kDiagnostics{
    .kind = Kind::object, .fields = kDiagnosticFields, .keeps_unknown = true};

constexpr Shape kStatus{.kind = Kind::choice, .choices = kStatuses};
constexpr Field kResultFields[] = {{"contractVersion", &kText, true},
                                   {"skillId", &kName, true},
                                   {"goal", &kObject},
                                   {"inputs", &kObject},
                                   {"result", &kAnswer},
                                   {"status", &kStatus, true},
                                   {"checkpoints", &kCheckpoints, true},
                                   {"terminalVerification", &kVerification},
                                   {"execEnvelopes", &kExecEnvelopes},
                                   {"diagnostics", &kDiagnostics}};
constexpr Shape kResult{.kind = Kind::object, .fields = kResultFields};

// A run keeps the last 8 MiB of its output (docs/guides/skills.md), and the frame is the last line.
constexpr std::size_t kMaxFrame = std::size_t{8} << 20;
constexpr std::size_t kMostMembers = 8192;  // each is compared with those before it
constexpr std::uint64_t kMajor = 1;

std::unexpected<Error> refused(std::string message) {
  return fail(errc::skill_result_parse_failed, std::move(message));
}

// What the last lines contain of a frame.
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

// "1" for "1.2.3", also with semver's further parts; nullopt: another text.
std::optional<std::uint64_t> major_of(std::string_view version) {
  const auto end = std::min(version.find_first_of("-+"), version.size());
  const auto parts = split(version.substr(0, end), '.');
  const auto is_number = [](std::string_view part) {
    return whole_number<std::uint64_t>(part) && (part.size() == 1 || !part.starts_with('0'));
  };
  const bool has_empty_suffix = end + 1 == version.size();
  if (parts.size() != 3 || has_empty_suffix) return std::nullopt;
  if (!std::ranges::all_of(parts, is_number)) return std::nullopt;
  return whole_number<std::uint64_t>(parts[0]);
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
  Json result = ShapeCheck(&issues).value("", &json, kResult);
  if (issues.empty()) return result;
  return refused("SkillResult frame failed validation: " + joined(issues, "; "));
}

}  // namespace

Result<std::optional<Json>> read_frame(std::string_view output, const FrameRules& rules) {
  const Suffix suffix = suffix_of(output);
  if (suffix.markers == 0) {
    if (!rules.required) return std::nullopt;
    return refused("Agent-driven skills must emit a terminal SkillResult frame");
  }
  TRY(const std::string_view line, frame_line(suffix, rules));
  auto json = read_json(line, kMaxFrame, kMostMembers);
  // A script may have cut a screen's text inside of a character. U+FFFD is longer than a byte.
  if (!json) json = read_json(repaired_json(line), 3 * kMaxFrame, kMostMembers);
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

}  // namespace clawperator::phone_skills
