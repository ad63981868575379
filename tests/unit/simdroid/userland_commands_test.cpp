#include <catch2/catch.hpp>

#include "unit/simdroid/userland_support.hpp"

using simdroid::testing::Ran;
using simdroid::testing::TestPhone;

namespace {

struct Case {
  std::string script;
  std::string out;
  int status = 0;
};

}  // namespace

TEST_CASE("userland commands: what Android's tools print") {
  const auto row = GENERATE(values<Case>({
      {"getprop ro.build.version.sdk", "34\n"},
      {"getprop no.such.thing", "\n"},
      {"getprop no.such.thing fallback", "fallback\n"},
      {"getprop | grep -F '[ro.serialno]'", "[ro.serialno]: [SIM0DROID1]\n"},
      {"setprop debug.x 1; getprop debug.x", "1\n"},
      {"settings get global adb_enabled", "1\n"},
      {"settings get secure none", "null\n"},
      {"settings put system x 'a b'; settings get system x; settings delete system x",
       "a b\nDeleted 1 rows\n"},
      {"settings get nowhere x", "", 255},
      {"cmd settings get global adb_enabled", "1\n"},
      {"cmd nosuch", "", 20},
      {"wm size", "Physical size: 1080x2400\n"},
      {"wm density", "Physical density: 420\n"},
      {"wm size 720x1600; wm size; wm size reset; wm size | wc -l",
       "Physical size: 1080x2400\nOverride size: 720x1600\n1\n"},
      {"pm list packages com.clawperator.operator", "package:com.clawperator.operator\n"},
      {"pm list packages -s com.clawperator", ""},
      {"cmd package list packages -3 com.clawperator.operator",
       "package:com.clawperator.operator\n"},
      {"pm path nosuch.app", "", 1},
      {"pm grant com.clawperator.operator android.permission.POST_NOTIFICATIONS", ""},
      {"pm grant com.clawperator.operator nonsense", "", 255},
      {"pm grant nosuch.app android.permission.POST_NOTIFICATIONS", "", 255},
      {"pm install /sdcard/x.apk", "Failure [INSTALL_FAILED_INVALID_URI: no such file]\n", 1},
      {"pm install-abandon 7", "Failure [Caller has no access to session 7]\n", 1},
      {"pm install-create; pm install-commit 1; pm install-abandon 1",
       "Success: created install session [1]\nFailure [INSTALL_FAILED_INVALID_APK: the session has "
       "no packages]\nFailure [Caller has no access to session 1]\n",
       1},
      {"pm install-create; echo nope | pm install-write -S 9 1 a.apk -; pm install-abandon 1",
       "Success: created install session [1]\nFailure [INSTALL_FAILED_INVALID_APK: 9 bytes were "
       "announced, 5 came]\nSuccess\n"},
      {"pm uninstall nosuch.app", "Failure [DELETE_FAILED_INTERNAL_ERROR]\n", 1},
      {"dumpsys package com.clawperator.operator | grep -E '^ *version(Name|Code)='",
       "    versionCode=1205900 minSdk=21 targetSdk=35\n    versionName=0.12.5\n"},
      {"dumpsys package nosuch.app", "Unable to find package: nosuch.app\n"},
      {"am force-stop nosuch.app", ""},
      {"am start -n nosuch/.App", "Starting: Intent { cmp=nosuch/.App }\n", 1},
      {"am frobnicate", "Unknown command: frobnicate\n", 255},
      {"am broadcast -a some.ACTION --es k v",
       "Broadcasting: Intent { act=some.ACTION flg=0x400000 (has extras) }\nBroadcast completed: "
       "result=0\n"},
      {"monkey -p nosuch.app 1", "", 252},
      {"input tap 1", "", 255},
      {"input keyevent KEYCODE_NOSUCH", ""},
      {"input pinch 1 2", "Unknown command: pinch\n"},
      {"input text gr\xc3\xbc\xc3\x9f", "", 255},
      {"id -u; whoami; uname", "2000\nshell\nLinux\n"},
      {"sleep 0 && echo awake", "awake\n"},
      {"kill 1", "", 1},
      {"kill 99999", "", 1},
      {"seq 3; seq 2 3; seq 5 -2 1", "1\n2\n3\n2\n3\n5\n3\n1\n"},
      {"printf '%s-%03d-%x\\n' a 7 255 b 8 16", "a-007-ff\nb-008-10\n"},
      {"printf 'a\\nb\\n' | tail -n 1; printf 'one two' | wc -w", "b\n2\n"},
      {"test -d /sdcard && test -f /etc/hosts && [ ! -e /none ] && echo all", "all\n"},
      {"which am pm", "/system/bin/am\n/system/bin/pm\n"},
      {"timeout 0.001 sleep 5; echo $?", "124\n"},
      {"echo -n a; echo 'b\\tc'", "ab\tc\n"},
  }));
  INFO(row.script);
  TestPhone phone;
  const Ran ran = phone.run(row.script);
  INFO(ran.err);
  CHECK(ran.out == row.out);
  CHECK(ran.status == row.status);
}

