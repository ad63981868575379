#include "simdroid/userland/shell.hpp"

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

TEST_CASE("userland commands: each release prints the focus in its own place and form") {
  struct Row {
    const char* phone;
    const char* section;  // that prints it; the other one does not
    const char* app;
  };
  const auto row = GENERATE(values<Row>({
      {"android-7", "windows", "AppWindowToken{51d0d05 token=Token{51d0d06 ActivityRecord{"},
      {"android-9", "windows", "AppWindowToken{51d0d05 token=Token{51d0d06 ActivityRecord{"},
      {"android-10", "displays", "AppWindowToken{51d0d05 token=Token{51d0d06 ActivityRecord{"},
      {"android-11", "displays", "ActivityRecord{"},
      {"android-16", "displays", "ActivityRecord{"},
  }));
  TestPhone phone;
  phone.run(std::string("simctl phone ") + row.phone +
            "; am start -n com.android.settings/.Settings");
  const std::string reported = phone.out(std::string("dumpsys window ") + row.section);
  CHECK(reported.contains(" u0 com.android.settings/com.android.settings.Settings}\n"));
  CHECK(reported.contains(std::string("  mFocusedApp=") + row.app +
                          "51d0d02 u0 com.android.settings/.Settings t7}"));
  const bool by_windows = std::string(row.section) == "windows";
  const char* other = by_windows ? "dumpsys window displays" : "dumpsys window windows";
  CHECK_FALSE(phone.out(other).contains("mCurrentFocus"));
  CHECK(phone.out("dumpsys window policy").contains("mIsShowing=false"));
  CHECK(phone.out("dumpsys window nothing").starts_with("Bad window command"));
}

TEST_CASE("userland commands: dumpsys window begins with what was in front at the last ANR") {
  TestPhone phone;
  CHECK(phone.out("dumpsys window")
            .starts_with("WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n"
                         "  <no ANR has occurred since boot>\n"));
  phone.run("simctl fault last-anr com.old/com.old.Main");
  CHECK(phone.out("dumpsys window | grep mCurrentFocus= | head -1")
            .contains("com.old/com.old.Main}"));
  CHECK(phone.out("dumpsys window | grep mCurrentFocus= | tail -1").contains("nexuslauncher"));
  CHECK_FALSE(phone.out("dumpsys window displays").contains("com.old"));
  phone.run("simctl fault focus-none");
  CHECK(phone.out("dumpsys window displays").contains("mCurrentFocus=null\n"));
}

TEST_CASE("userland commands: the keyboard's window is listed, and says whether it is shown") {
  TestPhone phone;
  const auto listed = [&] {
    const std::string all = phone.out("dumpsys window windows");
    const std::size_t from = all.find(" u0 InputMethod}:");
    return all.substr(from, all.find("  Window #", from) - from);
  };
  const std::string hidden = listed();
  CHECK((hidden.contains("ty=INPUT_METHOD") && hidden.contains("isVisible=false")));
  phone.run("simctl keyboard on");
  const std::string shown = listed();
  CHECK(shown.contains("touchable region=SkRegion((0,1620,1080,2400))"));
  CHECK(shown.contains("isVisible=true"));
  CHECK(phone.out("dumpsys input_method").contains("mInputShown=true"));
  CHECK(phone.out("uiautomator dump --windows /dev/tty").contains("TYPE_INPUT_METHOD"));
  phone.run("simctl phone android-10; simctl keyboard on");
  CHECK(phone.out("uiautomator dump --windows /dev/tty").contains("<hierarchy "));
  CHECK_FALSE(phone.out("uiautomator dump --windows /dev/tty").contains("<displays>"));
}

