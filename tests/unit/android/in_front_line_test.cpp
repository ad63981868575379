// The line is run by real shells, with a `dumpsys` that prints what a phone may print.

#include "runtime/android/shell_lines.hpp"

#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>

#include "base/files.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;

namespace {

// What `line` prints where dumpsys prints `dump`, and what dumpsys was called with.
struct Ran {
  std::string out, asked;
};

Ran run(const std::string& shell, const std::string& dump, const std::string& line) {
  const adbproto::testing::TempFolder folder;
  std::ofstream(folder.file("dump")) << dump;
  std::ofstream(folder.file("line")) << line << "\n";
  std::ofstream(folder.file("dumpsys")) << "#!/bin/sh\necho \"$@\" > " << folder.file("asked")
                                        << "\ncat " << folder.file("dump") << "\n";
  std::filesystem::permissions(folder.file("dumpsys"), std::filesystem::perms::owner_all);
  const std::string command = "cd " + folder.path().string() +
                              " && PATH=" + folder.path().string() + ":$PATH " + shell +
                              " line 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::array<char, 256> buffer{};
  Ran ran;
  while (std::fgets(buffer.data(), buffer.size(), pipe)) ran.out += buffer.data();
  pclose(pipe);
  ran.asked = base::read_file(folder.file("asked"), 1000).value_or("");
  return ran;
}

std::vector<std::string> shells() {
  std::vector<std::string> found{"sh"};
  for (const char* name : {"/usr/bin/mksh", "/bin/mksh", "/usr/bin/dash", "/bin/bash"}) {
    if (std::filesystem::exists(name)) found.emplace_back(name);
  }
  return found;
}

std::string focus(std::string_view window) {
  return "  mCurrentFocus=Window{51d0d01 u0 " + std::string(window) + "}\n";
}
std::string app(std::string_view activity) {
  return "  mFocusedApp=ActivityRecord{51d0d02 u0 " + std::string(activity) + " t7}\n";
}

struct Row {
  const char* name;
  std::string dump;
  bool runs;
};

const std::string kHere = "com.shop/com.shop.Main";
const std::string kRival = "com.rival/com.rival.Dialog";

std::vector<Row> rows() {
  return {
      {"Android 12", "  Display: mDisplayId=0\n" + focus(kHere) + app(kHere), true},
      {"Android 10",
       focus(kHere) + "  mFocusedApp=AppWindowToken{1a token=Token{2b ActivityRecord{3c u0 " +
           kHere + " t7}}}\n",
       true},
      {"Android 14", focus(kHere) + "  mFocusedApp=ActivityRecord{51d0d02 u0 " + kHere + "} t7}\n",
       true},
      {"a second display without a focus",
       focus(kHere) + app(kHere) + "  mCurrentFocus=null\n  mFocusedApp=null\n", true},
      {"another user's", "  mCurrentFocus=Window{5 u10 " + kHere + "}\n" + app(kHere), true},
      {"another app", focus(kRival) + app(kRival), false},
      {"a dialog of another app above", focus(kRival) + app(kHere), false},
      {"an overlay above another app", focus(kHere) + app(kRival), false},
      {"a name that begins alike", focus("com.shopping/.A") + app("com.shopping/.A"), false},
      {"the shade", focus("NotificationShade") + app(kHere), false},
      {"a popup", focus("PopupWindow:3f2a1b") + app(kHere), false},
      {"an app that does not answer", focus("Application Not Responding: com.shop") + app(kHere),
       false},
      {"between two windows", "  mCurrentFocus=null\n" + app(kHere), false},
      {"nothing", "", false},
      {"one line alone", focus(kHere), false},
      {"the other alone", app(kHere), false},
      {"two displays, two apps", focus(kHere) + app(kHere) + focus(kRival) + app(kRival), false},
      {"the window of the last ANR", focus(kRival) + app(kRival) + "\nLAST ANR\n" + focus(kHere),
       false},
      // Titles of a hostile app.
      {"words of its own", focus("x u0 " + kHere) + app(kHere), false},
      {"a line of its own", focus("x\n  mCurrentFocus=Window{1 u0 " + kHere) + app(kHere), false},
      {"quotes and commands",
       focus("\"; echo pwned; ` echo pwned ` $(echo pwned) ' | \\") + app(kHere), false},
      {"a test's words", focus("] || true; [ com.shop/x") + app(kHere), false},
      {"patterns", focus("*/* ?[a-z]*") + app(kHere), false},
      {"arithmetic", focus("a[$(echo pwned)]") + app(kHere), false},
      {"the mark itself",
       focus(std::string(kHeldBack) + "\n" + std::string(kHeldBack)) + app(kHere), false},
      {"an empty title", "  mCurrentFocus=Window{1 u0 }\n" + app(kHere), false},
      {"no title", "  mCurrentFocus=Window{1\n" + app(kHere), false},
      {"a long one", focus(std::string(100'000, 'x')) + app(kHere), false},
  };
}

}  // namespace

TEST_CASE("in front line: it runs where the app is in front, and else prints the mark alone") {
  const std::string line = line_if_in_front("com.shop", 34, "echo sent 'it'\"'\"'s'; echo more");
  for (const std::string& shell : shells()) {
    for (const Row& row : rows()) {
      INFO(shell << ": " << row.name);
      const std::string wanted = row.runs ? "sent it's\nmore\n" : std::string(kHeldBack) + "\n";
      const Ran ran = run(shell, row.dump, line);
      CHECK(ran.out == wanted);
      CHECK(ran.asked == "window displays\n");
    }
  }
}

TEST_CASE("in front line: until Android 9 another dump says it, and a status is kept") {
  const std::string dump = focus(kHere) + app(kHere);
  const Ran ran = run("sh", dump, line_if_in_front("com.shop", 28, "false") + "; echo $?");
  CHECK(ran.out == "1\n");
  CHECK(ran.asked == "window windows\n");
}

TEST_CASE("in front line: names of packages") {
  CHECK(is_plain_package("com.android.settings"));
  CHECK(is_plain_package("Com.Shop_2"));
  for (const char* name : {"", "a b", "a;b", "a'b", "a/b", "a*", "a-b", "ä", "a\n"}) {
    CHECK_FALSE(is_plain_package(name));
  }
}
