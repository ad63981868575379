#include "simdroid/device/phone_profile.hpp"

#include <catch2/catch.hpp>

#include "simdroid/adbd/daemon.hpp"
#include "support/manual_time.hpp"
#include "userland_support.hpp"

using namespace simdroid;
using namespace simdroid::testing;

namespace {

PhoneOptions options_of(std::string_view name) {
  PhoneOptions options;
  options.kind = find_phone_profile(name);
  REQUIRE(options.kind != nullptr);
  return options;
}

constexpr std::string_view kOperator = "com.clawperator.operator";
const std::string kService =
    "com.clawperator.operator/"
    "clawperator.operator.accessibilityservice.OperatorAccessibilityService";

}  // namespace

TEST_CASE("phones: pm prints version codes since Android 8") {
  TestPhone old(options_of("android-7"));
  const auto ran = old.run("pm list packages --show-versioncode com.clawperator.operator");
  CHECK(ran.out == "Error: Unknown option: --show-versioncode\n");
  CHECK(ran.status == 255);
  TestPhone newer(options_of("android-8"));
  CHECK(newer.out("pm list packages --show-versioncode com.clawperator.operator") ==
        "package:com.clawperator.operator versionCode:1205900\n");
}

TEST_CASE("phone profiles: every one has its release, its maker and its features", "[T6]") {
  CHECK(phone_profiles().size() == 15);
  CHECK(find_phone_profile("nokia") == nullptr);
  for (const PhoneProfile& kind : phone_profiles()) {
    TestPhone phone(options_of(kind.name));
    INFO(kind.name);
    CHECK(phone.out("getprop ro.build.version.sdk") == std::to_string(kind.sdk) + "\n");
    CHECK(phone.out("getprop ro.product.manufacturer") == std::string(kind.manufacturer) + "\n");
    CHECK(features_of_sdk(kind.sdk).has("abb") == (kind.sdk >= 29));
    CHECK(phone.out("simctl state").contains("\"phone\":\"" + std::string(kind.name) + "\""));
  }
}

TEST_CASE("phone profiles: the questions of a report are answered as each release does", "[T6]") {
  struct Case {
    const char* phone;
    const char* script;
    const char* out;
    int status;
  };
  const auto row = GENERATE(values<Case>({
      {"android-7", "echo \"$KSH_VERSION\"", "@(#)MIRBSD KSH R52 2015/12/12\n", 0},
      {"android-14", "sh -c 'echo \"$KSH_VERSION\"'", "@(#)MIRBSD KSH R59 2020/10/31 Android\n", 0},
      {"android-10", "toybox --version", "toybox 0.8.0-android\n", 0},
      {"android-14", "toybox nosuch", "", 127},
      {"android-8", "T=$(date +%N); echo $T", "N\n", 0},
      {"android-9", "T=$(date +%N); echo ${#T}", "9\n", 0},
      {"android-7", "pm list users", "Users:\n\tUserInfo{0:Owner:13} running\n", 0},
      {"android-8", "cmd package list users", "", 255},
      {"samsung", "cmd package list users",
       "Users:\n\tUserInfo{0:Owner:4c13} running\n"
       "\tUserInfo{150:Secure Folder:10061030} running\n",
       0},
      {"xiaomi", "pm list users",
       "Users:\n\tUserInfo{0:Owner:4c13} running\n\tUserInfo{999:XSpace:801010} running\n", 0},
      {"android-10", "settings get global adb_wifi_enabled", "null\n", 0},
      {"android-11", "settings get global adb_wifi_enabled", "0\n", 0},
      {"android-9", "dumpsys SurfaceFlinger --display-id | grep -c '^Display '", "0\n", 1},
      {"android-10", "dumpsys SurfaceFlinger --display-id | grep -c '^Display '", "1\n", 0},
      {"android-10",
       "simctl fault second-display; dumpsys SurfaceFlinger --display-id | grep -c '^Display '",
       "2\n", 0},
      {"android-14", "dumpsys nosuch", "", 0},
      {"android-8", "screencap | wc -c", "10368012\n", 0},
      {"android-9", "screencap | wc -c", "10368016\n", 0},
  }));
  TestPhone phone(options_of(row.phone));
  const auto ran = phone.run(row.script);
  INFO(row.phone << ": " << row.script << ": " << ran.err);
  CHECK(ran.out == row.out);
  CHECK(ran.status == row.status);
}

