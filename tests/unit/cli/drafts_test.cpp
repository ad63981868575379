#include "cli/drafts.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/errc.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using namespace adbproto;

namespace {

using MakeDraft = Result<Draft> (*)(const Invocation&);

}  // namespace

TEST_CASE("drafts: whatever a command generates the contract accepts") {
  struct Row {
    MakeDraft make;
    Words words;
  };
  const auto row = GENERATE(values<Row>({
      {draft_snapshot, {"snapshot"}},
      {draft_screenshot, {"screenshot"}},
      {draft_click, {"click", "--coordinate", "1", "2"}},
      {draft_open, {"open", "a.b"}},
      {draft_type, {"type", "x", "--id", "i"}},
      {draft_read, {"read", "--id", "i"}},
      {draft_wait, {"wait", "--id", "i"}},
      {draft_press, {"press", "home"}},
      {draft_close, {"close", "a.b"}},
      {draft_sleep, {"sleep", "0"}},
      {draft_scroll, {"scroll", "down"}},
      {draft_scroll_until, {"scroll-until", "--id", "i"}},
      {draft_scroll_and_click, {"scroll-and-click", "--id", "i"}},
      {draft_wait_for_nav, {"wait-for-nav", "--app", "a.b", "--timeout", "1"}},
      {draft_read_value, {"read-value", "--label", "x"}},
  }));
  const auto invocation = invoke(row.words);
  REQUIRE(invocation);
  const auto draft = row.make(*invocation);
  REQUIRE(draft);
  const auto execution = judge(*draft);
  CHECK(execution);
  CHECK((execution ? "" : execution.error().message()) == std::string());
}

TEST_CASE("drafts: --timeout is the execution timeout wherever nothing else is said") {
  struct Row {
    MakeDraft make;
    Words words;
  };
  const auto row = GENERATE(values<Row>({
      {draft_snapshot, {"snapshot"}},
      {draft_click, {"click", "--id", "i"}},
      {draft_open, {"open", "a.b"}},
      {draft_type, {"type", "x", "--id", "i"}},
      {draft_read, {"read", "--id", "i"}},
      {draft_press, {"press", "home"}},
      {draft_back, {"back"}},
      {draft_read_value, {"read-value", "--label", "x"}},
      {draft_screenshot, {"screenshot"}},
      {draft_close, {"close", "a.b"}},
      {draft_scroll, {"scroll", "down"}},
      {draft_scroll_until, {"scroll-until", "--id", "i"}},
  }));
  Words words = row.words;
  words.insert(words.end(), {"--timeout", "4321"});
  const auto draft = row.make(*invoke(words));
  REQUIRE(draft);
  const auto execution = judge(*draft);
  REQUIRE(execution);
  CHECK(execution->timeout_ms == 4321);
}

