#pragma once
// The Operator app: its names, its versions, and what each version can. Pure.
//
// It has two families of names, from before and after it was renamed, and each family has a release
// and a debug variant ("x" and "x.dev"). A phone may have any of the four, beside one another.

#include "base/version.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

struct OperatorFamily {
  std::string_view package;        // of the release
  std::string_view class_package;  // what the names of its classes begin with
  std::string_view broadcast_action;
  std::string_view metadata_url;  // which release is the latest
};

// The older one first.
std::span<const OperatorFamily> operator_families();

// The package that the user named; absent: what is installed decides.
using NamedOperator = std::optional<std::string>;
// Of a package that is in none (a build under another name): the older one.
const OperatorFamily& family_of(std::string_view package);
// One of the four published names.
bool is_published_operator(std::string_view package);
// The filter for `pm list packages` that finds all four names, or both variants of another one: it
// matches a part of the name.
std::string operator_filter(const NamedOperator& wanted);

// Where no package is known: what advice and reports name.
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

// Apps from the first one on are usable. One that is newer than the newest known one is taken for
// it.
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

// What becomes of a step that uses a feature which the app is too old for.
enum class TooOld {
  answers_less,  // nothing that is sent: the app answers with less, or in a worse way
  ignored,       // the app takes the step without it, and that does no harm
  refused,       // the app would do something else, or never answer: it is not sent
};

// One thing that apps can from a version on.
struct OperatorFeature {
  std::string_view name;
  OperatorVersion since;
  std::string_view command;  // of this program, which it is of use to
  std::string_view missing;  // what a phone with an older app lacks: one sentence
  TooOld too_old = TooOld::answers_less;
  std::string_view actions{};  // the types of the steps that use it, by blanks; empty: all
  std::string_view member{};   // a member of their parameters that is not false
};

// The one table, in the order of the versions. A row that names an action or a member which an
// execution cannot have (contract/action_table) waits for it: it is no feature yet.
std::span<const OperatorFeature> operator_feature_table();
// What an app of this version lacks, of what this program uses.
std::vector<const OperatorFeature*> missing_features(const OperatorVersion& version);
// [{"feature","needs","command"}]
std::string missing_json(const std::vector<const OperatorFeature*>& missing);
// "clear (type --clear) needs 0.7.0: ...", one line each.
std::vector<std::string> missing_lines(const std::vector<const OperatorFeature*>& missing);

// A step that uses a feature which not every app knows, and what becomes of it without.
struct FeatureUse {
  const OperatorFeature* feature = nullptr;
  const Action* action = nullptr;  // lives as long as the execution
};
std::vector<FeatureUse> feature_uses(const Execution& execution);

}  // namespace clawperator
