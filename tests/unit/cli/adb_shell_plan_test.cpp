#include <catch2/catch.hpp>

#include "cli/adb/shell.hpp"
#include "support/print_result.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using namespace adbproto;

namespace {

Result<ShellPlan> plan(const Words& words, Framing best, InputKind input,
                       std::string_view term = "xterm") {
  TRY(const auto arguments, read_shell_arguments(words, best));
  return plan_shell(arguments, best, input, term);
}

constexpr auto kAtTerminal = InputKind::terminal;
constexpr auto kElsewhere = InputKind::other;
const std::string kNoTerminal =
    "Remote PTY will not be allocated because stdin is not a terminal.\n"
    "Use multiple -t options to force remote PTY allocation.\n";

}  // namespace

TEST_CASE("adb shell: the words and where stdin comes from decide the service") {
  struct Row {
    const char* name;
    Words words;
    Framing best;
    InputKind input;
    std::string service;
    Keyboard keyboard;
    bool warns;
  };
  const auto v2 = Framing::shell_v2;
  const auto row = GENERATE_COPY(values<Row>({
      {"interactive", {}, v2, kAtTerminal, "shell,v2,TERM=xterm,pty:", Keyboard::raw, false},
      {"script on stdin", {}, v2, kElsewhere, "shell,v2,TERM=xterm,raw:", Keyboard::cooked, false},
      {"command", {"ls"}, v2, kAtTerminal, "shell,v2,TERM=xterm,raw:ls", Keyboard::cooked, false},
      {"joined by spaces",
       {"a  b", "'c'"},
       v2,
       kElsewhere,
       "shell,v2,TERM=xterm,raw:a  b 'c'",
       Keyboard::cooked,
       false},
      {"-t", {"-t", "vi"}, v2, kAtTerminal, "shell,v2,TERM=xterm,pty:vi", Keyboard::raw, false},
      {"-t elsewhere",
       {"-t", "vi"},
       v2,
       kElsewhere,
       "shell,v2,TERM=xterm,raw:vi",
       Keyboard::cooked,
       true},
      {"-tt", {"-tt", "vi"}, v2, kElsewhere, "shell,v2,TERM=xterm,pty:vi", Keyboard::raw, false},
      {"-t -t",
       {"-t", "-t", "vi"},
       v2,
       kElsewhere,
       "shell,v2,TERM=xterm,pty:vi",
       Keyboard::raw,
       false},
      {"-T", {"-T"}, v2, kAtTerminal, "shell,v2,TERM=xterm,raw:", Keyboard::cooked, false},
      {"the last counts",
       {"-tT", "vi"},
       v2,
       kAtTerminal,
       "shell,v2,TERM=xterm,raw:vi",
       Keyboard::cooked,
       false},
      {"-x", {"-x", "ls"}, v2, kElsewhere, "shell:ls", Keyboard::cooked, false},
      {"-x interactive", {"-x"}, v2, kAtTerminal, "shell:", Keyboard::raw, false},
      {"old device", {"ls"}, Framing::raw, kElsewhere, "shell:ls", Keyboard::cooked, false},
      {"--", {"--", "-n"}, v2, kElsewhere, "shell,v2,TERM=xterm,raw:-n", Keyboard::cooked, false},
      {"options end at the first word",
       {"ls", "-T"},
       v2,
       kElsewhere,
       "shell,v2,TERM=xterm,raw:ls -T",
       Keyboard::cooked,
       false},
  }));
  INFO(row.name);
  const auto planned = plan(row.words, row.best, row.input);
  REQUIRE(planned);
  CHECK(planned->service == row.service);
  CHECK(planned->keyboard == row.keyboard);
  CHECK(planned->warning == (row.warns ? kNoTerminal : ""));
}

TEST_CASE("adb shell: a terminal name that would break the service's list is left out") {
  for (const char* term : {"", "a,raw", "a:b", "a\nb"}) {
    CAPTURE(term);
    const auto planned = plan({"ls"}, Framing::shell_v2, kElsewhere, term);
    REQUIRE(planned);
    CHECK(planned->service == "shell,v2,raw:ls");
  }
}

TEST_CASE("adb shell: the escape character is the one given") {
  struct Row {
    Words words;
    char escape;
    bool without_input;
  };
  const auto row = GENERATE(values<Row>({{{}, '~', false},
                                         {{"-e", "%"}, '%', false},
                                         {{"-e%"}, '%', false},
                                         {{"-ne%"}, '%', true},
                                         {{"-e", "none"}, kNoEscape, false},
                                         {{"-enone", "-n"}, kNoEscape, true},
                                         {{"-e", "%", "-x"}, '~', false}}));
  CAPTURE(row.words);
  const auto read = read_shell_arguments(row.words, Framing::shell_v2);
  REQUIRE(read);
  CHECK(read->escape == row.escape);
  CHECK(read->without_input == row.without_input);
}

TEST_CASE("adb shell: what is refused is refused in adb's words") {
  struct Row {
    Words words;
    Framing best;
    std::string line;
  };
  const auto row = GENERATE(values<Row>({
      {{"-q"}, Framing::shell_v2, "adb shell: invalid option -- 'q'"},
      {{"-nq"}, Framing::shell_v2, "adb shell: invalid option -- 'q'"},
      {{"--frob"}, Framing::shell_v2, "adb shell: invalid option -- '-'"},
      {{"-e"}, Framing::shell_v2, "adb shell: option requires an argument -- 'e'"},
      {{"-e", "ab"}, Framing::shell_v2, "adb: -e requires a single-character argument or 'none'"},
      {{"-xT", "ls"}, Framing::shell_v2, "error: -x only supports allocating a pty"},
      {{"-T", "ls"}, Framing::raw, "error: device only supports allocating a pty"},
      {{std::string(4100, 'x')}, Framing::raw, "error: shell command too long"},
  }));
  CAPTURE(row.words);
  const auto planned = plan(row.words, row.best, kElsewhere);
  REQUIRE_FALSE(planned);
  CHECK(planned.error().message() == row.line);
}
