#include "runtime/host/emulator/avd.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"

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
  std::string enabled = value_of(config, "PlayStore.enabled").value_or("");
  std::ranges::transform(enabled, enabled.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
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

void add_text(JsonObject* json, std::string_view name, const std::optional<std::string>& value) {
  if (value)
    json->text(name, *value);
  else
    json->null(name);
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
  add_text(&json, "abi", avd.abi);
  json.boolean("playStore", avd.play_store);
  add_text(&json, "deviceProfile", avd.device_profile);
  add_text(&json, "systemImage", avd.system_image);
  json.boolean("supported", avd.supported).strings("unsupportedReasons", avd.unsupported_reasons);
  return json.str();
}

bool is_avd_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
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

}  // namespace clawperator