TEST_CASE("phone profiles: another phone has another boot, a reset brings the first one back") {
  TestPhone phone;
  const std::string boot = phone.out("cat /proc/sys/kernel/random/boot_id");
  phone.run("simctl phone samsung");
  CHECK(phone.out("getprop ro.product.manufacturer") == "samsung\n");
  CHECK(phone.out("cat /proc/sys/kernel/random/boot_id") != boot);
  phone.run("simctl reset");
  CHECK(phone.out("getprop ro.product.manufacturer") == "clawperator\n");
  CHECK(phone.run("simctl phone nokia").status == 1);
  CHECK(phone.out("simctl phone").starts_with("android-7\tAndroid 7.1.1\t"));
}

TEST_CASE("phone profiles: a second user ends pm list packages without --user", "[T5]") {
  struct Case {
    const char* phone;
    const char* script;
    const char* out;
    int status;
  };
  const auto row = GENERATE(values<Case>({
      {"samsung", "pm list packages com.clawperator.operator", "", 255},
      {"samsung", "pm list packages com.clawperator.operator --user 0", "", 255},
      {"samsung", "pm list packages --user 0 com.clawperator.operator",
       "package:com.clawperator.operator\n", 0},
      {"samsung", "pm list packages --user 150", "", 255},
      {"xiaomi", "cmd package list packages com.clawperator.operator", "", 255},
      {"android-16", "simctl fault second-user; pm list packages com.clawperator.operator",
       "package:com.clawperator.operator\n", 0},
      {"android-10", "simctl fault second-user; pm list packages com.clawperator.operator",
       "package:com.clawperator.operator\n", 0},
      {"android-10", "pm list packages --user current com.clawperator.operator", "", 0},
      {"android-14",
       "simctl fault current-user 10; am get-current-user; pm list packages --user 0 "
       "com.clawperator.operator; pm list packages --user 10 "
       "com.clawperator.operator",
       "10\npackage:com.clawperator.operator\n", 0},
  }));
  TestPhone phone(options_of(row.phone));
  const Ran ran = phone.run(row.script);
  INFO(row.phone << ": " << row.script);
  CHECK(ran.out == row.out);
  CHECK(ran.status == row.status);
  const bool reported = ran.err.contains("Shell does not have permission to access user ");
  CHECK(reported == (row.status == 255 || std::string_view(row.phone) == "android-16"));
}

TEST_CASE("phone profiles: Android 7's cmd activity knows force-stop only", "[T6]") {
  TestPhone phone(options_of("android-7"));
  const Ran ran = phone.run("cmd activity broadcast -a x");
  CHECK(ran.out == "Unknown command: broadcast\n");
  CHECK(ran.status == 255);
  CHECK(phone.run("cmd activity force-stop a.b").status == 0);
  CHECK(phone.run("am broadcast -a x").status == 0);
  CHECK(phone.run("cmd settings get global adb_enabled").status == 20);
  CHECK(phone.run("settings get global adb_enabled").status == 0);
  CHECK(phone.run("cmd package list packages").status == 0);
  const Ran grant = phone.run(
      "pm grant com.clawperator.operator "
      "android.permission.POST_NOTIFICATIONS");
  CHECK(grant.err.contains("Unknown permission"));
  CHECK(grant.status == 1);
}

TEST_CASE("phone profiles: input is a service from Android 12 on, and a program before") {
  TestPhone android_11(options_of("android-11"));
  const Ran service = android_11.run("cmd input tap 1 1");
  CHECK(service.err == "No shell command implementation.\n");
  CHECK(service.status == 0);
  const Ran tap = android_11.run("input tap 1 1");
  CHECK(tap.out + tap.err == "");
  CHECK(tap.status == 0);
  const Ran bad = android_11.run("input tap 1");
  CHECK(bad.err.contains("Error: Argument expected after \"tap\"\n"));
  CHECK(bad.status == 0);
  const Ran foreign = android_11.run("input text \xc3\xa4");
  CHECK(foreign.err.contains("NullPointerException: Attempt to get length of null array"));
  CHECK(foreign.status == 1);
  TestPhone android_9(options_of("android-9"));
  CHECK(android_9.run("input text \xc3\xa4").status == 137);
  CHECK(android_9.run("input tap 1").err.contains("Error: Invalid arguments for command: tap\n"));
  TestPhone android_12(options_of("android-12"));
  CHECK(android_12.run("cmd input tap 1 1").err.empty());
  CHECK(android_12.run("cmd input tap 1").status == 255);
}

