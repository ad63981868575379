#include "cli/verbs.hpp"

#include <catch2/catch.hpp>

#include "cli/dispatch.hpp"
#include "cli/grammar/errc.hpp"
#include "runtime/act/carry_out.hpp"
#include "runtime/contract/errc.hpp"
#include "unit/cli/ask.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;

TEST_CASE("verbs: whatever a command generates the contract accepts") {
  struct Row {
    Ask ask;
    Words words;
  };
  const auto row = GENERATE(values<Row>({
      {ask_for_snapshot, {"snapshot"}},
      {action_of<screenshot_from>, {"screenshot"}},
      {action_of<click_from>, {"click", "--coordinate", "1", "2"}},
      {action_of<open_from>, {"open", "a.b"}},
      {action_of<type_from>, {"type", "x", "--id", "i"}},
      {action_of<read_from>, {"read", "--id", "i"}},
      {action_of<wait_from>, {"wait", "--id", "i"}},
      {action_of<press_from>, {"press", "home"}},
      {action_of<close_from>, {"close", "a.b"}},
      {action_of<sleep_from>, {"sleep", "0"}},
      {action_of<scroll_from>, {"scroll", "down"}},
      {action_of<scroll_until_from>, {"scroll-until", "--id", "i"}},
      {action_of<scroll_and_click_from>, {"scroll-and-click", "--id", "i"}},
      {action_of<wait_for_nav_from>, {"wait-for-nav", "--app", "a.b", "--timeout", "1"}},
      {action_of<read_value_from>, {"read-value", "--label", "x"}},
  }));
  const auto invocation = invoke(row.words);
  REQUIRE(invocation);
  const auto action = row.ask(*invocation);
  REQUIRE(action);
  const auto request = request_for(*invocation, *action);
  REQUIRE(request);
  const auto execution = act::plan_of(*request);
  CHECK(execution);
  CHECK((execution ? "" : execution.error().message()) == std::string());
}

TEST_CASE("verbs: --timeout is the execution timeout wherever nothing else is said") {
  struct Row {
    Ask ask;
    Words words;
  };
  const auto row = GENERATE(values<Row>({
      {ask_for_snapshot, {"snapshot"}},
      {action_of<click_from>, {"click", "--id", "i"}},
      {action_of<open_from>, {"open", "a.b"}},
      {action_of<type_from>, {"type", "x", "--id", "i"}},
      {action_of<read_from>, {"read", "--id", "i"}},
      {action_of<press_from>, {"press", "home"}},
      {action_of<back_from>, {"back"}},
      {action_of<read_value_from>, {"read-value", "--label", "x"}},
      {action_of<screenshot_from>, {"screenshot"}},
      {action_of<close_from>, {"close", "a.b"}},
      {action_of<scroll_from>, {"scroll", "down"}},
      {action_of<scroll_until_from>, {"scroll-until", "--id", "i"}},
  }));
  Words words = row.words;
  words.insert(words.end(), {"--timeout", "4321"});
  const auto invocation = invoke(words);
  const auto action = row.ask(*invocation);
  REQUIRE(action);
  const auto request = request_for(*invocation, *action);
  REQUIRE(request);
  const auto execution = act::plan_of(*request);
  REQUIRE(execution);
  CHECK(execution->timeout_ms == 4321);
}