TEST_CASE("userland commands: what a finger does shows on the screen") {
  TestPhone phone;
  CHECK(phone.run("am start -a android.settings.SETTINGS").status == 0);
  CHECK(phone.out("dumpsys window | grep mCurrentFocus").contains("com.android.settings/"));
  CHECK(phone.out("dumpsys activity activities | grep topResumedActivity")
            .contains("com.android.settings/"));
  const std::string before = phone.out("screencap");
  phone.run("input swipe 540 1800 540 600");
  CHECK(phone.out("screencap") != before);
  phone.run("input keyevent KEYCODE_HOME");
  CHECK_FALSE(phone.out("dumpsys window | grep mCurrentFocus").contains("com.android.settings/"));
  phone.run("input keyevent 26");
  CHECK(phone.out("dumpsys power").contains("mWakefulness=Asleep"));
  phone.run("cmd power wakeup");
  CHECK(phone.out("dumpsys power").contains("mWakefulness=Awake"));
}

TEST_CASE("userland commands: the same screen is captured the same twice") {
  TestPhone phone;
  const std::string raw = phone.out("screencap");
  REQUIRE(raw.size() == 16 + std::size_t{1080} * 2400 * 4);
  CHECK(raw.starts_with(std::string("\x38\x04\0\0\x60\x09\0\0\x01\0\0\0\x01\0\0\0", 16)));
  CHECK(phone.out("screencap") == raw);
  CHECK(phone.out("screencap -p").starts_with("\x89PNG\r\n\x1a\n"));
  CHECK(phone.run("screencap /sdcard/s.png; head -c 4 /sdcard/s.png").out == "\x89PNG");
}

TEST_CASE("userland commands: uiautomator writes its tree to a file and says where") {
  TestPhone phone;
  CHECK(phone.out("uiautomator dump") == "UI hierchary dumped to: /sdcard/window_dump.xml\n");
  CHECK(phone.out("cat /sdcard/window_dump.xml").starts_with("<?xml"));
  CHECK(phone.out("uiautomator dump /dev/tty").contains("</hierarchy>"));
}

TEST_CASE(
    "userland commands: uiautomator fails in Android's ways, with a status that means nothing") {
  TestPhone phone;
  const auto dump = [&](const std::string& how) {
    phone.run("rm -f /data/local/tmp/x; simctl fault uiautomator-fails " + how);
    return phone.run("uiautomator dump /data/local/tmp/x");
  };
  const auto idle = dump("idle-once");
  CHECK(idle.err == "ERROR: could not get idle state.\n");
  CHECK((idle.status == 0 && idle.out.empty()));
  CHECK(phone.run("uiautomator dump /data/local/tmp/x").err.empty());
  CHECK(dump("null").err == "ERROR: null root node returned by UiTestAutomationBridge.\n");
  const auto unwritten = dump("write");
  CHECK(unwritten.out == "UI hierchary dumped to: /data/local/tmp/x\n");
  CHECK((unwritten.status == 0 && phone.run("cat /data/local/tmp/x").status == 1));
  CHECK(phone.out("uiautomator dump /system/x") == "UI hierchary dumped to: /system/x\n");
  phone.run("simctl clear uiautomator-fails; simctl fault ui-automation");
  const auto other = phone.run("uiautomator dump /data/local/tmp/x");
  CHECK((other.status == 137 && other.err.contains("already registered!")));
}

TEST_CASE("userland commands: while uiautomator looks, no accessibility service runs") {
  TestPhone phone;
  constexpr const char* kBound = "dumpsys accessibility | grep 'Bound services'";
  REQUIRE(phone.out(kBound).contains("OperatorAccessibilityService"));
  phone.run("uiautomator dump");
  CHECK_FALSE(phone.out(kBound).contains("OperatorAccessibilityService"));
}

TEST_CASE("userland commands: which activity starts an app, and what am start's status is worth") {
  TestPhone phone;
  const std::string resolve =
      "cmd package resolve-activity --brief -a android.intent.action.MAIN "
      "-c android.intent.category.LAUNCHER ";
  CHECK(
      phone.out(resolve + "com.android.settings").ends_with("\ncom.android.settings/.Settings\n"));
  CHECK(phone.out(resolve + "com.none") == "No activity found\n");
  const auto fails = [&] { return phone.run("am start -W -n com.none/.A"); };
  CHECK(fails().status == 1);
  CHECK(fails().out.contains("Error type 3\n"));
  phone.run("simctl phone android-11");
  CHECK(fails().status == 0);
  phone.run("simctl phone android-7");
  CHECK(phone.run(resolve + "com.android.settings").status != 0);
}

TEST_CASE("userland commands: control words are counted, set and cleared") {
  TestPhone phone;
  CHECK(phone.out("simctl state").contains("\"faults\":{}"));
  CHECK(phone.run("simctl fault log-noise 50").status == 0);
  CHECK(phone.out("simctl state").contains("\"log-noise\":[\"50\"]"));
  CHECK(phone.run("simctl reset").status == 0);
  CHECK(phone.out("simctl state").contains("\"faults\":{}"));
  CHECK(phone.run("simctl frobnicate").status == 1);
  CHECK(phone.out("simctl faults | grep -c .") ==
        std::to_string(simdroid::fault_table().size()) + "\n");
}

TEST_CASE("userland commands: the phone profile makes commands slow, zero does not") {
  simdroid::PhoneOptions options;
  options.profile = simdroid::Profile::phone;
  TestPhone phone(options);
  const auto begin = adbproto::Clock::now();
  phone.run("am get-current-user");
  CHECK(adbproto::Clock::now() - begin >= phone.phone().costs.app_process.base);
}