TEST_CASE("phone profiles: makers refuse the shell", "[T12]") {
  const auto name = GENERATE("xiaomi", "oppo");
  TestPhone phone(options_of(name));
  for (const char* script : {"settings put secure x 1", "input tap 1 1",
                             "pm grant com.clawperator.operator "
                             "android.permission.POST_NOTIFICATIONS"}) {
    const Ran ran = phone.run(script);
    INFO(script);
    CHECK(ran.status == 255);
    CHECK(ran.err.contains("java.lang.SecurityException: "));
  }
  phone.run("simctl clear shell-restricted");
  CHECK(phone.run("settings put secure x 1").status == 0);
}

TEST_CASE("phone profiles: emulators share a serial number", "[T8]") {
  TestPhone one(options_of("emulator"));
  TestPhone two(options_of("emulator"));
  CHECK(one.out("getprop ro.serialno") == "EMULATOR35X6X3X0\n");
  CHECK(two.out("getprop ro.serialno") == "EMULATOR35X6X3X0\n");
}

TEST_CASE("phone profiles: logcat's -T takes three forms and warns about the rest", "[T2]") {
  TestPhone phone;
  CHECK(phone.run("logcat -d -T '1700000000.5'").status == 0);
  CHECK(phone.run("logcat -d -T '01-02 03:04:05.678'").err.empty());
  CHECK(phone.run("logcat -d -T '1700000000.5|01-02 03:04:05.000'").err ==
        "WARNING: -T \"1700000000.5\"\"|01-02 03:04:05.000\" time truncated\n");
  const Ran refused = phone.run("logcat -d -T '01-02 03:04:05'");
  CHECK(refused.status == 1);
  CHECK(refused.err.contains("not in time format"));
}

TEST_CASE("phone profiles: text of the log with epoch and usec", "[T3]") {
  TestPhone phone;
  phone.run("logcat -c; log -t Tag -p i hi");
  CHECK_FALSE(phone
                  .out("logcat -d -v threadtime -v epoch -v usec | grep -E "
                       "'^ +[0-9]{10}\\.[0-9]{6} +[0-9]+ +[0-9]+ I Tag     : hi$'")
                  .empty());
  CHECK(phone.out("logcat -d -v long -v epoch -v usec | grep -E "
                  "'^\\[ +[0-9]{10}\\.[0-9]{6} +[0-9]+: *[0-9]+ I/Tag      \\]$' | wc -l") ==
        "1\n");
}

TEST_CASE("phone profiles: Android 13 holds binary entries back until they fill a block", "[T3]") {
  const std::string binary = "logcat -c; log -t T x; timeout 0.1 logcat -B | wc -c";
  const std::string text = "timeout 0.1 logcat -v raw | grep x";
  TestPhone holding(options_of("android-13"));
  CHECK(holding.out(binary) == "0\n");
  CHECK(holding.out(text) == "x\n");
  for (int i = 0; i < 100; ++i)
    holding.run("log -t T 'a line of forty characters or more, really'");
  CHECK(holding.out("timeout 0.1 logcat -B | wc -c") == "4096\n");
  TestPhone plain;
  CHECK(plain.out(binary) == "33\n");
}

TEST_CASE("phone profiles: Android 8 to 11 fold repeated lines of the log", "[T10]") {
  const std::string script =
      "logcat -c; for i in 1 2 3 4; do log -t T same; done; log -t T other; logcat -d -v raw";
  TestPhone folding(options_of("android-9"));
  CHECK(folding.out(script).ends_with("same\nuid=2000 identical 2 lines\nsame\nother\n"));
  TestPhone plain(options_of("android-12"));
  CHECK(plain.out(script).ends_with("same\nsame\nsame\nsame\nother\n"));
  CHECK(folding.out("logcat -c; log -t T a; log -t T a; logcat -d -v raw").ends_with("main\na\n"));
}

TEST_CASE("phone profiles: the log's level drops what is below it", "[T10]") {
  TestPhone phone;
  const auto lines = [&] {
    return phone.out("logcat -c; log -t T -p d deep; log -t T -p i info; logcat -d -v raw");
  };
  CHECK(lines().ends_with("deep\ninfo\n"));
  phone.run("setprop persist.log.tag I");
  CHECK(lines().ends_with("main\ninfo\n"));
  phone.run("setprop persist.log.tag ''; setprop log.tag.T S");
  CHECK(lines().empty());
  phone.run("simctl reset; simctl fault log-level W");
  CHECK(lines().empty());
}

