#include "runtime/contract/operator_app.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/contract/action_table.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kDebugSuffix = ".dev";

constexpr auto kFamilies = std::to_array<OperatorFamily>({
    {"com.clawperator.operator", "clawperator.", "app.clawperator.operator.ACTION_AGENT_COMMAND",
     "https://downloads.clawperator.com/operator/latest.json"},
    {"com.androperator.operator", "androperator.", "app.androperator.operator.ACTION_AGENT_COMMAND",
     "https://downloads.androperator.com/operator/latest.json"},
});
static_assert(kFamilies.front().package == kReleaseOperatorPackage);

constexpr std::string_view kPartOfAllNames = "perator.operator";
static_assert(std::ranges::all_of(kFamilies, [](const OperatorFamily& family) {
  return family.package.contains(kPartOfAllNames);
}));

// A row for a step type or a parameter that our executions do not have yet stays unused until they
// do.
constexpr auto kFeatures = std::to_array<OperatorFeature>({
    {"screen_state",
     {0, 7, 0},
     "doctor",
     "The app does not report whether the screen is on and unlocked."},
    {"clear",
     {0, 7, 0},
     "type --clear",
     "The app ignores it, and its text replaces what was there in any case.",
     TooOld::ignored,
     "enter_text",
     "clear"},
    {"open_app_waits",
     {0, 9, 2},
     "exec",
     "A step open_app ends before the app is in front: let a wait follow."},
    {"named_snapshots",
     {0, 9, 3},
     "snapshot",
     "The log's entries of a screen do not name their command."},
    {"long_results",
     {0, 10, 0},
     "read, exec",
     "The phone's log cuts a result of more than about 4000 bytes, and may lose a part of it."},
    {"failed_plans",
     {0, 10, 0},
     "exec",
     "A plan that fails reports neither a code nor the finished steps."},
    {"receipts",
     {0, 10, 0},
     "click, type, scroll",
     "A step does not report which node it has taken."},
    {"strict_container",
     {0, 10, 0},
     "read, scroll",
     "A container counts as a node inside of itself."},
    {"container",
     {0, 10, 0},
     "exec",
     "The app ignores a container for click, enter_text and wait_for_node and takes a node "
     "anywhere.",
     TooOld::refused,
     "click enter_text wait_for_node",
     "container"},
    {"strict",
     {0, 10, 0},
     "exec",
     "The app takes one of several nodes without reporting it.",
     TooOld::refused,
     {},
     "strict"},
    {"ancestor",
     {0, 10, 0},
     "exec",
     "The app searches for the node without it.",
     TooOld::refused,
     {},
     "ancestor"},
    {"descendant",
     {0, 10, 0},
     "exec",
     "The app searches for the node without it.",
     TooOld::refused,
     {},
     "descendant"},
    {"query_ui", {0, 10, 0}, "exec", "The app does not know it.", TooOld::refused, "query_ui"},
    {"on_screen_log",
     {0, 10, 0},
     "exec",
     "The app does not know it.",
     TooOld::refused,
     "set_on_screen_log clear_on_screen_log"},
    {"notifications",
     {0, 11, 0},
     "exec",
     "The app does not know it.",
     TooOld::refused,
     "list_notifications dismiss_notification invoke_notification_action"},
    {"media",
     {0, 11, 0},
     "exec",
     "The app does not know it.",
     TooOld::refused,
     "list_media_sessions get_media_status media_pause media_play media_seek"},
    {"observe_media",
     {0, 11, 1},
     "exec",
     "The app does not know it.",
     TooOld::refused,
     "observe_media"},
    {"on_screen_log_template",
     {0, 11, 2},
     "exec",
     "The app does not know it.",
     TooOld::refused,
     "set_on_screen_log",
     "template"},
    {"swipe", {0, 11, 3}, "exec", "The app does not know it.", TooOld::refused, "swipe"},
    {"toast",
     {0, 11, 3},
     "exec",
     "The app does not know it.",
     TooOld::refused,
     "show_toast cancel_toast"},
    {"snapshot_in_result",
     {0, 12, 3},
     "snapshot",
     "A screen comes through the phone's log, which may lose a part of a large one."},
    {"submission", {0, 12, 4}, "type", "The app does not report whether a text was submitted."},
    {"drag", {0, 12, 5}, "exec", "The app does not know it.", TooOld::refused, "drag"},
});
static_assert(std::ranges::is_sorted(kFeatures, {}, &OperatorFeature::since));

