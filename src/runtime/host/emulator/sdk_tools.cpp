#include "runtime/host/emulator/sdk_tools.hpp"

#include "base/error_members.hpp"
#include "base/system/child_process.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"
#include "runtime/host/emulator/errc.hpp"

namespace clawperator {

using std::chrono::minutes;
namespace fs = std::filesystem;

namespace {

struct ToolRow {
  SdkTool tool;
  std::string_view name;
  const char* variable;
  std::string_view below_sdk;
};
constexpr std::array kTools{
    ToolRow{SdkTool::emulator, "emulator", "EMULATOR_PATH", "emulator/emulator"},
    ToolRow{SdkTool::sdkmanager, "sdkmanager", "SDKMANAGER_PATH",
            "cmdline-tools/latest/bin/sdkmanager"},
    ToolRow{SdkTool::avdmanager, "avdmanager", "AVDMANAGER_PATH",
            "cmdline-tools/latest/bin/avdmanager"},
};

constexpr auto kListLimit = minutes(2);      // it may query the network for updates
constexpr auto kInstallLimit = minutes(60);  // an image is more than a gigabyte
constexpr auto kAvdLimit = minutes(3);       // a few files; a hung tool must end
constexpr int kLicences = 100;
constexpr std::size_t kShownOfError = 2000;

const ToolRow& row_of(SdkTool tool) { return kTools[static_cast<std::size_t>(tool)]; }

std::string end_of_output(const ChildOutput& output) {
  const std::string& text = trimmed(output.err).empty() ? output.out : output.err;
  return std::string(last_bytes(text, kShownOfError));
}

struct ToolCall {
  SdkTool tool;
  std::vector<std::string> arguments;
  std::string input{};
  std::chrono::milliseconds limit;
  Errc failure;
  std::string purpose;  // "install X", for the message
};

Task<ChildOutput> call(ToolCall what) {
  const std::string name(name_of(what.tool));
  const auto path = find_sdk_tool(what.tool);
  if (!path) co_return std::unexpected(require_sdk_tools({what.tool}).error());
  std::vector<std::string> words{path->string()};
  words.insert(words.end(), what.arguments.begin(), what.arguments.end());
  auto output = co_await run_child({.words = std::move(words),
                                    .input = std::move(what.input),
                                    .needed_variables = kSdkVariables,
                                    .limit = what.limit});
  if (!output && output.error().code() == errc::cancelled) co_return output;
  const std::string cannot = name + " could not " + what.purpose;
  if (!output) co_return fail(what.failure, cannot + ": " + output.error().message());
  if (output->exit_status == 0) co_return output;
  ErrorMembers details;
  details.number("exitCode", output->exit_status).text("output", end_of_output(*output));
  co_return fail_with(what.failure,
                      cannot + " (exit code " + std::to_string(output->exit_status) + ")", details);
}

ToolCall sdkmanager_call(std::vector<std::string> arguments, std::string purpose) {
  return {.tool = SdkTool::sdkmanager,
          .arguments = std::move(arguments),
          .limit = kListLimit,
          .failure = errc::android_system_image_install_failed,
          .purpose = std::move(purpose)};
}

ToolCall avdmanager_call(std::vector<std::string> arguments, Errc failure, std::string purpose) {
  return {.tool = SdkTool::avdmanager,
          .arguments = std::move(arguments),
          .limit = kAvdLimit,
          .failure = failure,
          .purpose = std::move(purpose)};
}

std::string yes_to_all() {
  std::string yes;
  for (int i = 0; i < kLicences; ++i) yes += "y\n";
  return yes;
}

// "  system-images;android-35;google_apis;x86_64 | 9 | Google APIs ..."
bool lists_package(std::string_view listing, std::string_view package) {
  constexpr std::string_view kAround = " \t\r\n|";
  for (auto at = listing.find(package); at != listing.npos; at = listing.find(package, at + 1)) {
    const auto end = at + package.size();
    const bool begins = at == 0 || kAround.contains(listing[at - 1]);
    if (begins && (end == listing.size() || kAround.contains(listing[end]))) return true;
  }
  return false;
}

}  // namespace

std::string_view name_of(SdkTool tool) { return row_of(tool).name; }

std::optional<fs::path> find_sdk_tool(SdkTool tool) {
  const ToolRow& row = row_of(tool);
  if (const auto named = environment_variable(row.variable)) return find_program(*named);
  for (const char* variable : {"ANDROID_HOME", "ANDROID_SDK_ROOT"}) {
    const auto sdk = environment_variable(variable);
    if (!sdk) continue;
    if (auto found = find_program((fs::path(*sdk) / row.below_sdk).string())) return found;
  }
  return find_program(row.name);
}

Result<void> require_sdk_tools(const std::vector<SdkTool>& tools) {
  std::vector<std::string> missing;
  std::string names;
  for (const SdkTool tool : tools) {
    if (find_sdk_tool(tool)) continue;
    missing.emplace_back(name_of(tool));
    names += (names.empty() ? "" : ", ") + missing.back();
  }
  if (missing.empty()) return ok();
  ErrorMembers members;
  members.text(
      "hint",
      "set ANDROID_HOME to the Android SDK (emulator and command-line tools installed), or "
      "EMULATOR_PATH, SDKMANAGER_PATH and AVDMANAGER_PATH to the programs");
  members.object("details", ErrorMembers().strings("missingTools", missing));
  return fail(errc::android_sdk_tool_missing, "Required Android SDK tools are missing: " + names,
              members.str());
}

Task<void> install_system_image(std::string image) {
  CO_TRY(const auto installed,
         co_await call(sdkmanager_call({"--list_installed"}, "list what is installed")));
  if (lists_package(installed.out, image)) co_return ok();
  auto licences = sdkmanager_call({"--licenses"}, "accept the licences");
  licences.input = yes_to_all();
  CO_TRY_VOID(co_await call(std::move(licences)));
  auto install = sdkmanager_call({image}, "install " + image);
  install.limit = kInstallLimit;
  CO_TRY_VOID(co_await call(std::move(install)));
  co_return ok();
}

Task<void> create_avd(AvdProfile profile, Existing existing) {
  CO_TRY_VOID(check_avd_name(profile.name));
  auto create = avdmanager_call({"create", "avd", "--name", profile.name, "--package",
                                 profile.system_image(), "--device", profile.device},
                                errc::android_avd_create_failed, "create " + profile.name);
  if (existing == Existing::replaced) create.arguments.emplace_back("--force");
  create.input = "no\n";  // to "a custom hardware profile?"
  CO_TRY_VOID(co_await call(std::move(create)));
  co_return ok();
}

Task<void> delete_avd(std::string name) {
  CO_TRY_VOID(check_avd_name(name));
  auto removal = avdmanager_call({"delete", "avd", "--name", name}, errc::emulator_delete_failed,
                                 "delete " + name);
  CO_TRY_VOID(co_await call(std::move(removal)));
  co_return ok();
}

}  // namespace clawperator