TEST_CASE("phone profiles: force-stop takes accessibility away, relisting gives it back",
          "[T7][T14]") {
  TestPhone phone;
  Phone& device = phone.phone();
  CHECK(device.accessibility.serves(kOperator));
  phone.run("am force-stop com.clawperator.operator");
  CHECK_FALSE(device.accessibility.serves(kOperator));
  CHECK_FALSE(phone.out("settings get secure enabled_accessibility_services")
                  .contains("com.clawperator.operator/"));
  phone.run(
      "settings put secure enabled_accessibility_services a.b/.C:com.clawperator.operator/.S; "
      "sleep 0.1");
  CHECK_FALSE(device.accessibility.serves(kOperator));  // it has no such service
  CHECK(phone.out("settings get secure enabled_accessibility_services") ==
        "com.clawperator.operator/com.clawperator.operator.S\n");
  phone.run("settings put secure enabled_accessibility_services " + kService + "; sleep 0.1");
  CHECK(device.accessibility.serves(kOperator));
}

TEST_CASE("phone profiles: off and on the list at once is no change", "[T14]") {
  TestPhone phone;
  Phone& device = phone.phone();
  const std::string off = "settings delete secure enabled_accessibility_services";
  const std::string on = "settings put secure enabled_accessibility_services " + kService;
  phone.run(off + "; sleep 0.1; " + on + "; sleep 0.1");
  phone.run("simctl fault accessibility-unbound");
  CHECK_FALSE(device.accessibility.serves(kOperator));
  phone.run(off + "; " + on + "; sleep 0.1");
  CHECK_FALSE(device.accessibility.serves(kOperator));
  phone.run(off + "; sleep 0.1; " + on + "; sleep 0.1");
  CHECK(device.accessibility.serves(kOperator));
}

TEST_CASE("phone profiles: a service whose process died runs again after a second", "[T7]") {
  adbproto::testing::ManualTime time;
  TestPhone phone;
  Phone& device = phone.phone();
  device.accessibility.process_died(kOperator);
  CHECK_FALSE(device.accessibility.serves(kOperator));
  time.advance(phone.loop(), std::chrono::milliseconds(999));
  CHECK_FALSE(device.accessibility.serves(kOperator));
  time.advance(phone.loop(), std::chrono::milliseconds(1));
  CHECK(device.accessibility.serves(kOperator));
}

TEST_CASE("phone profiles: restricted settings need the app op", "[T7]") {
  TestPhone phone;
  const std::string on =
      "settings put secure enabled_accessibility_services " + kService + "; sleep 0.1";
  phone.run("simctl fault restricted-settings; " + on);
  CHECK_FALSE(phone.phone().accessibility.serves(kOperator));
  CHECK(phone.run("cmd appops set com.clawperator.operator ACCESS_RESTRICTED_SETTINGS allow")
            .status == 0);
  phone.run(on);
  CHECK(phone.phone().accessibility.serves(kOperator));
  TestPhone old(options_of("android-12"));
  CHECK(old.run("cmd appops set com.clawperator.operator ACCESS_RESTRICTED_SETTINGS allow").err ==
        "Error: Unknown operation string: ACCESS_RESTRICTED_SETTINGS\n");
}

TEST_CASE("phone profiles: a notification listener is let in by the command alone", "[T7]") {
  TestPhone phone;
  phone.run("settings put secure enabled_notification_listeners com.clawperator.operator/x.Y");
  CHECK_FALSE(phone.out("dumpsys notification").contains("ComponentInfo{"));
  CHECK(phone.run("cmd notification allow_listener com.clawperator.operator/x.Y").status == 0);
  CHECK(phone.out("dumpsys notification")
            .contains("All notification listeners (1) enabled for current profiles:\n      "
                      "ComponentInfo{com.clawperator.operator/x.Y}\n"));
  TestPhone old(options_of("android-7"));
  CHECK(old.run("cmd notification allow_listener a/b").status == 20 + 235);
  old.run("settings put secure enabled_notification_listeners com.clawperator.operator/x.Y");
  CHECK(old.out("dumpsys notification").contains("ComponentInfo{"));
}