// Calls `each` with the words of `text` until it returns true for one.
bool any_word(std::string_view text, auto each) {
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (each(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

bool is_word_of_executions(std::string_view member) {
  const auto is_it = [member](std::string_view name) { return name == member; };
  return find_param_row(member) ||
         std::ranges::any_of(matcher_fields(), is_it, &MatcherField::name);
}

// Whether an execution can use the feature.
bool is_offered(const OperatorFeature& feature) {
  const auto is_action = [](std::string_view name) {
    const auto type = find_action(name);
    return type && action_name(*type) == name;
  };
  return (feature.actions.empty() || any_word(feature.actions, is_action)) &&
         (feature.member.empty() || is_word_of_executions(feature.member));
}

bool uses(const Action& action, const OperatorFeature& feature) {
  const auto is_type = [&](std::string_view name) { return name == action_name(action.type()); };
  if (!feature.actions.empty() && !any_word(feature.actions, is_type)) return false;
  if (feature.member.empty()) return !feature.actions.empty();
  const ParamRef value = find_param(action, feature.member);
  const auto* flag = std::get_if<const bool*>(&value);
  return value.index() != 0 && !(flag && !**flag);
}

constexpr std::size_t kMaxVersionText = 256;  // as 0.10.1-d; an app's author may write anything
constexpr std::size_t kMaxCodeDigits = 18;    // so that it fits std::int64_t

void take_version_line(std::string_view line, InstalledVersion& version) {
  constexpr std::string_view kName = "versionName=";
  constexpr std::string_view kCode = "versionCode=";
  if (line.starts_with(kName) && !version.name && line.size() > kName.size()) {
    version.name = std::string(line.substr(kName.size(), kMaxVersionText));
  }
  if (line.starts_with(kCode) && !version.code) {
    line.remove_prefix(kCode.size());
    const auto digits = line.substr(0, line.find_first_not_of("0123456789"));
    if (!digits.empty() && digits.size() <= kMaxCodeDigits) version.code = std::string(digits);
  }
}

}  // namespace

std::span<const OperatorFamily> operator_families() { return kFamilies; }

const OperatorFamily& family_of(std::string_view package) {
  const auto at = std::ranges::find_if(kFamilies, [&](const OperatorFamily& family) {
    return package == family.package || package.starts_with(std::string(family.package) + ".");
  });
  return at == kFamilies.end() ? kFamilies.front() : *at;
}

bool is_published_operator(std::string_view package) {
  if (package.ends_with(kDebugSuffix)) package.remove_suffix(kDebugSuffix.size());
  const auto at = std::ranges::find(kFamilies, package, &OperatorFamily::package);
  return at != kFamilies.end();
}

std::string operator_filter(const NamedOperator& wanted) {
  if (!wanted || is_published_operator(*wanted)) return std::string(kPartOfAllNames);
  return is_debug_variant(*wanted) ? alternate_variant(*wanted) : *wanted;
}

bool is_package_name(std::string_view name) {
  constexpr std::size_t kLongest = 255;
  const auto fits = [](char c) {
    return base::is_digit(c) || (lower_char(c) >= 'a' && lower_char(c) <= 'z') || c == '_' ||
           c == '.';
  };
  return !name.empty() && name.size() <= kLongest && std::ranges::all_of(name, fits);
}

bool is_debug_variant(std::string_view operator_package) {
  return operator_package.ends_with(kDebugSuffix);
}

std::string alternate_variant(const std::string& operator_package) {
  if (!is_debug_variant(operator_package)) return operator_package + std::string(kDebugSuffix);
  return operator_package.substr(0, operator_package.size() - kDebugSuffix.size());
}

std::string accessibility_component(const std::string& operator_package) {
  return operator_package + "/" + std::string(family_of(operator_package).class_package) +
         "operator.accessibilityservice.OperatorAccessibilityService";
}

std::string notification_listener_component(const std::string& operator_package) {
  return operator_package + "/action.notification.NotificationListenerService";
}

std::string main_activity_component(const std::string& operator_package) {
  return operator_package + "/" + std::string(family_of(operator_package).class_package) +
         "activity.MainActivity";
}

bool is_newer_than_known(const OperatorVersion& version) {
  return std::pair(version.major, version.minor) >
         std::pair(kNewestOperator.major, kNewestOperator.minor);
}

std::optional<OperatorVersion> version_of_code(std::int64_t code) {
  // A release's versionCode is major * 10^7 + minor * 10^5 + patch * 1000 + 900:
  constexpr std::int64_t kPatch = 1000;
  constexpr std::int64_t kMinor = 100'000;
  constexpr std::int64_t kMajor = 10'000'000;
  constexpr std::int64_t kMost = 1'000'000 * kMajor;  // the major number fits an int
  constexpr std::int64_t kRelease = 900;
  if (code < kPatch || code >= kMost || code % kPatch != kRelease) return std::nullopt;
  return OperatorVersion{static_cast<int>(code / kMajor), static_cast<int>(code % kMajor / kMinor),
                         static_cast<int>(code % kMinor / kPatch)};
}

InstalledVersion parse_installed_version(std::string_view dumpsys) {
  InstalledVersion version;
  bool hidden = false;
  while (!dumpsys.empty()) {
    const auto end = dumpsys.find('\n');
    const std::string_view line = dumpsys.substr(0, end);
    dumpsys.remove_prefix(end == dumpsys.npos ? dumpsys.size() : end + 1);
    const bool is_section = !line.empty() && trimmed(line.substr(0, 1)) == line.substr(0, 1);
    if (is_section) hidden = line.starts_with("Hidden system packages");
    if (!hidden) take_version_line(trimmed(line), version);
  }
  return version;
}

std::span<const OperatorFeature> operator_feature_table() { return kFeatures; }

std::vector<const OperatorFeature*> missing_features(const OperatorVersion& version) {
  std::vector<const OperatorFeature*> missing;
  for (const OperatorFeature& feature : kFeatures) {
    if (version < feature.since && is_offered(feature)) missing.push_back(&feature);
  }
  return missing;
}

std::string missing_json(const std::vector<const OperatorFeature*>& missing) {
  return list_json(missing, [](const OperatorFeature* feature) {
    JsonObject json;
    return json.text("feature", feature->name)
        .text("needs", to_string(feature->since))
        .text("command", feature->command);
  });
}

std::vector<std::string> missing_lines(const std::vector<const OperatorFeature*>& missing) {
  std::vector<std::string> lines;
  lines.reserve(missing.size());
  for (const OperatorFeature* feature : missing) {
    lines.push_back(std::string(feature->command) + ": " + std::string(feature->missing) +
                    " Needs " + to_string(feature->since) + ".");
  }
  return lines;
}

std::vector<FeatureUse> feature_uses(const Execution& execution) {
  std::vector<FeatureUse> found;
  for (const OperatorFeature& feature : kFeatures) {
    if (feature.too_old == TooOld::answers_less) continue;
    const auto user = std::ranges::find_if(
        execution.actions, [&](const Action& action) { return uses(action, feature); });
    if (user != execution.actions.end()) found.push_back({&feature, &*user});
  }
  return found;
}

}  // namespace clawperator