TEST_CASE("verbs: argument rules answer with the published code and text") {
  struct Row {
    Ask ask;
    Words words;
    Errc code;
    std::string first_line;
  };
  static constexpr Errc kInvalid = errc::execution_validation_failed;
  const auto row = GENERATE(values<Row>({
      {action_of<click_from>, {"click"}, errc::missing_selector, "click requires a selector."},
      {action_of<click_from>,
       {"click", "--coordinate", "1", "2", "--coordinate", "3", "4"},
       kInvalid,
       "--coordinate must not appear more than once"},
      {action_of<click_from>,
       {"click", "--coordinate", "1"},
       kInvalid,
       "--coordinate requires two non-negative integers (x y)"},
      {action_of<click_from>,
       {"click", "--coordinate", "-1", "2"},
       kInvalid,
       "--coordinate requires two non-negative integers (x y)"},
      {action_of<click_from>,
       {"click", "--coordinate", "1.5", "2"},
       kInvalid,
       "--coordinate requires two non-negative integers (x y)"},
      {action_of<click_from>,
       {"click", "--coordinate", "1", "2", "--text", "x"},
       kInvalid,
       "use --coordinate OR a selector, not both"},
      {action_of<click_from>,
       {"click", "--text", "x", "--long", "--focus"},
       kInvalid,
       "--long and --focus are mutually exclusive."},
      {action_of<click_from>,
       {"click", "--coordinate", "1", "2", "--focus"},
       kInvalid,
       "--focus is not supported with --coordinate"},
      {action_of<open_from>, {"open"}, errc::missing_argument, "open requires a target."},
      {action_of<open_from>, {"open", "  "}, errc::missing_argument, "open requires a target."},
      {action_of<open_from>,
       {"open", "a", "--app", "b"},
       kInvalid,
       "open: pass the target as a positional argument or via --app, not both."},
      {action_of<type_from>,
       {"type", "--id", "i"},
       errc::missing_argument,
       "type requires text to type."},
      {action_of<type_from>,
       {"type", "a", "--text", "b", "--id", "i"},
       kInvalid,
       "type: pass text as a positional argument or via --text, not both."},
      {action_of<type_from>, {"type", "a"}, errc::missing_selector, "type requires a selector."},
      {action_of<read_from>,
       {"read", "--id", "i", "--all", "--output", "pretty"},
       kInvalid,
       "read --all requires JSON output."},
      {action_of<read_from>, {"read"}, errc::missing_selector, "read requires a selector."},
      {action_of<wait_from>,
       {"wait", "--timeout", "0"},
       kInvalid,
       "--timeout must be a positive number of milliseconds when specified. Omit --timeout to use "
       "the default wait cap."},
      {action_of<wait_from>,
       {"wait", "--timeout", "soon", "--id", "i"},
       kInvalid,
       "--timeout must be a positive number of milliseconds when specified. Omit --timeout to use "
       "the default wait cap."},
      {action_of<wait_from>, {"wait"}, errc::missing_selector, "wait requires a selector."},
      {action_of<press_from>, {"press"}, errc::missing_argument, "press requires a key name."},
      {action_of<press_from>,
       {"press", "home", "--key", "back"},
       kInvalid,
       "press: pass the key as a positional argument or via --key, not both."},
      {action_of<close_from>, {"close"}, errc::missing_argument, "close requires a package name."},
      {action_of<close_from>,
       {"close", "a", "--app", "b"},
       kInvalid,
       "close: pass the package as a positional argument or via --app, not both."},
      {action_of<close_from>,
       {"close", "--timeout", "soon"},
       kInvalid,
       "timeoutMs must be a finite number"},
      {action_of<sleep_from>,
       {"sleep"},
       errc::missing_argument,
       "sleep requires a duration in milliseconds."},
      {action_of<sleep_from>,
       {"sleep", "-5"},
       kInvalid,
       "Duration must be a non-negative number (got: -5)"},
      {action_of<sleep_from>,
       {"sleep", "soon"},
       kInvalid,
       "Duration must be a non-negative number (got: soon)"},
      {action_of<sleep_from>,
       {"sleep", "120001"},
       kInvalid,
       "Duration must be <= 120000ms (got: 120001ms)"},
      {action_of<scroll_from>, {"scroll"}, errc::missing_argument, "scroll requires a direction."},
      {action_of<scroll_from>,
       {"scroll", "Down"},
       errc::missing_argument,
       "scroll requires a direction."},
      {action_of<scroll_from>,
       {"scroll", "up", "--direction", "up"},
       kInvalid,
       "scroll: pass the direction as a positional argument or via --direction, not both."},
      {action_of<scroll_until_from>,
       {"scroll-until", "--direction", "--id", "i"},
       kInvalid,
       "--direction requires a value"},
      {action_of<scroll_until_from>,
       {"scroll-until", "up", "--direction", "up", "--id", "i"},
       kInvalid,
       "scroll-until: pass the direction as a positional argument or via --direction, not both."},
      {action_of<scroll_until_from>,
       {"scroll-until", "sideways", "--id", "i"},
       errc::missing_argument,
       "Invalid direction: sideways. Valid directions: down, up, left, right"},
      {action_of<scroll_and_click_from>,
       {"scroll-and-click"},
       errc::missing_selector,
       "scroll-until requires a selector."},
      {action_of<wait_for_nav_from>,
       {"wait-for-nav", "--app", " ", "--timeout", "1"},
       kInvalid,
       "wait-for-nav --app requires a non-empty package id."},
      {action_of<wait_for_nav_from>,
       {"wait-for-nav", "--app", "a"},
       errc::missing_argument,
       "wait-for-nav requires --timeout <ms>."},
      {action_of<wait_for_nav_from>,
       {"wait-for-nav", "--app", "a", "--timeout", "0"},
       kInvalid,
       "wait-for-nav --timeout must be a positive number of milliseconds"},
      {action_of<wait_for_nav_from>,
       {"wait-for-nav", "--app", "a", "--timeout", "30001"},
       kInvalid,
       "wait-for-nav --timeout must not exceed 30000ms"},
      {action_of<wait_for_nav_from>,
       {"wait-for-nav", "--timeout", "1"},
       errc::missing_argument,
       "wait-for-nav requires --app or a selector."},
      {action_of<read_value_from>,
       {"read-value"},
       errc::missing_argument,
       "read-value requires a label selector."},
      {action_of<read_value_from>,
       {"read-value", "--label="},
       errc::missing_argument,
       "read-value requires a label selector."},
      {action_of<read_value_from>,
       {"read-value", "--label", " "},
       kInvalid,
       "read-value --label value must not be empty"},
      {action_of<screenshot_from>,
       {"screenshot", "--path="},
       errc::usage,
       "--path requires a value"},
      {action_of<screenshot_from>,
       {"screenshot", "--timeout", "soon"},
       kInvalid,
       "timeoutMs must be a finite number"},
  }));
  CAPTURE(row.words);
  const auto invocation = invoke(row.words);
  REQUIRE(invocation);
  const auto action = row.ask(*invocation);
  REQUIRE_FALSE(action);
  CHECK(action.error().code() == row.code);
  const std::string& message = action.error().message();
  CHECK(message.substr(0, message.find('\n')) == row.first_line);
}