TEST_CASE("phone profiles: a stopped package hears only what asks for stopped ones", "[T9]") {
  TestPhone phone;
  const std::string send =
      "logcat -c; am broadcast -a app.clawperator.operator.ACTION_AGENT_COMMAND -p "
      "com.clawperator.operator --es payload '{' ";
  phone.run("simctl fault package-stopped");
  CHECK(phone.out(send).ends_with("Broadcast completed: result=0\n"));
  CHECK_FALSE(phone.out("logcat -d").contains("Operator-Receiver"));
  phone.run(send + "--include-stopped-packages");
  CHECK(phone.out("logcat -d").contains("Operator-Receiver"));
  phone.run(send);
  CHECK(phone.out("logcat -d").contains("Operator-Receiver"));
}

TEST_CASE("phone profiles: with a second display the picture needs its number", "[T11]") {
  TestPhone phone;
  const std::string good = phone.out("screencap");
  phone.run("simctl fault second-display");
  const Ran bare = phone.run("screencap");
  CHECK(bare.status == 0);
  CHECK(bare.err.starts_with("[Warning] Multiple displays were found"));
  CHECK(bare.out.size() == good.size());
  CHECK(bare.out != good);
  CHECK(phone.out("dumpsys display").contains("displayId=0, uniqueId='local:4619827259835644672'"));
  CHECK(phone.out("screencap -d 4619827259835644672") == good);
  CHECK(phone.run("screencap -d 5").status == 1);
}

TEST_CASE("phone profiles: an unknown pixel format and a secure window", "[T11]") {
  TestPhone phone;
  phone.run("simctl fault screencap-format");
  CHECK(phone.out("screencap | head -c 12 | tail -c 4") == std::string("\x3b\0\0\0", 4));
  CHECK(phone.out("screencap -p").starts_with("\x89PNG"));
  phone.run("simctl fault secure-window");
  CHECK(phone.out("screencap").substr(16, 400).find_first_not_of(std::string("\0\xff", 2)) ==
        std::string::npos);
}

TEST_CASE("phones: what a service's help names is what the release has") {
  struct Row {
    const char* phone;
    const char* service;
    const char* named;    // in its help
    const char* missing;  // from it
  };
  const auto row = GENERATE(values<Row>({
      {"android-7", "activity", "force-stop", "broadcast"},
      {"android-8", "activity", "\n  broadcast [", "no such"},
      {"android-9", "notification", "help\nallow_listener COMPONENT", "SUBCMD"},
      {"android-10", "notification", "SUBCMDs:\n  allow_listener COMPONENT", "help"},
      {"android-9", "window", "  density", "user-rotation"},
      {"android-11", "window", "\n  set-user-rotation [", "\n  user-rotation"},
      {"android-12", "window", "\n  user-rotation [", "set-user-rotation"},
      {"android-10", "wifi", "Wi-Fi (wifi) commands:", "set-wifi-enabled"},
      {"android-11", "wifi", "set-wifi-enabled enabled|disabled", "no such"},
      {"android-10", "connectivity", "airplane-mode [enable|disable]", "no such"},
      {"android-8", "statusbar", "expand-notifications", "no such"},
  }));
  TestPhone phone(options_of(row.phone));
  const Ran ran = phone.run("cmd " + std::string(row.service) + " help");
  INFO(row.phone << ": " << row.service);
  CHECK(ran.status == 255);
  CHECK_THAT(ran.out, Catch::Contains(row.named));
  CHECK_THAT(ran.out, !Catch::Contains(row.missing));
}

TEST_CASE("phones: programs name what they can do") {
  TestPhone old(options_of("android-13"));
  TestPhone fresh(options_of("android-14"));
  const Ran limited = old.run("screenrecord --help");
  CHECK(limited.status == 2);
  CHECK_THAT(limited.err,
             Catch::Contains("recording time, in seconds.  Default / maximum is 180."));
  CHECK_THAT(fresh.run("screenrecord --help").err, Catch::Contains("to remove the time limit."));
  CHECK_THAT(fresh.out("input"), Catch::Contains("draganddrop <x1>"));
  CHECK(
      fresh.out("logcat -g -b events -b crash") ==
      "events: ring buffer is 8192 KiB (0 B consumed), max entry is 5120 B, max payload is 4068 B\n"
      "crash: ring buffer is 8192 KiB (0 B consumed), max entry is 5120 B, max payload is 4068 "
      "B\n");
  CHECK(fresh.out("printf 'b\\na\\nb\\n' | sort -u") == "a\nb\n");
}
