#include "runtime/host/emulator/avd.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kLongestName = 100;
constexpr std::string_view kPlatform = "android-";
constexpr std::string_view kPlayStoreTag = "google_apis_playstore";

std::optional<std::string> value_of(const AvdProperties& properties, std::string_view key) {
  const auto at = properties.find(key);
  if (at == properties.end() || at->second.empty()) return std::nullopt;
  return at->second;
}

// The number of the first "android-NUMBER"; names of previews have none.
std::optional<int> platform_in(std::string_view text) {
  for (auto at = text.find(kPlatform); at != text.npos; at = text.find(kPlatform, at + 1)) {
    const std::string_view digits = text.substr(at + kPlatform.size());
    int level = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), level);
    if (error == std::errc{} && level >= 0) return level;
  }
  return std::nullopt;
}

std::optional<int> api_level_of(const AvdProperties& ini, const AvdProperties& config) {
  for (const AvdProperties* properties : {&config, &ini}) {
    if (const auto level = platform_in(value_of(*properties, "target").value_or(""))) return level;
  }
  return platform_in(value_of(config, "image.sysdir.1").value_or(""));
}

bool has_play_store(const AvdProperties& config) {
  const std::string enabled = ascii_lower(value_of(config, "PlayStore.enabled").value_or(""));
  return enabled == "true" || enabled == "yes" ||
         value_of(config, "tag.id").value_or("") == kPlayStoreTag ||
         value_of(config, "image.sysdir.1").value_or("").contains(kPlayStoreTag);
}

// "system-images/android-35/google_apis/x86_64/" as sdkmanager names it.
std::optional<std::string> system_image_of(const AvdProperties& config) {
  auto image = value_of(config, "image.sysdir.1");
  if (!image) return std::nullopt;
  if (image->ends_with('/')) image->pop_back();
  std::ranges::replace(*image, '/', ';');
  return image;
}

std::vector<std::string> reasons_against(const Avd& avd, HostArch arch) {
  const AvdProfile wanted = default_profile(arch);
  std::vector<std::string> reasons;
  if (!avd.play_store) reasons.emplace_back("missing_play_store");
  if (avd.api_level != wanted.api_level) reasons.emplace_back("unsupported_api_level");
  const auto abis = supported_abis(arch);
  const bool abi_fits = avd.abi && std::ranges::count(abis, *avd.abi) != 0;
  if (!abi_fits) reasons.emplace_back("unsupported_abi");
  if (avd.device_profile != wanted.device) reasons.emplace_back("unsupported_device_profile");
  return reasons;
}

}  // namespace

HostArch this_host() {
#if defined(__x86_64__)
  return HostArch::x86_64;
#else
  return HostArch::arm64;
#endif
}

std::string AvdProfile::system_image() const {
  return "system-images;android-" + std::to_string(api_level) + ";" + tag + ";" + abi;
}

void AvdProfile::set_play_store(bool has_it) { tag = has_it ? kPlayStoreTag : "google_apis"; }

bool is_device_profile(std::string_view id) {
  const auto shows = [](char c) {
    const char lower = lower_char(c);
    return (lower >= 'a' && lower <= 'z') || is_digit(c) || std::string_view(" ._-()").contains(c);
  };
  return !id.empty() && id.size() <= kLongestName && id.front() != '-' &&
         std::ranges::all_of(id, shows);
}

AvdProfile default_profile(HostArch arch) {
  AvdProfile profile;
  profile.abi = arch == HostArch::x86_64 ? "x86_64" : "arm64-v8a";
  return profile;
}

std::vector<std::string> supported_abis(HostArch arch) {
  std::vector<std::string> abis{"arm64-v8a"};
  if (arch == HostArch::x86_64) abis.emplace_back("x86_64");
  return abis;
}

std::string to_json(const Avd& avd) {
  JsonObject json;
  json.text("name", avd.name).boolean("exists", avd.exists).boolean("running", avd.running);
  if (avd.api_level)
    json.number("apiLevel", *avd.api_level);
  else
    json.null("apiLevel");
  json.text_or_null("abi", avd.abi).boolean("playStore", avd.play_store);
  json.text_or_null("deviceProfile", avd.device_profile);
  json.text_or_null("systemImage", avd.system_image);
  json.boolean("supported", avd.supported).strings("unsupportedReasons", avd.unsupported_reasons);
  return json.str();
}

bool is_avd_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '.' ||
           c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kLongestName && name.front() != '-' && name != "." &&
         name != ".." && std::ranges::all_of(name, is_plain);
}

Result<void> check_avd_name(std::string_view name) {
  if (is_avd_name(name)) return ok();
  return fail(errc::usage, "not a name of a virtual device: " + quote_json(name.substr(0, 100)) +
                               " (letters, digits, '.', '_' and '-', at most 100)");
}

AvdProperties parse_avd_file(std::string_view text) {
  AvdProperties properties;
  text = text.substr(0, kMaxAvdFile);
  while (!text.empty() && properties.size() < kMaxAvdProperties) {
    const std::string_view line = take_line(&text);
    const auto equals = line.find('=');
    if (equals == line.npos || line.front() == '#' || line.front() == ';') continue;
    const std::string_view key = trimmed(line.substr(0, equals));
    if (!key.empty()) properties[std::string(key)] = trimmed(line.substr(equals + 1));
  }
  return properties;
}

Avd describe_avd(std::string name, const AvdProperties& ini, const AvdProperties& config,
                 HostArch arch) {
  Avd avd{.name = std::move(name)};
  avd.api_level = api_level_of(ini, config);
  avd.abi = value_of(config, "abi.type");
  avd.play_store = has_play_store(config);
  avd.device_profile = value_of(config, "hw.device.name");
  avd.system_image = system_image_of(config);
  avd.unsupported_reasons = reasons_against(avd, arch);
  avd.supported = avd.unsupported_reasons.empty();
  return avd;
}

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kIni = ".ini";
constexpr int kMostEntries = 10'000;    // an AVD has two; a foreign folder may have any number
constexpr std::size_t kMaxLock = 4096;  // a process number; a foreign file must not fill memory

// Regular files only: reading a pipe would wait for its writer.
AvdProperties read_properties(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return {};
  const auto text = read_file(path, kMaxAvdFile);
  return text ? parse_avd_file(*text) : AvdProperties{};
}

// `path`, and when that is gone `path.rel`, which starts from the folder above ours.
fs::path content_folder(const fs::path& folder, const std::string& name, const AvdProperties& ini) {
  std::error_code ignored;
  fs::path absolute = value_of(ini, "path").value_or("");
  if (!absolute.empty() && fs::is_directory(absolute, ignored)) return absolute;
  const fs::path relative = value_of(ini, "path.rel").value_or("");
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
  if (const auto sdk = environment_variable("ANDROID_SDK_HOME"))
    return fs::path(*sdk) / ".android/avd";
  const fs::path home = home_folder();
  return home.empty() ? home : home / ".android/avd";
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

bool is_taken(const fs::path& folder, const std::string& name) {
  return is_there(folder / (name + std::string(kIni))) || is_there(folder / (name + ".avd"));
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