TEST_CASE("verbs: timeouts out of range are refused by the rule of the command") {
  struct Row {
    Ask ask;
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {ask_for_snapshot,
       {"snapshot", "--timeout", "999"},
       "timeoutMs must be between 1000 and 120000"},
      {ask_for_snapshot, {"snapshot", "--timeout", "soon"}, "timeoutMs must be a finite number"},
      {action_of<read_value_from>,
       {"read-value", "--label", "x", "--timeout", "120001"},
       "timeoutMs must be between 1000 and 120000"},
      {action_of<click_from>,
       {"click", "--id", "i", "--timeout", "1"},
       "timeoutMs must be between 1000 and 120000"},
      {action_of<screenshot_from>,
       {"screenshot", "--timeout", "999"},
       "Number must be greater than or equal to 1000"},
      {action_of<scroll_from>,
       {"scroll", "down", "--timeout", "120001"},
       "Number must be less than or equal to 120000"},
      {action_of<sleep_from>,
       {"sleep", "1", "--timeout", "120001"},
       "Number must be less than or equal to 120000"},
      {action_of<wait_from>,
       {"wait", "--id", "i", "--timeout", "120001"},
       "Number must be less than or equal to 120000"},
  }));
  CAPTURE(row.words);
  const auto invocation = invoke(row.words);
  const auto action = row.ask(*invocation);
  REQUIRE(action);
  const auto request = request_for(*invocation, *action);
  REQUIRE(request);
  const auto execution = act::plan_of(*request);
  REQUIRE_FALSE(execution);
  CHECK(execution.error().code() == errc::execution_validation_failed);
  CHECK(execution.error().message() == row.message);
}
