#pragma once
// The Operator app: its names, its versions, and the features of each version. Pure.
// It has two families of names, from before and after it was renamed, and each family has a release
// and a debug variant ("x" and "x.dev"). A phone may have any of the four, beside one another.

#include "base/version.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

struct OperatorFamily {
  std::string_view package;        // of the release
  std::string_view class_package;  // the prefix of its class names
  std::string_view broadcast_action;
  std::string_view metadata_url;  // describes the latest release
};

// The older one first.
std::span<const OperatorFamily> operator_families();

// The package that the user named; absent: what is installed decides.
using NamedOperator = std::optional<std::string>;
// For a package of neither family (a build under another name): the older one.
const OperatorFamily& family_of(std::string_view package);
// One of the four published names.
bool is_published_operator(std::string_view package);
// The filter for `pm list packages` that finds all four names, or both variants of another one: it
// matches a part of the name.
std::string operator_filter(const NamedOperator& wanted);

// The name in advice and reports where no package is known.
inline constexpr std::string_view kReleaseOperatorPackage = "com.clawperator.operator";

bool is_debug_variant(std::string_view operator_package);
// "x.dev" for "x", "x" for "x.dev".
std::string alternate_variant(const std::string& operator_package);

// "com.x/clawperator....OperatorAccessibilityService"; enabled services are listed by it.
std::string accessibility_component(const std::string& operator_package);
std::string notification_listener_component(const std::string& operator_package);
std::string main_activity_component(const std::string& operator_package);

// A name that may stand in a command: letters, digits, `_` and `.`, 255 at most.
bool is_package_name(std::string_view name);

using OperatorVersion = base::Version;

// Apps from this version on are usable. One above the newest known version counts as that one.
inline constexpr OperatorVersion kOldestOperator{0, 5, 3};
inline constexpr OperatorVersion kNewestOperator{1, 0, 0};
bool is_newer_than_known(const OperatorVersion& version);  // by major and minor

// major * 10^7 + minor * 10^5 + patch * 1000 + 900; nullopt for a number that is no such code.
std::optional<OperatorVersion> version_of_code(std::int64_t code);

// Of `dumpsys package X`: the first versionName and versionCode outside of "Hidden system
// packages".
struct InstalledVersion {
  std::optional<std::string> name{};
  std::optional<std::string> code{};  // at most 18 digits
};
InstalledVersion parse_installed_version(std::string_view dumpsys);

// The effect on a step of a feature that the app is too old for.
enum class TooOld {
  answers_less,  // the app answers with less, or less well; the sent step is the same
  ignored,       // the app ignores the feature, without harm
  refused,       // the app would act otherwise, or never answer: nothing is sent
};

// A feature that apps have from a version on.
struct OperatorFeature {
  std::string_view name;
  OperatorVersion since;
  std::string_view command;  // the command of this program that uses it
  std::string_view missing;  // the effect on a phone with an older app: one sentence
  TooOld too_old = TooOld::answers_less;
  std::string_view actions{};  // the types of the steps that use it, between blanks; empty: all
  std::string_view member{};   // a parameter of those steps that is not false
};

// The one table, in the order of the versions. A row that names an action or a parameter which an
// execution cannot have (contract/action_table) is no feature yet.
std::span<const OperatorFeature> operator_feature_table();
// The features that this program uses and an app of this version lacks.
std::vector<const OperatorFeature*> missing_features(const OperatorVersion& version);
// [{"feature","needs","command"}]
std::string missing_json(const std::vector<const OperatorFeature*>& missing);
// "clear (type --clear) needs 0.7.0: ...", one line each.
std::vector<std::string> missing_lines(const std::vector<const OperatorFeature*>& missing);

// A step that uses a feature which not every app has, and the effect of its absence.
struct FeatureUse {
  const OperatorFeature* feature = nullptr;
  const Action* action = nullptr;  // lives as long as the execution
};
std::vector<FeatureUse> feature_uses(const Execution& execution);

}  // namespace clawperator
