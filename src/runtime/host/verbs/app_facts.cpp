#include "runtime/host/verbs/app_facts.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator {
namespace {

constexpr std::size_t kLongestPackageName = 255;
constexpr std::string_view kPackagePrefix = "package:";

// The word that follows `key` (with its mark) in a line of `key=value` words.
std::optional<std::string_view> word_of(std::string_view line, std::string_view key) {
  for (std::size_t at = line.find(key); at != line.npos; at = line.find(key, at + 1)) {
    if (at > 0 && line[at - 1] != ' ') continue;
    const std::string_view rest = line.substr(at + key.size());
    return rest.substr(0, std::min(rest.find_first_of(" ,"), rest.size()));
  }
  return std::nullopt;
}

std::optional<std::int64_t> number_of(std::string_view line, std::string_view key) {
  const auto word = word_of(line, key);
  return word ? whole_number<std::int64_t>(*word) : std::nullopt;
}

void read_number(std::string_view line, std::string_view key, std::optional<std::int64_t>* into) {
  if (!*into) *into = number_of(line, key);
}

// The whole rest of a line that begins with `key`.
void read_rest(std::string_view line, std::string_view key, std::optional<std::string>* into) {
  if (*into || !line.starts_with(key)) return;
  *into = std::string(trimmed(line.substr(key.size())));
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// "android.permission.CAMERA: granted=true, flags=[ USER_SET ]"
std::optional<AppPermission> read_permission(std::string_view line) {
  const auto colon = line.find(": granted=");
  if (colon == line.npos || colon == 0) return std::nullopt;
  const auto value = word_of(line.substr(colon + 2), "granted=");
  if (!value || (*value != "true" && *value != "false")) return std::nullopt;
  return AppPermission{std::string(line.substr(0, colon)), *value == "true"};
}

// Reads the description of one package, line by line.
class AppReader {
 public:
  AppReader(std::string_view package, int user)
      : package_(package), user_("User " + std::to_string(user) + ":") {}

  void read(std::string_view line) {
    const std::size_t depth = indentation(line);
    const std::string_view text = trimmed(line);
    if (text.empty()) return;
    if (depth == 0) hidden_ = !text.starts_with("Packages:");
    if (text.starts_with("Package [")) begin(text);
    if (!inside_ || hidden_) return;
    if (text.starts_with("User ")) begin_user(text, depth);
    if (in_permissions_ && depth > permissions_depth_) {
      read_granted(text);
      return;
    }
    in_permissions_ = false;
    if (text == "runtime permissions:") {
      in_permissions_ = is_the_user_;
      permissions_depth_ = depth;
      return;
    }
    // Since Android 14 each user has times of their own.
    if (!in_user_ || is_the_user_) read_package_line(text);
  }

  [[nodiscard]] std::optional<AppFacts> result() && {
    return found_ && installed_ ? std::optional(std::move(facts_)) : std::nullopt;
  }

 private:
  void begin(std::string_view text) {
    const std::string_view name = text.substr(text.find('[') + 1);
    inside_ =
        !hidden_ && !found_ && name.substr(0, std::min(name.find(']'), name.size())) == package_;
    found_ = found_ || inside_;
    in_user_ = is_the_user_ = in_permissions_ = false;
  }

  void begin_user(std::string_view text, std::size_t depth) {
    if (in_permissions_ && depth > permissions_depth_) return;
    in_user_ = true;
    in_permissions_ = false;
    is_the_user_ = text.starts_with(user_);
    if (!is_the_user_) return;
    const auto flag = [&](std::string_view key) { return word_of(text, key); };
    if (const auto installed = flag("installed=")) installed_ = *installed == "true";
    if (const auto stopped = flag("stopped=")) facts_.stopped = *stopped == "true";
    // 0 is as the manifest says, 1 enabled; the others are ways of being disabled.
    if (const auto enabled = number_of(text, "enabled=")) facts_.enabled = *enabled <= 1;
  }

  void read_granted(std::string_view text) {
    if (auto permission = read_permission(text))
      facts_.permissions.push_back(*std::move(permission));
  }

  void read_package_line(std::string_view text) {
    read_number(text, "userId=", &facts_.uid);
    read_number(text, "appId=", &facts_.uid);
    read_number(text, "versionCode=", &facts_.version_code);
    read_number(text, "targetSdk=", &facts_.target_sdk);
    read_rest(text, "versionName=", &facts_.version_name);
    read_rest(text, "codePath=", &facts_.path);
    read_rest(text, "firstInstallTime=", &facts_.first_installed);
    read_rest(text, "lastUpdateTime=", &facts_.last_updated);
    if (text.starts_with("flags=[") || text.starts_with("pkgFlags=[")) {
      const std::string flags = " " + std::string(text.substr(text.find('[') + 1)) + " ";
      facts_.system = facts_.system || flags.contains(" SYSTEM ");
      facts_.debuggable = facts_.debuggable || flags.contains(" DEBUGGABLE ");
    }
  }

  std::string_view package_;
  std::string user_;
  AppFacts facts_;
  bool hidden_ = true, found_ = false, inside_ = false, installed_ = true;
  bool in_user_ = false, is_the_user_ = false, in_permissions_ = false;
  std::size_t permissions_depth_ = 0;
};

}  // namespace

std::vector<AppRow> parse_app_rows(std::string_view listing) {
  std::vector<AppRow> rows;
  while (!listing.empty()) {
    const std::string_view line = take_line(&listing);
    if (!line.starts_with(kPackagePrefix)) continue;
    const std::string_view name = line.substr(kPackagePrefix.size());
    AppRow row{.package = std::string(name.substr(0, std::min(name.find(' '), name.size())))};
    row.version_code = number_of(line, "versionCode:");
    row.uid = number_of(line, "uid:");
    if (!row.package.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PackagePath> parse_package_paths(std::string_view listing) {
  std::vector<PackagePath> paths;
  while (!listing.empty()) {
    std::string_view line = take_line(&listing);
    if (!line.starts_with(kPackagePrefix)) continue;
    line.remove_prefix(kPackagePrefix.size());
    // The path may hold such a mark itself, a name never.
    const auto mark = line.rfind('=');
    if (mark == line.npos || mark == 0 || mark + 1 == line.size()) continue;
    paths.push_back({std::string(line.substr(mark + 1)), std::string(line.substr(0, mark))});
  }
  return paths;
}

std::vector<PackagePath> new_paths(const std::vector<PackagePath>& before,
                                   const std::vector<PackagePath>& after) {
  std::vector<PackagePath> fresh;
  for (const PackagePath& path : after) {
    if (std::ranges::find(before, path) == before.end()) fresh.push_back(path);
  }
  return fresh;
}

std::optional<AppFacts> parse_app_facts(std::string_view dumpsys, std::string_view package,
                                        int user) {
  AppReader reader(package, user);
  while (!dumpsys.empty()) {
    const auto end = std::min(dumpsys.find('\n'), dumpsys.size());
    reader.read(dumpsys.substr(0, end));
    dumpsys.remove_prefix(std::min(end + 1, dumpsys.size()));
  }
  return std::move(reader).result();
}

std::optional<bool> is_granted(const AppFacts& facts, std::string_view permission) {
  const auto found = std::ranges::find(facts.permissions, permission, &AppPermission::name);
  return found == facts.permissions.end() ? std::nullopt : std::optional(found->granted);
}

std::vector<std::int64_t> parse_process_ids(std::string_view printed) {
  std::vector<std::int64_t> ids;
  while (!printed.empty()) {
    const auto end = std::min(printed.find_first_of(kBlanks), printed.size());
    if (const auto id = whole_number<std::int32_t>(printed.substr(0, end)); id && *id > 0) {
      ids.push_back(*id);
    }
    printed.remove_prefix(std::min(end + 1, printed.size()));
  }
  return ids;
}

bool is_package_name(std::string_view name) {
  const auto fits = [](char c) {
    return is_digit(c) || (lower_char(c) >= 'a' && lower_char(c) <= 'z') || c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= kLongestPackageName && std::ranges::all_of(name, fits);
}

}  // namespace clawperator
