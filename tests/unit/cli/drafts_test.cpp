#include "cli/drafts.hpp"
#include "base/text.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/errc.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using namespace adbproto;

namespace {

using MakeDraft = Result<Draft> (*)(const Invocation&);

std::string draft_text(MakeDraft make, const Words& words) {
  const auto invocation = invoke(words);
  if (!invocation) return invocation.error().message();
  const auto draft = make(*invocation);
  return draft ? draft->json : draft.error().message();
}

struct Case {
  std::string name;
  MakeDraft make;
  Words words;
  std::string json;
};

#define DIRECT(id, source, timeout, action)                                                    \
  R"({"commandId":")" id R"(-1700000000000-abcd123","taskId":")" id                            \
  R"(-1700000000000-abcd123","source":")" source                                               \
  R"(","expectedFormat":"android-ui-automator","timeoutMs":)" timeout R"(,"actions":[)" action \
  R"(],"mode":"direct"})"
#define PLAIN(id, task, timeout, action)                                                         \
  R"({"commandId":")" id R"(","taskId":")" task                                                  \
  R"(","source":"clawperator-cli","expectedFormat":"android-ui-automator","timeoutMs":)" timeout \
  R"(,"actions":[)" action R"(]})"

}  // namespace

TEST_CASE("drafts: every command generates the published execution") {
  const auto row = GENERATE(values<Case>({
      {"snapshot",
       draft_snapshot,
       {"snapshot"},
       DIRECT("snapshot", "clawperator-observe", "30000", R"({"id":"snap","type":"snapshot_ui"})")},
      {"screenshot",
       draft_screenshot,
       {"screenshot"},
       R"({"commandId":"screenshot-1700000000000-abcd123","taskId":"screenshot-1700000000000-abcd123","source":"clawperator-observe","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap","type":"take_screenshot","params":{}}]})"},
      {"screenshot to a file",
       draft_screenshot,
       {"screenshot", "--path", "a.png", "--timeout", "5000"},
       R"({"commandId":"screenshot-1700000000000-abcd123","taskId":"screenshot-1700000000000-abcd123","source":"clawperator-observe","expectedFormat":"android-ui-automator","timeoutMs":5000,"actions":[{"id":"snap","type":"take_screenshot","params":{"path":"a.png"}}]})"},
      {"screenshot to stdout",
       draft_screenshot,
       {"screenshot", "--path", "-"},
       R"({"commandId":"screenshot-1700000000000-abcd123","taskId":"screenshot-1700000000000-abcd123","source":"clawperator-observe","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap","type":"take_screenshot","params":{}}]})"},
      {"click",
       draft_click,
       {"click", "--text", "Wi-Fi", "--role", "switch"},
       DIRECT(
           "click", "clawperator-action", "30000",
           R"({"id":"click","type":"click","params":{"matcher":{"textEquals":"Wi-Fi","role":"switch"}}})")},
      {"click long",
       draft_click,
       {"tap", "--id", "a:id/b", "--long"},
       DIRECT(
           "click", "clawperator-action", "30000",
           R"({"id":"click","type":"click","params":{"matcher":{"resourceId":"a:id/b"},"clickType":"long_click"}})")},
      {"click focus",
       draft_click,
       {"click", "--desc-contains", "x", "--focus"},
       DIRECT(
           "click", "clawperator-action", "30000",
           R"({"id":"click","type":"click","params":{"matcher":{"contentDescContains":"x"},"clickType":"focus"}})")},
      {"click coordinate",
       draft_click,
       {"click", "--coordinate", "10", "20"},
       DIRECT("click", "clawperator-action", "30000",
              R"({"id":"click","type":"click","params":{"coordinate":{"x":10,"y":20}}})")},
      {"click selector",
       draft_click,
       {"action", "click", "--selector", R"({"textContains":"W"})"},
       DIRECT("click", "clawperator-action", "30000",
              R"({"id":"click","type":"click","params":{"matcher":{"textContains":"W"}}})")},
      {"open app",
       draft_open,
       {"open", "com.android.settings"},
       PLAIN("open_app_1700000000000", "cli-action-open-app", "15000",
             R"({"id":"a1","type":"open_app","params":{"applicationId":"com.android.settings"}})")},
      {"open uri",
       draft_open,
       {"open", "https://example.com/"},
       PLAIN("open_uri_1700000000000", "cli-action-open-uri", "15000",
             R"({"id":"a1","type":"open_uri","params":{"uri":"https://example.com/"}})")},
      {"open odd uri",
       draft_open,
       {"open", "--app", "X-A+b.1://y"},
       PLAIN("open_uri_1700000000000", "cli-action-open-uri", "15000",
             R"({"id":"a1","type":"open_uri","params":{"uri":"X-A+b.1://y"}})")},
      {"open no scheme",
       draft_open,
       {"open", "--package", "1://y"},
       PLAIN("open_app_1700000000000", "cli-action-open-app", "15000",
             R"({"id":"a1","type":"open_app","params":{"applicationId":"1://y"}})")},
      {"type",
       draft_type,
       {"type", "hello \"you\"", "--role", "textfield", "--submit"},
       DIRECT(
           "type", "clawperator-action", "30000",
           R"({"id":"type","type":"enter_text","params":{"matcher":{"role":"textfield"},"text":"hello \"you\"","submit":true,"clear":false}})")},
      {"type by flag",
       draft_type,
       {"fill", "--text=-5", "--resource-id", "i", "--clear"},
       DIRECT(
           "type", "clawperator-action", "30000",
           R"({"id":"type","type":"enter_text","params":{"matcher":{"resourceId":"i"},"text":"-5","submit":false,"clear":true}})")},
      {"read",
       draft_read,
       {"read", "--id", "i"},
       DIRECT("read", "clawperator-action", "30000",
              R"({"id":"read","type":"read_text","params":{"matcher":{"resourceId":"i"}}})")},
      {"read all",
       draft_read,
       {"read", "--role", "text", "--all", "--container-id", "c"},
       DIRECT(
           "read", "clawperator-action", "30000",
           R"({"id":"read","type":"read_text","params":{"matcher":{"role":"text"},"all":true,"container":{"resourceId":"c"}}})")},
      {"wait",
       draft_wait,
       {"wait", "--text", "x"},
       DIRECT("wait", "clawperator-action", "30000",
              R"({"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"x"}}})")},
      {"wait short",
       draft_wait,
       {"wait", "--text", "x", "--timeout", "5000"},
       DIRECT(
           "wait", "clawperator-action", "30000",
           R"({"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"x"},"timeoutMs":5000}})")},
      {"wait long",
       draft_wait,
       {"wait", "--text", "x", "--timeout", "40000"},
       DIRECT(
           "wait", "clawperator-action", "45000",
           R"({"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"x"},"timeoutMs":40000}})")},
      {"press",
       draft_press,
       {"press", "home"},
       PLAIN("press_key_1700000000000", "cli-action-press-key", "10000",
             R"({"id":"a1","type":"press_key","params":{"key":"home"}})")},
      {"press by flag",
       draft_press,
       {"press-key", "--button", "recents"},
       PLAIN("press_key_1700000000000", "cli-action-press-key", "10000",
             R"({"id":"a1","type":"press_key","params":{"key":"recents"}})")},
      {"back",
       draft_back,
       {"back"},
       PLAIN("press_key_1700000000000", "cli-action-press-key", "10000",
             R"({"id":"a1","type":"press_key","params":{"key":"back"}})")},
      {"close",
       draft_close,
       {"close", "a.b"},
       PLAIN("close-1700000000000-abcd123", "close-1700000000000-abcd123", "30000",
             R"({"id":"close","type":"close_app","params":{"applicationId":"a.b"}})")},
      {"close in time",
       draft_close,
       {"close", "--app", "a.b", "--timeout", "2000"},
       PLAIN("close-1700000000000-abcd123", "close-1700000000000-abcd123", "2000",
             R"({"id":"close","type":"close_app","params":{"applicationId":"a.b"}})")},
      {"sleep",
       draft_sleep,
       {"sleep", "1500"},
       PLAIN("sleep-1700000000000-abcd123", "sleep-1700000000000-abcd123", "30000",
             R"({"id":"sleep","type":"sleep","params":{"durationMs":1500}})")},
      {"sleep long",
       draft_sleep,
       {"sleep", "60000"},
       PLAIN("sleep-1700000000000-abcd123", "sleep-1700000000000-abcd123", "65000",
             R"({"id":"sleep","type":"sleep","params":{"durationMs":60000}})")},
      {"sleep with a longer timeout",
       draft_sleep,
       {"sleep", "10", "--timeout", "90000"},
       PLAIN("sleep-1700000000000-abcd123", "sleep-1700000000000-abcd123", "90000",
             R"({"id":"sleep","type":"sleep","params":{"durationMs":10}})")},
      {"scroll",
       draft_scroll,
       {"scroll", "down"},
       PLAIN("scroll-1700000000000-abcd123", "cli-action-scroll", "30000",
             R"({"id":"a1","type":"scroll","params":{"direction":"down"}})")},
      {"scroll in a container",
       draft_scroll,
       {"scroll", "--direction", "up", "--container-text", "c"},
       PLAIN(
           "scroll-1700000000000-abcd123", "cli-action-scroll", "30000",
           R"({"id":"a1","type":"scroll","params":{"direction":"up","container":{"textEquals":"c"}}})")},
      {"scroll-until",
       draft_scroll_until,
       {"scroll-until", "--text", "x"},
       PLAIN(
           "scroll-until-1700000000000-abcd123", "scroll-until-1700000000000-abcd123", "30000",
           R"({"id":"a1","type":"scroll_until","params":{"direction":"down","matcher":{"textEquals":"x"}}})")},
      {"scroll-until click",
       draft_scroll_until,
       {"scroll-until", "up", "--text", "x", "--click"},
       PLAIN(
           "scroll-until-1700000000000-abcd123", "scroll-until-1700000000000-abcd123", "30000",
           R"({"id":"a1","type":"scroll_and_click","params":{"direction":"up","matcher":{"textEquals":"x"},"clickAfter":true}})")},
      {"scroll-and-click",
       draft_scroll_and_click,
       {"scroll-and-click", "--text", "x"},
       PLAIN(
           "scroll-until-1700000000000-abcd123", "scroll-until-1700000000000-abcd123", "30000",
           R"({"id":"a1","type":"scroll_and_click","params":{"direction":"down","matcher":{"textEquals":"x"},"clickAfter":true}})")},
      {"wait-for-nav",
       draft_wait_for_nav,
       {"wait-for-nav", "--app", "a.b", "--timeout", "5000"},
       DIRECT(
           "wait-for-nav", "clawperator-action", "30000",
           R"({"id":"wait-for-nav","type":"wait_for_navigation","params":{"expectedPackage":"a.b","timeoutMs":5000}})")},
      {"wait-for-nav node",
       draft_wait_for_nav,
       {"wait-for-nav", "--text", "x", "--timeout", "30000"},
       DIRECT(
           "wait-for-nav", "clawperator-action", "35000",
           R"({"id":"wait-for-nav","type":"wait_for_navigation","params":{"expectedNode":{"textEquals":"x"},"timeoutMs":30000}})")},
      {"read-value",
       draft_read_value,
       {"read-value", "--label", "Version", "--all"},
       DIRECT(
           "read-value", "clawperator-action", "30000",
           R"({"id":"read-value","type":"read_key_value_pair","params":{"labelMatcher":{"textEquals":"Version"},"all":true}})")},
      {"read-value aliases",
       draft_read_value,
       {"read-kv", "--text", "a", "--id", "b", "--desc", "c"},
       DIRECT(
           "read-value", "clawperator-action", "30000",
           R"({"id":"read-value","type":"read_key_value_pair","params":{"labelMatcher":{"textEquals":"a","resourceId":"b","contentDescEquals":"c"}}})")},
  }));
  CAPTURE(row.name);
  CHECK(draft_text(row.make, row.words) == row.json);
}

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
