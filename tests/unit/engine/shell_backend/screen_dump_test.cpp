#include "runtime/engine/shell_backend/screen_dump.hpp"

#include <catch2/catch.hpp>

#include "runtime/android/screen_commands.hpp"
#include "runtime/android/shell_lines.hpp"

using namespace clawperator;

// What Android's DumpCommand prints, word by word; its status is 0 in all of these but the last.
namespace {

constexpr std::string_view kTree =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node "
    "index=\"0\" text=\"ERROR: could not get idle state.\" /></hierarchy>";

}  // namespace

TEST_CASE("screen dump: the document is the text behind the success, in any spelling") {
  for (const std::string_view said : {"UI hierchary dumped to: /data/local/tmp/x.xml\n",
                                      "UI hierarchy dumped to: /data/local/tmp/x.xml\r\n", ""}) {
    INFO(said);
    const ScreenDump dump = read_screen_dump(std::string(said) + std::string(kTree), "");
    CHECK(dump.outcome == DumpOutcome::whole);
    CHECK(dump.xml == kTree);
  }
  // A terminal's output ends with the message instead.
  CHECK(read_screen_dump(std::string(kTree) + "UI hierchary dumped to: /dev/tty\n", "").xml ==
        kTree);
}

TEST_CASE("screen dump: what stands there instead says why") {
  struct Row {
    std::string_view out, err;
    DumpOutcome outcome;
    bool again;
  };
  const Row rows[] = {
      {"", "ERROR: could not get idle state.\n", DumpOutcome::busy, true},
      {"ERROR: could not get idle state.\n", "", DumpOutcome::busy, true},
      {"", "ERROR: null root node returned by UiTestAutomationBridge.\n", DumpOutcome::no_window,
       true},
      {"UI hierchary dumped to: /data/local/tmp/x.xml\n", "", DumpOutcome::unwritten, false},
      {"UI hierchary dumped to: /data/local/tmp/x.xml\n<?xml version='1.0' ?><hierarchy><node ", "",
       DumpOutcome::unwritten, false},
      {"<hierarchy rotation=\"0\"></hierarch", "", DumpOutcome::unwritten, false},
      {"",
       "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice."
       "IAccessibilityServiceClient$Stub$Proxy@1already registered!\n\tat android.os.Parcel\n",
       DumpOutcome::occupied, false},
      {"", "Killed \n", DumpOutcome::occupied, false},
      {"", "sh: uiautomator: inaccessible or not found\n", DumpOutcome::failed, false},
      {"", "", DumpOutcome::failed, false},
  };
  for (const Row& row : rows) {
    INFO(row.out << '|' << row.err);
    const ScreenDump dump = read_screen_dump(row.out, row.err);
    CHECK(dump.outcome == row.outcome);
    CHECK(dump.xml.empty());
    CHECK(is_worth_a_retry(dump.outcome) == row.again);
    CHECK_FALSE(why_no_tree(dump).empty());
  }
}

TEST_CASE("screen dump: of a long trace the useful line is reported") {
  const ScreenDump dump = read_screen_dump(
      "", "WARNING: linker\nERROR: could not get idle state.\n\tat com.android.Foo\n");
  CHECK(dump.said == "ERROR: could not get idle state.");
  CHECK(read_screen_dump("", std::string(5000, 'x')).said.size() <= 300);
}

TEST_CASE("screen dump: one command, whose file is its own and is taken away") {
  CHECK(screen_dump_line("01jd") ==
        "rm -f '/data/local/tmp/clawperator-01jd.xml'; uiautomator dump "
        "'/data/local/tmp/clawperator-01jd.xml'; cat '/data/local/tmp/clawperator-01jd.xml' "
        "2>/dev/null; rm -f '/data/local/tmp/clawperator-01jd.xml'; " +
            screen_now_line());
  CHECK(read_screen_dump(std::string(kTree) + "\n  Display: mDisplayId=0\n", "").behind ==
        "\n  Display: mDisplayId=0\n");
}
