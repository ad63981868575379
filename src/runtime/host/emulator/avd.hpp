#pragma once
// A virtual device as its files describe it, and whether it fits the Operator.
//
//   <folder>/NAME.ini               path=/home/me/.android/avd/NAME.avd, target=android-35, ...
//   <folder>/NAME.avd/config.ini    abi.type=x86_64, image.sysdir.1=system-images/android-35/...,
//   ...

#include <sys/types.h>

#include <filesystem>
#include <map>

#include "base/error.hpp"

namespace clawperator {

enum class HostArch { arm64, x86_64 };
HostArch this_host();

// The AVD that `emulator create` makes.
struct AvdProfile {
  std::string name = "clawperator-pixel";
  int api_level = 35;
  std::string device = "pixel_7";
  std::string tag = "google_apis_playstore";
  std::string abi{};

  void set_play_store(bool has_it);
  // "system-images;android-35;google_apis_playstore;x86_64"
  [[nodiscard]] std::string system_image() const;
};
AvdProfile default_profile(HostArch arch);
inline constexpr int kLeastApiLevel = 21;  // Android 5, the Operator app's oldest
inline constexpr int kMostApiLevel = 99;   // Android 16 is 36; three digits are a typing error
// A name that avdmanager lists with `list device`: letters, digits, blanks and "._-()", no option.
bool is_device_profile(std::string_view id);

// The ABIs that an emulator can run here: arm64-v8a, and x86_64 too where the host is one.
std::vector<std::string> supported_abis(HostArch arch);

struct Avd {
  std::string name{};
  bool exists = false;
  bool running = false;
  std::optional<int> api_level{};
  std::optional<std::string> abi{};
  bool play_store = false;
  std::optional<std::string> device_profile{};
  std::optional<std::string> system_image{};
  bool supported = false;
  std::vector<std::string> unsupported_reasons{};  // in the published order

  bool operator==(const Avd&) const = default;
};
std::string to_json(const Avd& avd);

// [A-Za-z0-9._-]+, no option, no folder, at most 100 characters: what avdmanager accepts.
bool is_avd_name(std::string_view name);
// usage for an invalid name.
Result<void> check_avd_name(std::string_view name);

using AvdProperties = std::map<std::string, std::string, std::less<>>;
// A config.ini has some hundred short lines; a foreign file must not fill memory:
inline constexpr std::size_t kMaxAvdFile = 256 << 10;
inline constexpr std::size_t kMaxAvdProperties = 2000;

// `key = value` lines; comments (#, ;), blank lines and everything else are passed over. The last
// one of a key counts.
AvdProperties parse_avd_file(std::string_view text);

// `ini` is NAME.ini, `config` is config.ini, which wins; either may be empty.
Avd describe_avd(std::string name, const AvdProperties& ini, const AvdProperties& config,
                 HostArch arch);

// The virtual devices of this user, read from their files: no program of the SDK is needed.
//
// The folder: ANDROID_AVD_HOME, else ANDROID_USER_HOME/avd, else ANDROID_SDK_HOME/.android/avd,
// else ~/.android/avd.

// Empty when none of the variables, nor HOME, is set.
std::filesystem::path avd_folder();

// All that have a NAME.ini, by name. One whose other files are gone or unreadable is listed,
// without its values.
std::vector<Avd> list_avds(const std::filesystem::path& folder, HostArch arch);

// An unknown name is one that does not exist; requires is_avd_name(name).
Avd read_avd(const std::filesystem::path& folder, const std::string& name, HostArch arch);

// Whether a new AVD of that name would replace another one, or the rest of one.
bool is_taken(const std::filesystem::path& folder, const std::string& name);

// The lock that an emulator puts into the folder of its AVD. A lock whose process is gone is left
// over and does not count.
struct AvdLock {
  std::filesystem::path file{};
  pid_t holder = 0;
};
std::optional<AvdLock> held_lock(const std::filesystem::path& folder, const std::string& name);

}  // namespace clawperator
