#pragma once
// What a phone tells of its apps: rows of `pm list packages`, and `dumpsys package`. Pure. Absent
// members are those that a release does not print.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clawperator {

struct AppRow {
  std::string package{};
  std::optional<std::int64_t> version_code{};
  std::optional<std::int64_t> uid{};

  bool operator==(const AppRow&) const = default;
};

// `package:NAME versionCode:N uid:N`, the two in any order, or neither; other lines are passed
// over.
std::vector<AppRow> parse_app_rows(std::string_view listing);

// NAME and PATH of the lines `package:PATH=NAME`, as they are printed.
struct PackagePath {
  std::string package{};
  std::string path{};

  bool operator==(const PackagePath&) const = default;
};
std::vector<PackagePath> parse_package_paths(std::string_view listing);
// Those of `after` that are not in `before`: what was installed in between.
std::vector<PackagePath> new_paths(const std::vector<PackagePath>& before,
                                   const std::vector<PackagePath>& after);

struct AppPermission {
  std::string name{};
  bool granted = false;

  bool operator==(const AppPermission&) const = default;
};

struct AppFacts {
  std::optional<std::string> version_name{};
  std::optional<std::int64_t> version_code{};
  std::optional<std::int64_t> target_sdk{};
  std::optional<std::int64_t> uid{};
  std::optional<std::string> path{};
  std::optional<std::string> first_installed{};  // in the phone's own time zone, as it prints it
  std::optional<std::string> last_updated{};
  std::optional<bool> enabled{};
  std::optional<bool> stopped{};
  bool system = false;
  bool debuggable = false;
  std::vector<AppPermission> permissions{};  // those that are asked for at run time
};

// Of the installed package, for that user; nullopt where the text describes no such package. A
// system app that was updated is described twice, and the hidden one does not count.
std::optional<AppFacts> parse_app_facts(std::string_view dumpsys, std::string_view package,
                                        int user);

// Whether that permission is granted; nullopt where the app has not asked for it.
std::optional<bool> is_granted(const AppFacts& facts, std::string_view permission);

// The numbers that `pidof` printed.
std::vector<std::int64_t> parse_process_ids(std::string_view printed);

// A name that may stand in a command: letters, digits, `_` and `.`.
bool is_package_name(std::string_view name);

}  // namespace clawperator
