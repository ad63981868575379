#include "runtime/host/phone_maker.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {

namespace {

constexpr int kRestrictedSettings = 33;  // Android 13

struct VendorRow {
  std::string_view makers;  // "|xiaomi|redmi|"; empty: all of them
  int from_sdk;             // 0: any
  Symptom symptom;
  std::string_view hint;
};

constexpr std::string_view kXiaomi = "|xiaomi|redmi|poco|blackshark|";
constexpr std::string_view kOppo = "|oppo|realme|oneplus|";
constexpr std::string_view kSamsung = "|samsung|";
constexpr std::string_view kHuawei = "|huawei|honor|";
constexpr std::string_view kMeizu = "|meizu|";
constexpr std::string_view kAny;

constexpr auto kRows = std::to_array<VendorRow>({
    {kXiaomi, 0, Symptom::refused,
     "Switch on \"USB debugging (Security settings)\" in Developer options; the phone wants a SIM "
     "card and a Mi account for it."},
    {kXiaomi, 0, Symptom::install_blocked,
     "Switch on \"Install via USB\" in Developer options and confirm the dialog on the phone."},
    {kXiaomi, 0, Symptom::silent_app,
     "Allow Autostart for the Operator app in its App info, set its battery saver to \"No "
     "restrictions\", and lock it among the recent apps."},
    {kXiaomi, 0, Symptom::service_struck,
     "The phone's cleaner may switch services off: allow Autostart for the Operator app and lock "
     "it among the recent apps."},
    {kOppo, 0, Symptom::refused,
     "Switch on \"Disable permission monitoring\" in Developer options and restart the phone."},
    {kOppo, 0, Symptom::silent_app,
     "Allow auto-launch and background activity for the Operator app in its App info, under "
     "battery usage."},
    {kSamsung, 0, Symptom::install_blocked,
     "Switch Auto Blocker off in Settings > Security and privacy."},
    {kSamsung, 0, Symptom::silent_app,
     "Take the Operator app off the lists of sleeping apps in Settings > Battery > Background "
     "usage limits."},
    {kHuawei, 0, Symptom::silent_log,
     "Dial *#*#2846579#*#*, open Background settings > Log settings, and switch the AP log on."},
    {kHuawei, 0, Symptom::silent_app,
     "Set the Operator app to \"Manage manually\" in Settings > Battery > App launch, with all "
     "three switches on."},
    {kMeizu, 0, Symptom::silent_log,
     "Set \"Advanced logging\" in Developer options to \"Allow all\"."},
    {kAny, 0, Symptom::refused,
     "The phone does not let the shell change this: look for a switch that allows it in Developer "
     "options, or change it by hand on the phone."},
    {kAny, 0, Symptom::install_blocked,
     "Allow it on the device: Developer options, \"Install via USB\", and confirm its dialog."},
    {kAny, 0, Symptom::silent_app,
     "Open the Operator app on the phone once, and take it out of battery optimization."},
    {kAny, 0, Symptom::silent_log,
     "Set \"Logger buffer sizes\" in Developer options to 64K or more."},
    {kAny, kRestrictedSettings, Symptom::service_struck,
     "If the switch under Settings > Accessibility is grey: App info of the Operator app > menu > "
     "\"Allow restricted settings\", or install the app with `clawperator operator setup --apk "
     "~/.clawperator/downloads/operator.apk`."},
    {kAny, 0, Symptom::service_struck,
     "After a restart of the phone, unlock it once: no accessibility service runs before."},
});

bool is_for(const VendorRow& row, std::string_view maker, int sdk, Symptom symptom) {
  if (row.symptom != symptom || sdk < row.from_sdk) return false;
  const std::string name = "|" + ascii_lower(trimmed(maker)) + "|";
  return row.makers.empty() || row.makers.contains(name);
}

}  // namespace

std::optional<Symptom> symptom_of(std::string_view refusal) {
  constexpr std::array<std::string_view, 4> kRefused = {
      "SecurityException", "WRITE_SECURE_SETTINGS", "GRANT_RUNTIME_PERMISSIONS",
      "INTERACT_ACROSS_USERS"};
  constexpr std::array<std::string_view, 3> kBlocked = {"INSTALL_FAILED_USER_RESTRICTED",
                                                        "INSTALL_FAILED_VERIFICATION_FAILURE",
                                                        "INSTALL_FAILED_ABORTED"};
  const auto in_refusal = [&](std::string_view known) { return refusal.contains(known); };
  if (std::ranges::any_of(kBlocked, in_refusal)) return Symptom::install_blocked;
  if (refusal.contains("off its list of services again")) return Symptom::service_struck;
  if (std::ranges::any_of(kRefused, in_refusal)) return Symptom::refused;
  return std::nullopt;
}

std::vector<std::string> hints_for(std::string_view maker, int sdk, Symptom symptom) {
  const bool has_own = std::ranges::any_of(kRows, [&](const VendorRow& row) {
    return !row.makers.empty() && is_for(row, maker, sdk, symptom);
  });
  // Advice for all makers is a guess, unless Android itself is the obstacle.
  const bool is_androids = symptom == Symptom::service_struck || symptom == Symptom::silent_log;
  std::vector<std::string> hints;
  for (const VendorRow& row : kRows) {
    if (row.makers.empty() && has_own && !is_androids) continue;
    if (is_for(row, maker, sdk, symptom)) hints.emplace_back(row.hint);
  }
  return hints;
}

std::string hint_for(std::string_view maker, int sdk, Symptom symptom) {
  std::string text;
  for (const std::string& hint : hints_for(maker, sdk, symptom)) {
    text += (text.empty() ? "" : " ") + hint;
  }
  return text;
}

namespace {

// Two `getprop`; without them an error lacks only its maker's hint.
constexpr auto kMakerLimit = std::chrono::milliseconds(3000);
constexpr std::size_t kLongestMaker = 64;

}  // namespace

PhoneMaker parse_maker(std::string_view printed) {
  PhoneMaker maker;
  maker.name = std::string(take_line(&printed).substr(0, kLongestMaker));
  maker.sdk = std::max(0, whole_number<int>(take_line(&printed)).value_or(0));
  return maker;
}

asio::awaitable<PhoneMaker> read_maker(adbproto::Device* device) {
  const auto printed = co_await run_on_device(device, maker_line(), kMakerLimit);
  co_return printed ? parse_maker(printed->out) : PhoneMaker{};
}

asio::awaitable<Error> with_vendor_hint(adbproto::Device* device, Error error) {
  const auto symptom = symptom_of(error.message());
  if (!symptom || error.members().contains("\"hint\"")) co_return error;
  const PhoneMaker maker = co_await read_maker(device);
  const std::string hint = hint_for(maker.name, maker.sdk, *symptom);
  co_return with_members(error, ErrorMembers().text("hint", hint));
}

}  // namespace clawperator
