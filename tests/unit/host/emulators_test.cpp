#include <catch2/catch.hpp>

#include "runtime/host/emulator/errc.hpp"
#include "runtime/host/emulator/lifecycle.hpp"
#include "runtime/host/emulator/provision.hpp"
#include "runtime/host/emulator/sdk_tools.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace adbproto::testing;
using namespace adbproto;
using ProvisionStep = ProvisionPlan::Step;

namespace {

constexpr auto kOk = ConsoleReply::Verdict::ok;

RunningEmulator runs(const std::string& name) {
  return {
      .row = {.serial = "emulator-5554", .state = State::device}, .avd_name = name, .booted = true};
}

Avd fitting(const std::string& name) { return {.name = name, .exists = true, .supported = true}; }

Avd unfit(const std::string& name) { return {.name = name, .exists = true}; }

void install(const std::filesystem::path& program) {
  write_text(program, "#!/bin/sh\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("emulators: the console's name is the first line that says anything", "[host]") {
  CHECK(name_in_console_reply({kOk, "Pixel_6\r\nOK\r\n"}) == "Pixel_6");
  CHECK(name_in_console_reply({kOk, "\r\n  \r\nPixel_6\r\nOK\r\n"}) == "Pixel_6");
  CHECK(name_in_console_reply({kOk, "OK\r\n"}).empty());
  CHECK(name_in_console_reply({kOk, ""}).empty());
  CHECK(name_in_console_reply({ConsoleReply::Verdict::ko, "KO: unknown command\r\n"}).empty());
  CHECK(name_in_console_reply({kOk, std::string(5000, 'x')}).size() == 200);
}

TEST_CASE("emulators: booted is both properties, the name is the newer one's", "[host]") {
  CHECK(parse_boot_state("1\n1\nnew\nold\n").booted);
  CHECK(parse_boot_state("1\r\n1\r\nnew\r\nold\r\n").booted);
  CHECK_FALSE(parse_boot_state("1\n\nnew\nold\n").booted);
  CHECK_FALSE(parse_boot_state("\n1\n\n\n").booted);
  CHECK_FALSE(parse_boot_state("11\n1\n\n\n").booted);
  CHECK_FALSE(parse_boot_state("").booted);
  CHECK(parse_boot_state("1\n1\nnew\nold\n").avd_name == "new");
  CHECK(parse_boot_state("1\n1\n\nold\n").avd_name == "old");
  CHECK(parse_boot_state("0\n0\n").avd_name.empty());
}

TEST_CASE("emulators: one without a name may be any, where something is lost by that", "[host]") {
  const std::vector<RunningEmulator> other{runs("other")};
  const std::vector<RunningEmulator> nameless{runs("other"), runs("")};
  const std::vector<RunningEmulator> both{runs(""), runs("able")};
  CHECK(in_the_way(other, "able", Doubt::respect) == nullptr);
  CHECK(in_the_way({}, "able", Doubt::respect) == nullptr);
  CHECK(in_the_way(nameless, "able", Doubt::ignore) == nullptr);
  CHECK(in_the_way(nameless, "able", Doubt::respect) == &nameless[1]);
  CHECK(in_the_way(both, "able", Doubt::respect) == &both[1]);
  CHECK(in_the_way(both, "able", Doubt::ignore) == &both[1]);
}

TEST_CASE("emulators: only ready rows with a console's port are running emulators", "[host]") {
  CHECK(is_running_emulator({.serial = "emulator-5554", .state = State::device}));
  CHECK_FALSE(is_running_emulator({.serial = "emulator-5554", .state = State::offline}));
  CHECK_FALSE(is_running_emulator({.serial = "R58N12", .state = State::device}));
  CHECK_FALSE(is_running_emulator({.serial = "emulator-", .state = State::device}));
  CHECK_FALSE(is_running_emulator({.serial = "emulator-99999", .state = State::device}));
}

TEST_CASE("emulators: provisioning reuses, then starts, then refuses, then creates", "[host]") {
  const struct {
    const char* name;
    std::vector<RunningEmulator> running;
    std::vector<Avd> avds;
    ProvisionPlan plan;
  } rows[] = {
      {"nothing there", {}, {}, {ProvisionStep::create, "p"}},
      {"the preferred one runs",
       {runs("a"), runs("p")},
       {fitting("a"), fitting("p")},
       {ProvisionStep::reuse, "p"}},
      {"another one runs", {runs("a")}, {fitting("a"), fitting("p")}, {ProvisionStep::reuse, "a"}},
      {"an unfit one runs", {runs("a")}, {unfit("a"), fitting("p")}, {ProvisionStep::start, "p"}},
      {"one without files runs", {runs("a")}, {}, {ProvisionStep::create, "p"}},
      {"the preferred one is stopped",
       {},
       {fitting("a"), fitting("p")},
       {ProvisionStep::start, "p"}},
      {"others are stopped",
       {},
       {unfit("a"), fitting("b"), fitting("c")},
       {ProvisionStep::start, "b"}},
      {"the preferred one is unfit, another fits",
       {},
       {fitting("b"), unfit("p")},
       {ProvisionStep::start, "b"}},
      {"the preferred one is unfit", {}, {unfit("a"), unfit("p")}, {ProvisionStep::refuse, "p"}},
      {"only others, all unfit", {}, {unfit("a")}, {ProvisionStep::create, "p"}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    const auto plan = plan_provision("p", row.running, row.avds);
    CHECK(plan.step == row.plan.step);
    CHECK(plan.avd_name == row.plan.avd_name);
  }
}

TEST_CASE("emulators: SDK programs are found by variable, SDK folder, PATH", "[host]") {
  const TempFolder folder;
  const Variable own("SDKMANAGER_PATH", std::nullopt);
  const Variable home("ANDROID_HOME", folder.file("home"));
  const Variable root("ANDROID_SDK_ROOT", folder.file("root"));
  const Variable path("PATH", folder.file("bin"));
  CHECK_FALSE(find_sdk_tool(SdkTool::sdkmanager));
  install(folder.path() / "bin/sdkmanager");
  CHECK(find_sdk_tool(SdkTool::sdkmanager) == folder.path() / "bin/sdkmanager");
  install(folder.path() / "root/cmdline-tools/latest/bin/sdkmanager");
  CHECK(find_sdk_tool(SdkTool::sdkmanager) ==
        folder.path() / "root/cmdline-tools/latest/bin/sdkmanager");
  install(folder.path() / "home/cmdline-tools/latest/bin/sdkmanager");
  CHECK(find_sdk_tool(SdkTool::sdkmanager) ==
        folder.path() / "home/cmdline-tools/latest/bin/sdkmanager");
  const Variable named("SDKMANAGER_PATH", folder.file("nowhere"));
  CHECK_FALSE(find_sdk_tool(SdkTool::sdkmanager));
}

TEST_CASE("emulators: the missing SDK programs are named together", "[host]") {
  const TempFolder folder;
  const Variable emulator("EMULATOR_PATH", folder.file("emulator"));
  const Variable sdkmanager("SDKMANAGER_PATH", folder.file("sdkmanager"));
  const Variable avdmanager("AVDMANAGER_PATH", folder.file("avdmanager"));
  install(folder.path() / "sdkmanager");
  write_text(folder.path() / "avdmanager", "not executable");
  const auto required =
      require_sdk_tools({SdkTool::emulator, SdkTool::sdkmanager, SdkTool::avdmanager});
  REQUIRE_FALSE(required);
  CHECK(required.error().code() == errc::android_sdk_tool_missing);
  CHECK(required.error().message() ==
        "Required Android SDK tools are missing: emulator, avdmanager");
  CHECK_THAT(required.error().members(),
             Catch::Contains(R"("details":{"missingTools":["emulator","avdmanager"]})"));
}

TEST_CASE("emulators: the last lines of an output are whole lines, 2000 bytes at most", "[host]") {
  const TempFolder folder;
  CHECK(tail_of_log(folder.path() / "absent").empty());
  write_text(folder.path() / "short", "one\ntwo\n");
  CHECK(tail_of_log(folder.path() / "short") == "one\ntwo\n");
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "line " + std::to_string(i) + "\n";
  write_text(folder.path() / "long", text);
  const std::string tail = tail_of_log(folder.path() / "long");
  CHECK(tail.size() <= 2000);
  CHECK_THAT(tail, Catch::StartsWith("line ") && Catch::EndsWith("line 999\n"));
}
