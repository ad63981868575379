#pragma once
// The differences between versions of the Operator app: names and capabilities. No other file
// contains a version number.

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simdroid {

inline constexpr std::string_view kDefaultOperator = "0.12.5";

// The app was renamed at 1.0.0. Both apps can be installed beside each other.
struct OperatorNames {
  std::string_view package, variant;  // the release and the debug build
  std::string_view action;            // of the broadcast
  std::string_view classes;           // its Java packages lie below this one
  std::string_view log;               // [LOG-Result], [LOG-Command] and so on

  [[nodiscard]] std::string service() const;   // the accessibility service's class
  [[nodiscard]] std::string activity() const;  // the main activity's class
  [[nodiscard]] std::string line(std::string_view kind, std::string_view rest) const;
};

std::span<const OperatorNames> operator_names();                  // the old ones, then the new ones
const OperatorNames* names_of_package(std::string_view package);  // null: no Operator app
// The release packages and the debug ones of both families.
std::span<const std::string_view> operator_packages();

struct OperatorVersion {
  int major = 0, minor = 0, patch = 0;

  auto operator<=>(const OperatorVersion&) const = default;
};

// x.y.z, also with the -d of a debug build; nullopt for anything else.
std::optional<OperatorVersion> parse_operator_version(std::string_view text);
// 1 for an invalid version.
int operator_version_code(std::string_view version_name);

struct Capabilities {
  bool device_state = false;      // doctor_ping reports screen, lock and user
  bool clears_text = false;       // enter_text supports `clear`
  bool open_app_waits = false;    // until the app is in front
  bool tagged_hierarchy = false;  // the hierarchy's mark in the log names the command
  bool readable_tags = false;     // class names in log tags, else one letter
  bool snapshot_name = false;     // `snapshot` beside `snapshot_ui`
  bool pieces = false;            // long results as several log entries, Publication lines
  bool typed_failures = false;    // error codes; a failed plan keeps its steps
  bool receipts = false;          // what an action found and did
  bool strict_matchers = false;   // strict, ancestor, descendant, container; unknown keys refused
  bool node_visibility = false;   // two more attributes of the hierarchy
  bool hierarchy_in_result = false;  // the XML is data.text, and not in the log
  bool reports_submission = false;   // enter_text reports the result of `submit`
};

// Those of the default version for an invalid one.
Capabilities capabilities_of(std::string_view version_name);

struct OperatorBuild {
  const OperatorNames* names;
  std::string version;
};

// Of a list as the option takes it: `0.12.5`, `0.12.5,1.0.0`, `none`. The names follow from the
// version; of two versions with the same names the last one counts.
std::vector<OperatorBuild> operator_builds(std::string_view list);

}  // namespace simdroid
