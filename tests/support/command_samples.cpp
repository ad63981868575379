#include "support/command_samples.hpp"

#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/android/phone_questions_table.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/android/system_commands.hpp"

namespace clawperator {
namespace {

constexpr const char* kPackage = "com.clawperator.operator";
// Everything that a shell could stumble over.
constexpr const char* kAwkward = "it's \"$HOME\" `id` \\ ; & | * ? ~ {a,b} #x !! (y) <z>";
constexpr const char* kBootId = "2f0a7c1e-5d0c-4f6a-9a3b-0123456789ab";

// A service command is sent as a line on the rungs cmd and am.
void add_service(std::vector<CommandSample>& samples, std::string_view builder,
                 AndroidService service, const Words& words) {
  for (const Rung rung : {Rung::cmd, Rung::am}) {
    samples.push_back({builder, service_line(rung, service, words)});
  }
}

// Of the package manager, the settings and the activity manager.
void add_service_words(std::vector<CommandSample>& samples) {
  const SettingKey key{"secure", "enabled_accessibility_services"};
  const auto activity = [&](std::string_view builder, const Words& words) {
    add_service(samples, builder, AndroidService::activity, words);
  };
  const auto package = [&](std::string_view builder, const Words& words) {
    add_service(samples, builder, AndroidService::package, words);
  };
  const auto settings = [&](std::string_view builder, const Words& words) {
    add_service(samples, builder, AndroidService::settings, words);
  };
  activity("broadcast_words",
           broadcast_words({"app.clawperator.operator.ACTION_AGENT_COMMAND", kPackage,
                            "{\"text\":\"" + std::string(kAwkward) + "\"}"}));
  activity("force_stop_words", force_stop_words(kPackage));
  activity("current_user_words", current_user_words());
  package("list_packages_words", list_packages_words(0, kPackage));
  package("list_versions_words", list_versions_words(0, kPackage));
  package("all_packages_words", all_packages_words(10, PackageKind::third_party));
  package("packages_in_detail_words", packages_in_detail_words(0, PackageKind::all));
  package("package_paths_words", package_paths_words(0));
  package("revoke_words", revoke_words(0, kPackage, "android.permission.CAMERA"));
  package("clear_data_words", clear_data_words(0, kPackage));
  package("uninstall_words", uninstall_words(0, kPackage));
  package("grant_words", grant_words(0, kPackage, "android.permission.POST_NOTIFICATIONS"));
  activity("start_activity_words",
           start_activity_words(0, std::string(kPackage) + "/a.MainActivity"));
  settings("read_setting_words", read_setting_words(0, key));
  settings("put_setting_words", put_setting_words(10, key, kAwkward));
  settings("delete_setting_words", delete_setting_words(0, key));
  package("launcher_activities_words", launcher_activities_words());
  package("launcher_activity_words", launcher_activity_words(kPackage));
  activity("launch_words", launch_words(std::string(kPackage) + "/.Main$Inner"));
  activity("launch_package_words", launch_package_words(kPackage));
  activity("view_words", view_words("https://example.com/?a=1&b=" + std::string(kAwkward)));
}

// Fingers and keys.
void add_input_commands(std::vector<CommandSample>& samples) {
  const auto input = [&](std::string_view builder, const Words& words) {
    add_service(samples, builder, AndroidService::input, words);
  };
  input("tap_words", tap_words({540, 1200}));
  input("swipe_words", swipe_words({1, 2}, {3, 4}, std::nullopt));
  input("swipe_words", swipe_words({540, 1800}, {540, 600}, 800));
  input("drag_words", drag_words({1, 2}, {3, 4}, kShortestDrag));
  samples.push_back({"double_tap_line", double_tap_line({540, 1200})});
  samples.push_back({"keyboard_line", keyboard_line(28)});
  samples.push_back({"keyboard_line", keyboard_line(34)});
  input("keyevent_words", keyevent_words(4));
  constexpr int kKeys[] = {123, 67, 67};
  input("keyevents_words", keyevents_words(kKeys));
  input("text_words", text_words(kAwkward));
  input("text_words", text_words("-t 100%"));
}

void add_shell_lines(std::vector<CommandSample>& samples) {
  samples.push_back({"log_script", log_script({})});
  samples.push_back({"log_script", log_script({kBootId, kAwkward, 33})});
  samples.push_back({"log_script", log_script({kBootId, {}, 34}, "1700000000.000000000")});
  samples.push_back({"status_line", status_line(identity_line())});
  samples.push_back({"identity_line", identity_line()});
  samples.push_back({"release_line", release_line()});
  samples.push_back({"product_line", product_line()});
  samples.push_back({"screencap_line", screencap_line(ScreencapForm::png, {})});
  samples.push_back({"screencap_line", screencap_line(ScreencapForm::raw, "4619827259835644672")});
  samples.push_back({"displays_line", displays_line()});
  samples.push_back({"screen_now_line", screen_now_line()});
  samples.push_back({"screen_dump_line", screen_dump_line("01jd-x")});
  for (const int sdk : {28, 34}) {
    samples.push_back({"line_if_in_front", line_if_in_front("com.example.app", sdk, alive_line())});
  }
  samples.push_back(
      {"adb_logcat_line", adb_logcat_line(kAwkward, {{"-v", "brief", std::string(kAwkward)}})});
  samples.push_back({"bugreport_version_line", bugreport_version_line()});
  for (const auto form : {BugreportForm::text, BugreportForm::zip, BugreportForm::zip_with_progress,
                          BugreportForm::stream}) {
    samples.push_back({"bugreport_line", bugreport_line(form)});
  }
  const std::string file = std::string("/data/local/tmp/") + kAwkward;
  samples.push_back(
      {"make_folders_command", adbproto::make_folders_command({{file, "/sdcard/x"}})});
  for (const auto program : {adbproto::PackageProgram::cmd, adbproto::PackageProgram::pm}) {
    samples.push_back(
        {"package_command", adbproto::package_command(program, {{"path", std::string(kPackage)}})});
  }
  samples.push_back({"remove_file_command", adbproto::remove_file_command(file)});
  samples.push_back({"install_command", adbproto::install_command({{"-r"}}, file)});
}

void add_chore_lines(std::vector<CommandSample>& samples) {
  samples.push_back({"relisting_line",
                     relisting_line(0, {"enabled_accessibility_services", "accessibility_enabled",
                                        kAwkward, std::string(kAwkward) + ":a/b"})});
  samples.push_back({"allow_listener_line", allow_listener_line(0, kAwkward)});
  samples.push_back(
      {"allow_restricted_settings_line", allow_restricted_settings_line(0, kAwkward)});
  samples.push_back({"notification_state_line", notification_state_line()});
  samples.push_back({"accessibility_state_line", accessibility_state_line()});
  samples.push_back({"package_state_line", package_state_line(kAwkward)});
  samples.push_back({"process_ids_line", process_ids_line(kAwkward)});
  samples.push_back({"sdk_line", sdk_line()});
  samples.push_back({"maker_line", maker_line()});
  samples.push_back({"screen_size_line", screen_size_line()});
  samples.push_back({"screen_density_line", screen_density_line()});
  samples.push_back({"log_probe_line", log_probe_line()});
  samples.push_back({"boot_state_line", boot_state_line()});
  const std::string debug = std::string(kPackage) + ".dev";
  samples.push_back({"private_tail_line", private_tail_line(debug, 1024, "files/crash-log.txt")});
  samples.push_back({"file_as_app_line", file_as_app_line(debug, kAwkward)});
  samples.push_back({"alive_line", alive_line()});
  samples.push_back({"serials_line", serials_line()});
}

// Of the verbs.
void add_system_lines(std::vector<CommandSample>& samples) {
  for (const int sdk : {29, 31}) {
    samples.push_back({"rotation_line", rotation_line(sdk, 1)});
    samples.push_back({"rotation_line", rotation_line(sdk, std::nullopt)});
  }
  samples.push_back({"battery_line", battery_line()});
  samples.push_back({"screen_state_line", screen_state_line()});
  samples.push_back({"network_line", network_line(29, PhoneNetwork::wifi, true).value_or("")});
  for (const auto network : {PhoneNetwork::airplane, PhoneNetwork::wifi, PhoneNetwork::data}) {
    samples.push_back({"network_line", network_line(34, network, true).value_or("")});
  }
  samples.push_back({"notifications_line", notifications_line()});
  for (const int sdk : {25, 34}) {
    samples.push_back({"shade_state_line", shade_state_line(sdk)});
    samples.push_back({"focus_dump", focus_dump(sdk)});
    samples.push_back({"shade_line", shade_line(sdk, Shade::open)});
    samples.push_back({"shade_line", shade_line(sdk, Shade::closed)});
  }
  samples.push_back({"shade_line", shade_line(34, Shade::quick_settings)});
  const std::string file = video_file("01jd-x");
  samples.push_back({"record_video_line", record_video_line(file, {.seconds = 1})});
  samples.push_back(
      {"record_video_line", record_video_line(file, {1, VideoSize{720, 1280}, 4'000'000})});
  constexpr int kAbsentProcess = 99'999'999;  // above the largest number that Linux gives
  samples.push_back({"stop_recorder_line", stop_recorder_line(kAbsentProcess)});
  samples.push_back({"kill_recorder_line", kill_recorder_line(kAbsentProcess)});
  samples.push_back({"crashes_line", crashes_line()});
  samples.push_back({"package_log_line", package_log_line('V', LogEnd::stop)});
  samples.push_back({"package_log_line", package_log_line('W', LogEnd::follow)});
  samples.push_back({"processes_line", processes_line(25)});
  samples.push_back({"processes_line", processes_line(34)});
}

// Those of a report that the shell answers and no builder makes; each is named by its id.
void add_questions(std::vector<CommandSample>& samples) {
  const std::string shell = adbproto::shell_v2_raw("");
  for (const PhoneQuestion& question : phone_questions(kPackage, Consent::settings)) {
    if (!question.service.starts_with(shell)) continue;
    std::string line = question.service.substr(shell.size());
    if (std::ranges::find(samples, line, &CommandSample::line) != samples.end()) continue;
    samples.push_back({question.id, std::move(line)});
  }
}

}  // namespace

std::vector<CommandSample> command_samples() {
  std::vector<CommandSample> samples;
  add_service_words(samples);
  add_input_commands(samples);
  add_shell_lines(samples);
  add_chore_lines(samples);
  add_system_lines(samples);
  add_questions(samples);
  return samples;
}

}  // namespace clawperator
