#include "simdroid/device/properties.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxProperty = 91;
constexpr std::size_t kMaxProperties = 2000;

std::string fingerprint_of(const Identity& identity, const PhoneProfile& kind) {
  return std::string(kind.manufacturer) + "/" + identity.product + "/" + identity.device + ":" +
         std::string(kind.release) + "/SIM1.240101.001/1:user/release-keys";
}

}  // namespace

Properties::Properties(const Identity& identity, const PhoneProfile& kind)
    : values_{{"dev.bootcomplete", "1"},
              {"init.svc.adbd", "running"},
              {"persist.sys.locale", "en-US"},
              {"persist.sys.timezone", "UTC"},
              {"ro.adb.secure", "0"},
              {"ro.boot.serialno", identity.serial},
              {"ro.build.characteristics", "default"},
              {"ro.build.fingerprint", fingerprint_of(identity, kind)},
              {"ro.build.tags", "release-keys"},
              {"ro.build.type", "user"},
              {"ro.build.version.release", std::string(kind.release)},
              {"ro.build.version.security_patch",
               std::string(android_release(kind.sdk).security_patch)},
              {"ro.build.version.sdk", std::to_string(kind.sdk)},
              {"ro.debuggable", "0"},
              {"ro.product.brand", std::string(kind.manufacturer)},
              {"ro.product.cpu.abi", "arm64-v8a"},
              {"ro.product.cpu.abilist", "arm64-v8a"},
              {"ro.product.device", identity.device},
              {"ro.product.manufacturer", std::string(kind.manufacturer)},
              {"ro.product.model", identity.model},
              {"ro.product.name", identity.product},
              {"ro.secure", "1"},
              {"ro.serialno", identity.serial},
              {"sys.boot_completed", "1"}} {}

std::string Properties::get(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? std::string() : at->second;
}

Result<void> Properties::set(std::string_view name, std::string_view value) {
  const bool settable = name.starts_with("debug.") || name.starts_with("log.") ||
                        name.starts_with("persist.log.") || name.starts_with("sys.") ||
                        name.starts_with("test.");
  if (!settable || value.size() > kMaxProperty || values_.size() > kMaxProperties) {
    return fail(errc::refused, "Failed to set property '" + std::string(name) + "' to '" +
                                   std::string(value) + "'.\nSee dmesg for error reason.");
  }
  values_[std::string(name)] = std::string(value);
  return ok();
}

Settings::Settings()
    : tables_{{"system",
               {{"accelerometer_rotation", "0"},
                {"font_scale", "1.0"},
                {"screen_brightness", "102"},
                {"screen_off_timeout", "60000"},
                {"user_rotation", "0"}}},
              {"secure",
               {{"accessibility_enabled", "1"},
                {"android_id", "51d0d01d51d0d01d"},
                {"default_input_method", "com.android.inputmethod.latin/.LatinIME"},
                {"user_setup_complete", "1"}}},
              {"global",
               {{"adb_enabled", "1"},
                {"airplane_mode_on", "0"},
                {"development_settings_enabled", "1"},
                {"device_name", "Simdroid"},
                {"mobile_data", "1"},
                {"stay_on_while_plugged_in", "0"},
                {"wifi_on", "1"}}}} {}

Settings::Table* Settings::table(std::string_view space) {
  const auto at = tables_.find(space);
  return at == tables_.end() ? nullptr : &at->second;
}

std::string Settings::get(std::string_view space, std::string_view key) const {
  const auto at = tables_.find(space);
  if (at == tables_.end()) return "";
  const auto value = at->second.find(key);
  return value == at->second.end() ? "" : value->second;
}

}  // namespace simdroid