TEST_CASE("drafts: argument rules answer with the published code and text") {
  struct Row {
    MakeDraft make;
    Words words;
    Errc code;
    std::string first_line;
  };
  constexpr auto kInvalid = errc::execution_validation_failed;
  const auto row = GENERATE(values<Row>({
      {draft_click, {"click"}, errc::missing_selector, "click requires a selector."},
      {draft_click,
       {"click", "--coordinate", "1", "2", "--coordinate", "3", "4"},
       kInvalid,
       "--coordinate must not appear more than once"},
      {draft_click,
       {"click", "--coordinate", "1"},
       kInvalid,
       "--coordinate requires two non-negative integers (x y)"},
      {draft_click,
       {"click", "--coordinate", "-1", "2"},
       kInvalid,
       "--coordinate requires two non-negative integers (x y)"},
      {draft_click,
       {"click", "--coordinate", "1.5", "2"},
       kInvalid,
       "--coordinate requires two non-negative integers (x y)"},
      {draft_click,
       {"click", "--coordinate", "1", "2", "--text", "x"},
       kInvalid,
       "use --coordinate OR a selector, not both"},
      {draft_click,
       {"click", "--text", "x", "--long", "--focus"},
       kInvalid,
       "--long and --focus are mutually exclusive."},
      {draft_click,
       {"click", "--coordinate", "1", "2", "--focus"},
       kInvalid,
       "--focus is not supported with --coordinate"},
      {draft_open, {"open"}, errc::missing_argument, "open requires a target."},
      {draft_open, {"open", "  "}, errc::missing_argument, "open requires a target."},
      {draft_open,
       {"open", "a", "--app", "b"},
       kInvalid,
       "open: pass the target as a positional argument or via --app, not both."},
      {draft_type, {"type", "--id", "i"}, errc::missing_argument, "type requires text to type."},
      {draft_type,
       {"type", "a", "--text", "b", "--id", "i"},
       kInvalid,
       "type: pass text as a positional argument or via --text, not both."},
      {draft_type, {"type", "a"}, errc::missing_selector, "type requires a selector."},
      {draft_read,
       {"read", "--id", "i", "--all", "--output", "pretty"},
       kInvalid,
       "read --all requires JSON output."},
      {draft_read, {"read"}, errc::missing_selector, "read requires a selector."},
      {draft_wait,
       {"wait", "--timeout", "0"},
       kInvalid,
       "--timeout must be a positive number of milliseconds when specified. Omit --timeout to use "
       "the default wait cap."},
      {draft_wait,
       {"wait", "--timeout", "soon", "--id", "i"},
       kInvalid,
       "--timeout must be a positive number of milliseconds when specified. Omit --timeout to use "
       "the default wait cap."},
      {draft_wait, {"wait"}, errc::missing_selector, "wait requires a selector."},
      {draft_press, {"press"}, errc::missing_argument, "press requires a key name."},
      {draft_press,
       {"press", "home", "--key", "back"},
       kInvalid,
       "press: pass the key as a positional argument or via --key, not both."},
      {draft_close, {"close"}, errc::missing_argument, "close requires a package name."},
      {draft_close,
       {"close", "a", "--app", "b"},
       kInvalid,
       "close: pass the package as a positional argument or via --app, not both."},
      {draft_close, {"close", "--timeout", "soon"}, kInvalid, "timeoutMs must be a finite number"},
      {draft_sleep,
       {"sleep"},
       errc::missing_argument,
       "sleep requires a duration in milliseconds."},
      {draft_sleep, {"sleep", "-5"}, kInvalid, "Duration must be a non-negative number (got: -5)"},
      {draft_sleep,
       {"sleep", "soon"},
       kInvalid,
       "Duration must be a non-negative number (got: soon)"},
      {draft_sleep, {"sleep", "120001"}, kInvalid, "Duration must be <= 120000ms (got: 120001ms)"},
      {draft_scroll, {"scroll"}, errc::missing_argument, "scroll requires a direction."},
      {draft_scroll, {"scroll", "Down"}, errc::missing_argument, "scroll requires a direction."},
      {draft_scroll,
       {"scroll", "up", "--direction", "up"},
       kInvalid,
       "scroll: pass the direction as a positional argument or via --direction, not both."},
      {draft_scroll_until,
       {"scroll-until", "--direction", "--id", "i"},
       kInvalid,
       "--direction requires a value"},
      {draft_scroll_until,
       {"scroll-until", "up", "--direction", "up", "--id", "i"},
       kInvalid,
       "scroll-until: pass the direction as a positional argument or via --direction, not both."},
      {draft_scroll_until,
       {"scroll-until", "sideways", "--id", "i"},
       errc::missing_argument,
       "Invalid direction: sideways. Valid directions: down, up, left, right"},
      {draft_scroll_and_click,
       {"scroll-and-click"},
       errc::missing_selector,
       "scroll-until requires a selector."},
      {draft_wait_for_nav,
       {"wait-for-nav", "--app", " ", "--timeout", "1"},
       kInvalid,
       "wait-for-nav --app requires a non-empty package id."},
      {draft_wait_for_nav,
       {"wait-for-nav", "--app", "a"},
       errc::missing_argument,
       "wait-for-nav requires --timeout <ms>."},
      {draft_wait_for_nav,
       {"wait-for-nav", "--app", "a", "--timeout", "0"},
       kInvalid,
       "wait-for-nav --timeout must be a positive number of milliseconds"},
      {draft_wait_for_nav,
       {"wait-for-nav", "--app", "a", "--timeout", "30001"},
       kInvalid,
       "wait-for-nav --timeout must not exceed 30000ms"},
      {draft_wait_for_nav,
       {"wait-for-nav", "--timeout", "1"},
       errc::missing_argument,
       "wait-for-nav requires --app or a selector."},
      {draft_read_value,
       {"read-value"},
       errc::missing_argument,
       "read-value requires a label selector."},
      {draft_read_value,
       {"read-value", "--label="},
       errc::missing_argument,
       "read-value requires a label selector."},
      {draft_read_value,
       {"read-value", "--label", " "},
       kInvalid,
       "read-value --label value must not be empty"},
      {draft_screenshot, {"screenshot", "--path="}, errc::usage, "--path requires a value"},
      {draft_screenshot,
       {"screenshot", "--timeout", "soon"},
       kInvalid,
       "timeoutMs must be a finite number"},
  }));
  CAPTURE(row.words);
  const auto invocation = invoke(row.words);
  REQUIRE(invocation);
  const auto draft = row.make(*invocation);
  REQUIRE_FALSE(draft);
  CHECK(draft.error().code() == row.code);
  const std::string& message = draft.error().message();
  CHECK(message.substr(0, message.find('\n')) == row.first_line);
}

TEST_CASE("drafts: timeouts out of range are refused by the rule of the command") {
  struct Row {
    MakeDraft make;
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {draft_snapshot,
       {"snapshot", "--timeout", "999"},
       "timeoutMs must be between 1000 and 120000"},
      {draft_snapshot, {"snapshot", "--timeout", "soon"}, "timeoutMs must be a finite number"},
      {draft_read_value,
       {"read-value", "--label", "x", "--timeout", "120001"},
       "timeoutMs must be between 1000 and 120000"},
      {draft_click,
       {"click", "--id", "i", "--timeout", "1"},
       "timeoutMs must be between 1000 and 120000"},
      {draft_screenshot,
       {"screenshot", "--timeout", "999"},
       "Number must be greater than or equal to 1000"},
      {draft_scroll,
       {"scroll", "down", "--timeout", "120001"},
       "Number must be less than or equal to 120000"},
      {draft_sleep,
       {"sleep", "1", "--timeout", "120001"},
       "Number must be less than or equal to 120000"},
      {draft_wait,
       {"wait", "--id", "i", "--timeout", "120001"},
       "Number must be less than or equal to 120000"},
  }));
  CAPTURE(row.words);
  const auto draft = row.make(*invoke(row.words));
  REQUIRE(draft);
  const auto execution = judge(*draft);
  REQUIRE_FALSE(execution);
  CHECK(execution.error().code() == errc::execution_validation_failed);
  CHECK(execution.error().message() == row.message);
}
