#include "base/system/environment.hpp"
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace base {

namespace fs = std::filesystem;

std::optional<std::string> environment_variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

namespace {

fs::path home_of_user() {
  std::array<char, 16384> texts{};  // of the entry; glibc suggests 1024
  passwd entry{};
  passwd* user = nullptr;
  if (::getpwuid_r(::getuid(), &entry, texts.data(), texts.size(), &user) != 0) return "";
  const bool is_known = user != nullptr && user->pw_dir != nullptr && *user->pw_dir == '/';
  return is_known ? user->pw_dir : "";
}

}  // namespace

fs::path home_folder() {
  if (const auto home = environment_variable("HOME")) return *home;
  return home_of_user();
}

fs::path state_folder() {
  const fs::path home = home_folder();
  return home.empty() ? home : home / ".clawperator";
}

fs::path cache_folder() {
  if (const auto cache = environment_variable("XDG_CACHE_HOME"))
    return fs::path(*cache) / "clawperator";
  const fs::path home = home_folder();
  return home.empty() ? home : home / ".cache" / "clawperator";
}

fs::path config_home() {
  const fs::path home = home_folder();
#ifdef __APPLE__
  constexpr const char* kInHome = "Library/Application Support";
#else
  constexpr const char* kInHome = ".config";
  // The specification requires that a relative path is ignored.
  const auto folder = environment_variable("XDG_CONFIG_HOME");
  if (folder && fs::path(*folder).is_absolute()) return *folder;
#endif
  return home.empty() ? home : home / kInHome;
}

fs::path temp_folder() {
  std::error_code absent;
  const fs::path folder = fs::temp_directory_path(absent);
  return absent ? fs::path("/tmp") : folder;
}

std::string file_name_of(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  std::string name(text.substr(0, kLongest));
  bool changed = name.size() != text.size() || name.empty() || name.front() == '.';
  for (char& c : name) {
    if (kPlain.find(c) != std::string_view::npos) continue;
    c = '_';
    changed = true;
  }
  if (!changed) return name;
  // Two texts must not get the same name.
  return "_" + name + "-" + std::to_string(std::hash<std::string_view>{}(text));
}

}  // namespace base
