#include "cli/pretty/doctor_text.hpp"

#include <catch2/catch.hpp>

#include "runtime/host/errc.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;
using Catch::Contains;

namespace {

Report mixed() {
  Report report;
  report.device_id = "S1";
  report.operator_package = "com.clawperator.operator";
  report.checks = {
      {.id = "device.discovery", .summary = "Device S1 is connected."},
      {.id = "readiness.settings.dev_options",
       .status = CheckStatus::warn,
       .code = errc::device_dev_options_disabled,
       .summary = "Developer options are off.",
       .fix = Fix{"Switch it on", {{FixStep::Kind::shell, "clawperator doctor --fix"}}, "devices"},
       .guidance = DeviceGuidance{"Settings > About phone", {"Tap seven times."}}},
      {.id = "readiness.settings.usb_debugging", .summary = "USB debugging is on."},
  };
  return report;
}

std::string plain(const Report& report, ShownChecks detail = ShownChecks::needed) {
  return doctor_for_people(report, Colour::none, detail);
}

}  // namespace

TEST_CASE("doctor text: what matters stands first, one line a check", "[cli]") {
  CHECK(plain(mixed()) ==
        "Clawperator doctor\n"
        "  Device:            S1\n"
        "  Operator package:  com.clawperator.operator\n"
        "\n"
        "Critical checks:\n"
        "[OK]    Device S1 is connected.\n"
        "\n"
        "Advisory checks:\n"
        "[WARN]  Developer options are off.\n"
        "         DEVICE_DEV_OPTIONS_DISABLED (readiness.settings.dev_options)\n"
        "         Fix: Switch it on\n"
        "           $ clawperator doctor --fix\n"
        "         Help: clawperator help devices\n"
        "         On the device, open Settings > About phone:\n"
        "           - Tap seven times.\n"
        "\n"
        "Additional passed checks: 1\n"
        "\n"
        "[WARN]  No critical check failed, but there are warnings.\n"
        "\n"
        "Next actions:\n"
        "  - clawperator doctor --fix\n"
        "  - On device, open Settings > About phone and follow the listed steps.\n");
}

TEST_CASE("doctor text: in every detail nothing that passed is left out", "[cli]") {
  const std::string text = plain(mixed(), ShownChecks::everything);
  CHECK_THAT(text, Contains("[OK]    USB debugging is on.\n"));
  CHECK_THAT(text, !Contains("Additional passed checks"));
}

TEST_CASE("doctor text: one verdict line reports whether it is ready", "[cli]") {
  Report report = mixed();
  report.checks.front().status = CheckStatus::fail;
  CHECK_THAT(plain(report), Contains("\n[FAIL]  Not ready: a critical check failed.\n"));
  report.checks = {{.id = "device.discovery", .summary = "x"}};
  CHECK_THAT(plain(report), Contains("\n[OK]    Everything is ready.\n"));
}

TEST_CASE("doctor text: colour is on the marks alone", "[cli]") {
  const std::string text = doctor_for_people(mixed(), Colour::ansi, ShownChecks::needed);
  CHECK_THAT(text, Contains("\x1b[32m[OK]  \x1b[0m  Device S1"));
  CHECK_THAT(text, Contains("\x1b[33m[WARN]\x1b[0m  Developer"));
  CHECK_THAT(plain(mixed()), !Contains("\x1b"));
}

TEST_CASE("doctor text: what a device says cannot move the cursor", "[cli]") {
  Report report = mixed();
  report.device_id = "S\x1b[2J\n1";
  report.checks[1].detail = "first\nsecond\x1b[31m";
  report.checks[1].summary = "a\nb\x07";
  const std::string text = plain(report);
  CHECK_THAT(text, !Contains("\x1b") && !Contains("\x07"));
  CHECK_THAT(text, Contains("  Device:            S?[2J?1\n"));
  CHECK_THAT(text, Contains("         first\n         second?[31m\n"));
  CHECK_THAT(text, Contains("[WARN]  a?b?\n"));
}

TEST_CASE("doctor text: a repair shows before and after", "[cli]") {
  Report report = mixed();
  report.repairs = {{.action = "settings put global adb_enabled 1",
                     .before = {.summary = "USB debugging is off."},
                     .after = {.summary = "USB debugging is on."}}};
  CHECK_THAT(plain(report), Contains("Repairs:\n[OK]    settings put global adb_enabled 1\n"
                                     "         before: USB debugging is off.\n"
                                     "         after:  USB debugging is on.\n"));
}