TEST_CASE("userland commands: a test changes the screen, at once, later, or after the next look") {
  TestPhone phone;
  const auto screen = [&] { return phone.phone().ui().screen().name; };
  CHECK(phone.run("simctl show com.clawperator.conformance form").status == 0);
  CHECK(screen() == "form");
  CHECK(phone.run("simctl show com.clawperator.conformance nowhere").status == 1);
  CHECK(phone.run("simctl run cmd statusbar expand-notifications").status == 0);
  CHECK(screen() == "shade");
  CHECK(phone.run("simctl run cmd statusbar collapse; simctl word moved on").status == 0);
  CHECK(phone.run("simctl word moved").status == 1);
  CHECK(phone.run("simctl after look 0 simctl show com.clawperator.conformance texts").status == 0);
  phone.run("sleep 0.01");
  CHECK(screen() == "form");
  phone.run("uiautomator dump; sleep 0.01");
  CHECK(screen() == "texts");
  phone.run("simctl after now 5 simctl show com.clawperator.conformance big; sleep 0.05");
  CHECK(screen() == "big");
  CHECK(phone.run("simctl after then 5 true").status == 1);
  phone.run(
      "simctl after now 5 simctl show com.clawperator.conformance form; simctl reset; sleep 0.05");
  CHECK(screen() == "home");
}

TEST_CASE("userland commands: a test reads what was touched") {
  TestPhone phone;
  CHECK(phone.out("simctl touches") == "[]\n");
  phone.run("simctl show com.clawperator.conformance form; input tap 540 2550; input text lost");
  CHECK(
      phone.out("simctl touches") ==
      R"([{"kind":"tap","package":"com.clawperator.conformance",)"
      R"("window":"com.clawperator.conformance/com.clawperator.conformance.FormActivity",)"
      R"("screen":"form","at":[540,2550],"node":null},{"kind":"keys","package":"com.clawperator.conformance",)"
      R"("window":"com.clawperator.conformance/com.clawperator.conformance.FormActivity",)"
      R"("screen":"form","text":"lost","node":null}])"
      "\n");
}

TEST_CASE("userland commands: a screen that turns follows the user's rotation") {
  auto set = ScreenSet::parse({{"t.json", R"({"package":"com.test","launch":"home","screens":{
      "home":{"turns":true,"root":{"h":"fill"}},"still":{"root":{"h":"fill"}}}})"}});
  REQUIRE(set);
  PhoneOptions options;
  options.screens = std::make_shared<const ScreenSet>(*std::move(set));
  TestPhone phone(options);
  phone.run("simctl show com.test still; wm user-rotation lock 1");
  CHECK(phone.out("dumpsys window displays").contains("cur=1080x2400"));
  phone.run("simctl show com.test home");
  CHECK(phone.out("dumpsys window displays").contains("init=1080x2400 420dpi cur=2400x1080"));
  CHECK(phone.out("dumpsys display").contains("real 2400 x 1080, mode 1, rotation 1"));
  CHECK(phone.out("wm size") == "Physical size: 1080x2400\n");
  CHECK(phone.out("uiautomator dump /dev/tty").contains(R"(bounds="[0,0][2400,1080]")"));
  CHECK(phone.out("screencap").starts_with(std::string("\x60\x09\0\0\x38\x04\0\0", 8)));
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

TEST_CASE(
    "userland commands: a screen as a test wants it, and a phone that does not say its size") {
  TestPhone phone;
  phone.run("echo '<hierarchy></hierarchy>' > /data/local/tmp/t.xml");
  phone.run("simctl fault tree-file /data/local/tmp/t.xml");
  CHECK(phone.out("uiautomator dump /dev/tty").starts_with("<hierarchy></hierarchy>"));
  CHECK(phone.out("dumpsys window displays | grep ' cur='").contains(" cur=1080x2400 "));
  CHECK(phone.out("wm size 720x1600; dumpsys window displays").contains(" cur=720x1600 "));
  CHECK(phone.out("dumpsys window displays").contains("type=ime frame=[0,0][0,0] "));
  CHECK_FALSE(phone.out("simctl fault screen-untold; dumpsys window displays").contains(" cur="));
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
