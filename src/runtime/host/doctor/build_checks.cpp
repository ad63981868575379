#include "runtime/host/doctor/build_checks.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "adbproto/client/install.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/system/child_process.hpp"
#include "base/system/environment.hpp"
#include "base/system/errc.hpp"
#include "base/text.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/doctor/questions.hpp"
#include "runtime/host/emulator/sdk_tools.hpp"
#include "runtime/host/errc.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

using Step = FixStep::Kind;

// `java -version` prints at once, from a cold disk later; a hung wrapper must end.
constexpr auto kJavaLimit = std::chrono::seconds(20);
// A first build downloads Gradle and what the app needs.
constexpr auto kBuildLimit = std::chrono::minutes(20);
// It names modules and repositories, a few KiB; a foreign file must not fill memory.
constexpr std::size_t kMaxSettings = 256 * 1024;
constexpr std::size_t kTail = 2000;  // of Gradle's output, for the report
constexpr int kOldestJava = 17;
constexpr std::string_view kBuiltApps = "app/build/outputs/apk/debug";

Check failed(std::string_view id, Errc code, std::string summary, std::string detail,
             std::optional<Fix> fix = {}) {
  return troubled(id, CheckStatus::fail, code, std::move(summary), std::move(detail),
                  std::move(fix));
}

Check skipped(std::string_view id, std::string_view what) {
  constexpr std::string_view kReason = "not inside a Clawperator Android checkout";
  return passed(id, std::string("Skipped: ").append(what) + " (" + std::string(kReason) + ").",
                JsonObject().boolean("skipped", true).text("reason", kReason).str());
}

bool is_checkout(const fs::path& folder) {
  if (::access((folder / "gradlew").c_str(), X_OK) != 0) return false;
  return std::ranges::any_of(std::array{"settings.gradle", "settings.gradle.kts"},
                             [&](const char* name) {
                               const auto text = read_file(folder / name, kMaxSettings);
                               return text && text->find(":app") != std::string::npos &&
                                      ascii_lower(*text).find("clawperator") != std::string::npos;
                             });
}

std::string tail_of(const ChildOutput& output) {
  const std::string& text = output.err.empty() ? output.out : output.err;
  return text.size() <= kTail ? text : "..." + std::string(last_bytes(text, kTail));
}

asio::awaitable<Check> check_java() {
  constexpr std::string_view kId = "host.java.version";
  const auto home = environment_variable("JAVA_HOME");
  const std::string program = home ? *home + "/bin/java" : "java";
  const auto output = co_await run_child(
      {.words = {program, "-version"}, .needed_variables = kSdkVariables, .limit = kJavaLimit});
  const auto version = output ? parse_java_version(output->err + output->out) : std::nullopt;
  if (version && *version >= kOldestJava) {
    co_return passed(kId, "Java " + std::to_string(*version) + " is here.",
                     JsonObject().number("version", *version).text("program", program).str());
  }
  std::string why = output ? tail_of(*output) : output.error().message();
  if (version) why = "it is version " + std::to_string(*version);
  Fix fix{"Install a Java development kit",
          {{Step::manual, "Install a JDK of version 17 or newer, or point JAVA_HOME to one."}}};
  co_return failed(kId, errc::host_dependency_missing,
                   "Java 17 or newer is needed to build the Operator app.", std::move(why),
                   std::move(fix));
}

asio::awaitable<Check> check_assemble(fs::path checkout) {
  constexpr std::string_view kId = "build.android.assemble";
  // g++-14 cannot compile such a list inside of co_await.
  ChildCommand gradle{
      .words = {(checkout / "gradlew").string(), "--console=plain", ":app:assembleDebug"},
      .folder = checkout,
      .needed_variables = kSdkVariables,
      .limit = kBuildLimit};
  const auto output = co_await run_child(std::move(gradle));
  if (output && output->exit_status == 0) co_return passed(kId, "The Operator app was built.");
  Fix fix{
      "Look at the build",
      {{Step::shell, "cd " + shell_word(checkout.string()) + " && ./gradlew :app:assembleDebug"}}};
  co_return failed(kId, errc::android_build_failed, "The Operator app could not be built.",
                   output ? tail_of(*output) : output.error().message(), std::move(fix));
}

