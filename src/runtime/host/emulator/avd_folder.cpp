#include "runtime/host/emulator/avd_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>

#include "base/files.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kIni = ".ini";
constexpr int kMostEntries = 10'000;
constexpr std::size_t kMaxLock = 4096;

// Regular files only: reading a pipe would wait for its writer.
AvdProperties read_properties(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return {};
  const auto text = read_file(path, kMaxAvdFile);
  return text ? parse_avd_file(*text) : AvdProperties{};
}

std::string text_at(const AvdProperties& properties, std::string_view key) {
  const auto at = properties.find(key);
  return at == properties.end() ? std::string() : at->second;
}

// `path`, and when that is gone `path.rel`, which starts from the folder above ours.
fs::path content_folder(const fs::path& folder, const std::string& name, const AvdProperties& ini) {
  std::error_code ignored;
  fs::path absolute = text_at(ini, "path");
  if (!absolute.empty() && fs::is_directory(absolute, ignored)) return absolute;
  const fs::path relative = text_at(ini, "path.rel");
  fs::path moved = folder.parent_path() / relative;
  if (!relative.empty() && fs::is_directory(moved, ignored)) return moved;
  return folder / (name + ".avd");
}

fs::path content_folder_of(const fs::path& folder, const std::string& name) {
  return content_folder(folder, name, read_properties(folder / (name + std::string(kIni))));
}

// Its text is the number of its process; where the lock is a folder, that of its file `pid` is.
std::optional<pid_t> holder_of(const fs::path& lock) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(lock, ignored) ? lock / "pid" : lock;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  const auto text = read_file(file, kMaxLock);
  if (!text) return std::nullopt;
  const auto digits = text->find_first_not_of(" \t\r\n");
  pid_t pid = 0;
  const char* const end = text->data() + text->size();
  if (digits == text->npos) return std::nullopt;
  const auto read = std::from_chars(text->data() + digits, end, pid);
  return read.ec == std::errc{} && pid > 0 ? std::optional(pid) : std::nullopt;
}

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0 || errno == EPERM; }

}  // namespace

fs::path avd_folder() {
  if (const auto folder = environment_variable("ANDROID_AVD_HOME")) return *folder;
  if (const auto user = environment_variable("ANDROID_USER_HOME")) return fs::path(*user) / "avd";
  for (const char* home : {"ANDROID_SDK_HOME", "HOME"}) {
    if (const auto folder = environment_variable(home)) return fs::path(*folder) / ".android/avd";
  }
  return {};
}

Avd read_avd(const fs::path& folder, const std::string& name, HostArch arch) {
  std::error_code ignored;
  const fs::path ini_file = folder / (name + std::string(kIni));
  if (!fs::is_regular_file(ini_file, ignored)) return describe_avd(name, {}, {}, arch);
  const AvdProperties ini = read_properties(ini_file);
  const AvdProperties config = read_properties(content_folder(folder, name, ini) / "config.ini");
  Avd avd = describe_avd(name, ini, config, arch);
  avd.exists = true;
  return avd;
}

std::optional<AvdLock> held_lock(const fs::path& folder, const std::string& name) {
  const fs::path content = content_folder_of(folder, name);
  for (const char* file : {"hardware-qemu.ini.lock", "multiinstance.lock"}) {
    const auto holder = holder_of(content / file);
    if (holder && is_alive(*holder)) return AvdLock{content / file, *holder};
  }
  return std::nullopt;
}

std::vector<Avd> list_avds(const fs::path& folder, HostArch arch) {
  std::vector<Avd> avds;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (int seen = 0; !error && entries != fs::directory_iterator() && seen < kMostEntries; ++seen) {
    const std::string file = entries->path().filename().string();
    entries.increment(error);
    if (!file.ends_with(kIni)) continue;
    const std::string name = file.substr(0, file.size() - kIni.size());
    if (!is_avd_name(name)) continue;
    Avd avd = read_avd(folder, name, arch);
    if (avd.exists) avds.push_back(std::move(avd));
  }
  std::ranges::sort(avds, {}, &Avd::name);
  return avds;
}

}  // namespace clawperator
