#include <algorithm>
#include <array>

#include "simdroid/device/phone_profile.hpp"

namespace simdroid {
namespace {

constexpr std::string_view kMaker = "clawperator";
constexpr std::string_view kModel = "Simdroid";

// Secure Folder and the clone of dual apps are users that the shell may not touch.
constexpr FaultSetting kSamsung[] = {{"second-user", "150"}};
// "USB debugging (Security settings)" and "Install via USB" are off.
constexpr FaultSetting kXiaomi[] = {
    {"second-user", "999"}, {"shell-restricted"}, {"install-refused"}};
// "Disable permission monitoring" is off.
constexpr FaultSetting kOppo[] = {{"shell-restricted"}};
constexpr FaultSetting kHuawei[] = {{"log-level", "I"}, {"screenrecord-fails", "missing"}};

constexpr std::array<PhoneProfile, 15> kPhones{{
    {"android-7", 25, "7.1.1", kMaker, kModel, "cmd activity knows force-stop and kill only"},
    {"android-8", 27, "8.1.0", kMaker, kModel, "logd folds repeated lines"},
    {"android-9", 28, "9", kMaker, kModel, "logd folds repeated lines; listeners by cmd only"},
    {"android-10", 29, "10", kMaker, kModel, "abb, whose status is always 1"},
    {"android-11", 30, "11", kMaker, kModel, "new sync verbs with brotli"},
    {"android-12", 32, "12", kMaker, kModel, "all sync compressions"},
    {"android-13", 33, "13", kMaker, kModel, "logcat holds 4096 bytes of binary output back"},
    {"android-14", 34, "14", kMaker, kModel, "an ordinary phone"},
    {"android-15", 35, "15", kMaker, kModel, "an ordinary phone"},
    {"android-16", 36, "16", kMaker, kModel, "pm lists all users, exit 0 whatever fails"},
    {"xiaomi", 34, "14", "Xiaomi", "23021RAA2Y",
     "the shell may change no settings and install nothing; a clone user 999", kXiaomi},
    {"oppo", 34, "14", "OPPO", "CPH2437", "the shell may change no settings", kOppo},
    {"samsung", 34, "14", "samsung", "SM-S911B", "Secure Folder is user 150", kSamsung},
    {"huawei", 29, "10", "HUAWEI", "ELS-NX9", "debug lines of the log are hidden, no screenrecord",
     kHuawei},
    {"emulator",
     34,
     "14",
     "Google",
     "sdk_gphone64_x86_64",
     "shares its ro.serialno with every other emulator",
     {},
     "EMULATOR35X6X3X0"},
}};

constexpr std::string_view kShell52 = "@(#)MIRBSD KSH R52 2015/12/12";
constexpr std::string_view kShell54 = "@(#)MIRBSD KSH R54 2016/11/11";
constexpr std::string_view kShell56 = "@(#)MIRBSD KSH R56 2018/01/14";
constexpr std::string_view kShell57 = "@(#)MIRBSD KSH R57 2019/03/01";
constexpr std::string_view kShell59 = "@(#)MIRBSD KSH R59 2020/10/31 Android";

// Until Android 9 toybox was built with the hash of its source in its version.
constexpr AndroidRelease kReleases[] = {
    {25, "2017-10-05", kShell52, "toybox 0.7.0-0123456789ab-android"},
    {27, "2019-10-05", kShell54, "toybox 0.7.3-0123456789ab-android"},
    {28, "2020-08-05", kShell56, "toybox 0.7.6-0123456789ab-android"},
    {29, "2021-09-05", kShell57, "toybox 0.8.0-android"},
    {30, "2022-10-05", kShell57, "toybox 0.8.3-android"},
    {32, "2023-03-05", kShell59, "toybox 0.8.4-android"},
    {33, "2023-09-05", kShell59, "toybox 0.8.6-android"},
    {34, "2024-09-05", kShell59, "toybox 0.8.9-android"},
    {35, "2025-05-05", kShell59, "toybox 0.8.11-android"},
    {36, "2025-09-05", kShell59, "toybox 0.8.12-android"},
};

struct Feature {
  std::string_view name;
  int since;
};
constexpr Feature kFeatures[] = {
    {"shell_v2", 24},
    {"cmd", 24},
    {"stat_v2", 26},
    {"fixed_push_mkdir", 28},
    {"fixed_push_symlink_timestamp", 29},
    {"apex", 29},
    {"abb", 29},
    {"abb_exec", 29},
    {"ls_v2", 30},
    {"sendrecv_v2", 30},
    {"sendrecv_v2_brotli", 30},
    {"track_app", 31},
    {"sendrecv_v2_lz4", 31},
    {"sendrecv_v2_zstd", 31},
    {"sendrecv_v2_dry_run_send", 31},
    {"delayed_ack", 34},
};

}  // namespace

const AndroidRelease& android_release(int sdk) {
  const AndroidRelease* found = kReleases;
  for (const AndroidRelease& release : kReleases) {
    if (release.sdk <= sdk) found = &release;
  }
  return *found;
}

std::span<const PhoneProfile> phone_profiles() { return kPhones; }

const PhoneProfile* find_phone_profile(std::string_view name) {
  const auto* at = std::ranges::find(kPhones, name, &PhoneProfile::name);
  return at == kPhones.end() ? nullptr : at;
}

const PhoneProfile& default_phone_profile() { return *find_phone_profile("android-14"); }

std::string list_phone_profiles() {
  std::string text;
  for (const PhoneProfile& phone : kPhones) {
    text.append(phone.name).append("\tAndroid ").append(phone.release).append("\t");
    text.append(phone.about).append("\n");
  }
  return text;
}

adbproto::FeatureSet features_of_sdk(int sdk) {
  adbproto::FeatureSet features;
  for (const Feature& feature : kFeatures) {
    if (sdk >= feature.since) features.add(feature.name);
  }
  return features;
}

}  // namespace simdroid