// The newest package of the debug build.
std::optional<fs::path> built_apk(const fs::path& checkout) {
  std::error_code error;
  std::optional<fs::path> newest;
  fs::file_time_type time{};
  for (fs::directory_iterator at(checkout / kBuiltApps, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() != ".apk") continue;
    const auto written = at->last_write_time(error);
    if (error || (newest && written <= time)) continue;
    newest = at->path();
    time = written;
  }
  return newest;
}

asio::awaitable<Check> check_install(adbproto::Device* device, fs::path checkout) {
  constexpr std::string_view kId = "build.android.install";
  constexpr std::string_view kSummary = "The built Operator app could not be installed.";
  const auto apk = built_apk(checkout);
  if (!apk) {
    co_return failed(kId, errc::android_install_failed, std::string(kSummary),
                     "there is no package in " + (checkout / kBuiltApps).string());
  }
  adbproto::InstallOptions options;
  options.flags = {"-r", "-t"};
  const auto verdict =
      co_await adbproto::install(device, {apk->string()}, std::move(options), [](const auto&) {});
  if (verdict) co_return passed(kId, "The built Operator app was installed.");
  Fix fix{"Install it by hand",
          {{Step::shell, "clawperator operator setup --apk " + shell_word(apk->string()) +
                             " --device " + shell_word(device->serial())}}};
  co_return failed(kId, errc::android_install_failed, std::string(kSummary),
                   verdict.error().message(), std::move(fix));
}

asio::awaitable<Check> check_launch(adbproto::Device* device, Subject subject) {
  constexpr std::string_view kId = "build.android.launch";
  const auto launched = co_await launch_operator(device, subject.operator_package);
  if (launched) co_return passed(kId, "The Operator app was launched.");
  Fix fix{"Look at what is installed",
          {{Step::shell, "clawperator packages list --device " + shell_word(subject.device_id)}}};
  co_return failed(kId, errc::android_app_launch_failed, "The Operator app was not launched.",
                   launched.error().message(), std::move(fix));
}

}  // namespace

std::optional<fs::path> find_checkout(fs::path from) {
  for (;;) {
    if (is_checkout(from)) return from;
    if (!from.has_relative_path()) return std::nullopt;
    from = from.parent_path();
  }
}

std::optional<int> parse_java_version(std::string_view text) {
  constexpr std::string_view kMark = "version \"";
  const auto at = text.find(kMark);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + kMark.size());
  constexpr std::string_view kOldScheme = "1.";
  if (text.starts_with(kOldScheme)) text.remove_prefix(kOldScheme.size());
  int version = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), version);
  return parsed.ec == std::errc{} && version >= 0 ? std::optional(version) : std::nullopt;
}

Task<std::vector<Check>> check_build(std::optional<fs::path> checkout) {
  std::vector<Check> checks;
  if (!checkout) {
    checks = {skipped("host.java.version", "the Java of the build"),
              skipped("build.android.assemble", "building the app")};
    co_return checks;
  }
  checks.push_back(co_await check_java());
  if (checks.back().status == CheckStatus::fail) co_return checks;
  checks.push_back(co_await check_assemble(*checkout));
  co_return checks;
}

Task<std::vector<Check>> check_built_app(std::optional<fs::path> checkout, adbproto::Device* device,
                                         Subject subject) {
  std::vector<Check> checks;
  if (!checkout) {
    checks = {skipped("build.android.install", "installing the built app"),
              skipped("build.android.launch", "launching it")};
    co_return checks;
  }
  checks.push_back(co_await check_install(device, *checkout));
  if (checks.back().status == CheckStatus::fail) co_return checks;
  checks.push_back(co_await check_launch(device, std::move(subject)));
  co_return checks;
}

}  // namespace clawperator
