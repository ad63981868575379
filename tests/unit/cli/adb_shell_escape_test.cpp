#include <catch2/catch.hpp>

#include "cli/adb/shell_session.hpp"

using clawperator::cli::EscapeFilter;
using clawperator::cli::kNoEscape;

TEST_CASE("escape: only at the beginning of a line, at every split") {
  struct Row {
    const char* name;
    std::string typed;
    std::string sent;
    bool disconnected;
  };
  const auto row = GENERATE(values<Row>({
      {"nothing special", "ls\r", "ls\r", false},
      {"first of all", "~.", "", true},
      {"after return", "ls\r~.rest", "ls\r", true},
      {"after newline", "ls\n~.", "ls\n", true},
      {"in a line", "a~.b", "a~.b", false},
      {"a word that begins with it", "~user\r", "~user\r", false},
      {"twice is once", "~~.", "~.", false},
      {"held back for a return", "~\r~.", "~\r", true},
      {"held back at the end", "x\r~", "x\r", false},
  }));
  INFO(row.name);
  for (std::size_t at = 0; at <= row.typed.size(); ++at) {
    CAPTURE(at);
    EscapeFilter filter('~');
    std::string sent = filter.take(row.typed.substr(0, at));
    sent += filter.take(row.typed.substr(at));
    CHECK(sent == row.sent);
    CHECK(filter.disconnected() == row.disconnected);
  }
}

TEST_CASE("escape: without an escape character every key goes through") {
  EscapeFilter filter(kNoEscape);
  const std::string typed("~.\r~.\0x", 7);
  CHECK(filter.take(typed) == typed);
  CHECK_FALSE(filter.disconnected());
}
