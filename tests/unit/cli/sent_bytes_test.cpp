#include "cli/verbs.hpp"

#include <catch2/catch.hpp>

#include "cli/dispatch.hpp"
#include "cli/settings.hpp"
#include "runtime/act/carry_out.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "support/fake_executor.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"
#include "unit/cli/ask.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;

namespace {

Result<std::string> payload(Ask ask, const Words& words) {
  TRY(const auto invocation, invoke(words));
  TRY(const auto action, ask(invocation));
  TRY(const auto request, request_for(invocation, action));
  TRY(const auto execution, act::plan_of(request));
  return to_json(execution);
}

struct Case {
  std::string name;
  Ask ask;
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

TEST_CASE("sent bytes: every command sends the published ones") {
  const auto row =
      GENERATE(values<Case>({
          {"snapshot",
           ask_for_snapshot,
           {"snapshot"},
           DIRECT("snapshot", "clawperator-observe", "30000",
                  R"({"id":"snap","type":"snapshot_ui"})")},
          {"screenshot",
           action_of<screenshot_from>,
           {"screenshot"},
           R"({"commandId":"screenshot-1700000000000-abcd123","taskId":"screenshot-1700000000000-abcd123","source":"clawperator-observe","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap","type":"take_screenshot","params":{}}]})"},
          {"screenshot to a file",
           action_of<screenshot_from>,
           {"screenshot", "--path", "a.png", "--timeout", "5000"},
           R"({"commandId":"screenshot-1700000000000-abcd123","taskId":"screenshot-1700000000000-abcd123","source":"clawperator-observe","expectedFormat":"android-ui-automator","timeoutMs":5000,"actions":[{"id":"snap","type":"take_screenshot","params":{"path":"a.png"}}]})"},
          {"screenshot to stdout",
           action_of<screenshot_from>,
           {"screenshot", "--path", "-"},
           R"({"commandId":"screenshot-1700000000000-abcd123","taskId":"screenshot-1700000000000-abcd123","source":"clawperator-observe","expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"snap","type":"take_screenshot","params":{}}]})"},
          {"click",
           action_of<click_from>,
           {"click", "--text", "Wi-Fi", "--role", "switch"},
           DIRECT(
               "click", "clawperator-action", "30000",
               R"({"id":"click","type":"click","params":{"matcher":{"role":"switch","textEquals":"Wi-Fi"}}})")},
          {"click long",
           action_of<click_from>,
           {"tap", "--id", "a:id/b", "--long"},
           DIRECT(
               "click", "clawperator-action", "30000",
               R"({"id":"click","type":"click","params":{"matcher":{"resourceId":"a:id/b"},"clickType":"long_click"}})")},
          {"click focus",
           action_of<click_from>,
           {"click", "--desc-contains", "x", "--focus"},
           DIRECT(
               "click", "clawperator-action", "30000",
               R"({"id":"click","type":"click","params":{"matcher":{"contentDescContains":"x"},"clickType":"focus"}})")},
          {"click coordinate",
           action_of<click_from>,
           {"click", "--coordinate", "10", "20"},
           DIRECT("click", "clawperator-action", "30000",
                  R"({"id":"click","type":"click","params":{"coordinate":{"x":10,"y":20}}})")},
          {"click selector",
           action_of<click_from>,
           {"action", "click", "--selector", R"({"textContains":"W"})"},
           DIRECT("click", "clawperator-action", "30000",
                  R"({"id":"click","type":"click","params":{"matcher":{"textContains":"W"}}})")},
          {"open app",
           action_of<open_from>,
           {"open", "com.android.settings"},
           PLAIN(
               "open_app_1700000000000", "cli-action-open-app", "15000",
               R"({"id":"a1","type":"open_app","params":{"applicationId":"com.android.settings"}})")},
          {"open uri",
           action_of<open_from>,
           {"open", "https://example.com/"},
           PLAIN("open_uri_1700000000000", "cli-action-open-uri", "15000",
                 R"({"id":"a1","type":"open_uri","params":{"uri":"https://example.com/"}})")},
          {"open odd uri",
           action_of<open_from>,
           {"open", "--app", "X-A+b.1://y"},
           PLAIN("open_uri_1700000000000", "cli-action-open-uri", "15000",
                 R"({"id":"a1","type":"open_uri","params":{"uri":"X-A+b.1://y"}})")},
          {"open no scheme",
           action_of<open_from>,
           {"open", "--package", "1://y"},
           PLAIN("open_app_1700000000000", "cli-action-open-app", "15000",
                 R"({"id":"a1","type":"open_app","params":{"applicationId":"1://y"}})")},
          {"type",
           action_of<type_from>,
           {"type", "hello \"you\"", "--role", "textfield", "--submit"},
           DIRECT(
               "type", "clawperator-action", "30000",
               R"({"id":"type","type":"enter_text","params":{"matcher":{"role":"textfield"},"text":"hello \"you\"","submit":true,"clear":false}})")},
          {"type by flag",
           action_of<type_from>,
           {"fill", "--text=-5", "--resource-id", "i", "--clear"},
           DIRECT(
               "type", "clawperator-action", "30000",
               R"({"id":"type","type":"enter_text","params":{"matcher":{"resourceId":"i"},"text":"-5","submit":false,"clear":true}})")},
          {"read",
           action_of<read_from>,
           {"read", "--id", "i"},
           DIRECT("read", "clawperator-action", "30000",
                  R"({"id":"read","type":"read_text","params":{"matcher":{"resourceId":"i"}}})")},
          {"read all",
           action_of<read_from>,
           {"read", "--role", "text", "--all", "--container-id", "c"},
           DIRECT(
               "read", "clawperator-action", "30000",
               R"({"id":"read","type":"read_text","params":{"matcher":{"role":"text"},"container":{"resourceId":"c"},"all":true}})")},
          {"wait",
           action_of<wait_from>,
           {"wait", "--text", "x"},
           DIRECT(
               "wait", "clawperator-action", "30000",
               R"({"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"x"}}})")},
          {"wait short",
           action_of<wait_from>,
           {"wait", "--text", "x", "--timeout", "5000"},
           DIRECT(
               "wait", "clawperator-action", "30000",
               R"({"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"x"},"timeoutMs":5000}})")},
          {"wait long",
           action_of<wait_from>,
           {"wait", "--text", "x", "--timeout", "40000"},
           DIRECT(
               "wait", "clawperator-action", "45000",
               R"({"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"x"},"timeoutMs":40000}})")},
          {"press",
           action_of<press_from>,
           {"press", "home"},
           PLAIN("press_key_1700000000000", "cli-action-press-key", "10000",
                 R"({"id":"a1","type":"press_key","params":{"key":"home"}})")},
          {"press by flag",
           action_of<press_from>,
           {"press-key", "--button", "recents"},
           PLAIN("press_key_1700000000000", "cli-action-press-key", "10000",
                 R"({"id":"a1","type":"press_key","params":{"key":"recents"}})")},
          {"back",
           action_of<back_from>,
           {"back"},
           PLAIN("press_key_1700000000000", "cli-action-press-key", "10000",
                 R"({"id":"a1","type":"press_key","params":{"key":"back"}})")},
          {"close",
           action_of<close_from>,
           {"close", "a.b"},
           PLAIN("close-1700000000000-abcd123", "close-1700000000000-abcd123", "30000",
                 R"({"id":"close","type":"close_app","params":{"applicationId":"a.b"}})")},
          {"close in time",
           action_of<close_from>,
           {"close", "--app", "a.b", "--timeout", "2000"},
           PLAIN("close-1700000000000-abcd123", "close-1700000000000-abcd123", "2000",
                 R"({"id":"close","type":"close_app","params":{"applicationId":"a.b"}})")},
          {"sleep",
           action_of<sleep_from>,
           {"sleep", "1500"},
           PLAIN("sleep-1700000000000-abcd123", "sleep-1700000000000-abcd123", "30000",
                 R"({"id":"sleep","type":"sleep","params":{"durationMs":1500}})")},
          {"sleep long",
           action_of<sleep_from>,
           {"sleep", "60000"},
           PLAIN("sleep-1700000000000-abcd123", "sleep-1700000000000-abcd123", "65000",
                 R"({"id":"sleep","type":"sleep","params":{"durationMs":60000}})")},
          {"sleep with a longer timeout",
           action_of<sleep_from>,
           {"sleep", "10", "--timeout", "90000"},
           PLAIN("sleep-1700000000000-abcd123", "sleep-1700000000000-abcd123", "90000",
                 R"({"id":"sleep","type":"sleep","params":{"durationMs":10}})")},
          {"scroll",
           action_of<scroll_from>,
           {"scroll", "down"},
           PLAIN("scroll-1700000000000-abcd123", "cli-action-scroll", "30000",
                 R"({"id":"a1","type":"scroll","params":{"direction":"down"}})")},
          {"scroll in a container",
           action_of<scroll_from>,
           {"scroll", "--direction", "up", "--container-text", "c"},
           PLAIN(
               "scroll-1700000000000-abcd123", "cli-action-scroll", "30000",
               R"({"id":"a1","type":"scroll","params":{"container":{"textEquals":"c"},"direction":"up"}})")},
          {"scroll-until",
           action_of<scroll_until_from>,
           {"scroll-until", "--text", "x"},
           PLAIN(
               "scroll-until-1700000000000-abcd123", "scroll-until-1700000000000-abcd123", "30000",
               R"({"id":"a1","type":"scroll_until","params":{"matcher":{"textEquals":"x"},"direction":"down"}})")},
          {"scroll-until click",
           action_of<scroll_until_from>,
           {"scroll-until", "up", "--text", "x", "--click"},
           PLAIN(
               "scroll-until-1700000000000-abcd123", "scroll-until-1700000000000-abcd123", "30000",
               R"({"id":"a1","type":"scroll_and_click","params":{"matcher":{"textEquals":"x"},"direction":"up","clickAfter":true}})")},
          {"scroll-and-click",
           action_of<scroll_and_click_from>,
           {"scroll-and-click", "--text", "x"},
           PLAIN(
               "scroll-until-1700000000000-abcd123", "scroll-until-1700000000000-abcd123", "30000",
               R"({"id":"a1","type":"scroll_and_click","params":{"matcher":{"textEquals":"x"},"direction":"down","clickAfter":true}})")},
          {"wait-for-nav",
           action_of<wait_for_nav_from>,
           {"wait-for-nav", "--app", "a.b", "--timeout", "5000"},
           DIRECT(
               "wait-for-nav", "clawperator-action", "30000",
               R"({"id":"wait-for-nav","type":"wait_for_navigation","params":{"expectedPackage":"a.b","timeoutMs":5000}})")},
          {"wait-for-nav node",
           action_of<wait_for_nav_from>,
           {"wait-for-nav", "--text", "x", "--timeout", "30000"},
           DIRECT(
               "wait-for-nav", "clawperator-action", "35000",
               R"({"id":"wait-for-nav","type":"wait_for_navigation","params":{"expectedNode":{"textEquals":"x"},"timeoutMs":30000}})")},
          {"read-value",
           action_of<read_value_from>,
           {"read-value", "--label", "Version", "--all"},
           DIRECT(
               "read-value", "clawperator-action", "30000",
               R"({"id":"read-value","type":"read_key_value_pair","params":{"labelMatcher":{"textEquals":"Version"},"all":true}})")},
          {"read-value aliases",
           action_of<read_value_from>,
           {"read-kv", "--text", "a", "--id", "b", "--desc", "c"},
           DIRECT(
               "read-value", "clawperator-action", "30000",
               R"({"id":"read-value","type":"read_key_value_pair","params":{"labelMatcher":{"resourceId":"b","textEquals":"a","contentDescEquals":"c"}}})")},
          {"click by every field",
           action_of<click_from>,
           {"click", "--text", "a", "--text-contains", "b", "--id", "c", "--desc", "d",
            "--desc-contains", "e", "--role", "f"},
           DIRECT(
               "click", "clawperator-action", "30000",
               R"({"id":"click","type":"click","params":{"matcher":{"resourceId":"c","role":"f","textEquals":"a","textContains":"b","contentDescEquals":"d","contentDescContains":"e"}}})")},
          {"click by what is no field",
           action_of<click_from>,
           {"click", "--selector", R"({"element":1,"text":"a","text":"W\u00e9","id":"b"})",
            "--timeout", "1500.5"},
           "Unrecognized key(s) in object: 'element'"},
          {"click by aliases of fields",
           action_of<click_from>,
           {"click", "--selector", R"( {"text":"a","text":"W\u00e9","id":"b"})", "--timeout",
            "1500.5"},
           DIRECT(
               "click", "clawperator-action", "1500.5",
               R"({"id":"click","type":"click","params":{"matcher":{"resourceId":"b","textEquals":"Wé"}}})")},
          {"click a point long",
           action_of<click_from>,
           {"click", "--coordinate", "2147483647", "0", "--long", "--timeout", "120000"},
           DIRECT(
               "click", "clawperator-action", "120000",
               R"({"id":"click","type":"click","params":{"coordinate":{"x":2147483647,"y":0},"clickType":"long_click"}})")},
          {"type what is no text",
           action_of<type_from>,
           {"type",
            "a\xff\x01"
            "b",
            "--text-contains", "\xc3"},
           DIRECT(
               "type", "clawperator-action", "30000",
               "{\"id\":\"type\",\"type\":\"enter_text\",\"params\":{\"matcher\":{\"textContains\":"
               "\"\xef\xbf\xbd\"},\"text\":\"a\xef\xbf\xbd\\u0001b\",\"submit\":false,\"clear\":"
               "false}}")},
          {"screenshot to what is no name",
           action_of<screenshot_from>,
           {"screenshot", "--path", "a\xff"},
           "{\"commandId\":\"screenshot-1700000000000-abcd123\",\"taskId\":\"screenshot-"
           "1700000000000-"
           "abcd123\",\"source\":\"clawperator-observe\",\"expectedFormat\":\"android-ui-"
           "automator\","
           "\"timeoutMs\":30000,\"actions\":[{\"id\":\"snap\",\"type\":\"take_screenshot\","
           "\"params\":{"
           "\"path\":\"a\xef\xbf\xbd\"}}]}"},
          {"read in a container by every field",
           action_of<read_from>,
           {"read", "--role", "text", "--container-text", "a", "--container-text-contains", "b",
            "--container-id", "c", "--container-desc", "d", "--container-desc-contains", "e",
            "--container-role", "f"},
           DIRECT("read",
                  "clawperator-action", "30000", R"({"id":"read","type":"read_text","params":{"matcher":{"role":"text"},"container":{"resourceId":"c","role":"f","textEquals":"a","textContains":"b","contentDescEquals":"d","contentDescContains":"e"}}})")},
          {"read in a container that is given whole",
           action_of<read_from>,
           {"read", "--id", "i", "--container-selector", R"({"content_desc":"d"})"},
           DIRECT(
               "read", "clawperator-action", "30000",
               R"({"id":"read","type":"read_text","params":{"matcher":{"resourceId":"i"},"container":{"contentDescEquals":"d"}}})")},
          {"scroll-until in a container",
           action_of<scroll_until_from>,
           {"scroll-until", "left", "--selector", R"({"role":"list"})", "--container-id", "c",
            "--click", "--timeout", "45000"},
           PLAIN(
               "scroll-until-1700000000000-abcd123", "scroll-until-1700000000000-abcd123", "45000",
               R"({"id":"a1","type":"scroll_and_click","params":{"matcher":{"role":"list"},"container":{"resourceId":"c"},"direction":"left","clickAfter":true}})")},
          {"wait-for-nav both",
           action_of<wait_for_nav_from>,
           {"wait-for-nav", "--app", "a.b", "--id", "i", "--timeout", "0.5"},
           DIRECT(
               "wait-for-nav", "clawperator-action", "30000",
               R"({"id":"wait-for-nav","type":"wait_for_navigation","params":{"expectedPackage":"a.b","expectedNode":{"resourceId":"i"},"timeoutMs":0.5}})")},
          {"wait as long as a plan may last",
           action_of<wait_from>,
           {"wait", "--text", "x", "--timeout", "118000"},
           DIRECT(
               "wait", "clawperator-action", "120000",
               R"({"id":"wait","type":"wait_for_node","params":{"matcher":{"textEquals":"x"},"timeoutMs":118000}})")},
          {"sleep as long as a plan may last",
           action_of<sleep_from>,
           {"sleep", "1.2e5"},
           PLAIN("sleep-1700000000000-abcd123", "sleep-1700000000000-abcd123", "120000",
                 R"({"id":"sleep","type":"sleep","params":{"durationMs":120000}})")},
          {"press what is no key",
           action_of<press_from>,
           {"press", "enter"},
           "press_key params.key must be one of: back, home, recents"},
          {"press in another spelling",
           action_of<press_from>,
           {"press", " Home", "--timeout", "1000"},
           PLAIN("press_key_1700000000000", "cli-action-press-key", "1000",
                 R"({"id":"a1","type":"press_key","params":{"key":"Home"}})")},
          {"close the Operator",
           action_of<close_from>,
           {"close", "com.clawperator.operator"},
           "close_app must not name the Operator itself: stopping it takes its accessibility "
           "permission away; `clawperator doctor --fix` starts it anew"},
      }));
  CAPTURE(row.name);
  const auto sent = payload(row.ask, row.words);
  CHECK((sent ? *sent : sent.error().message()) == row.json);
}

namespace {

// Two nodes that nothing distinguishes, and one with an id of its own.
constexpr std::string_view kScreen =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    "<node index=\"0\" text=\"Same\" class=\"android.view.View\" clickable=\"true\" "
    "bounds=\"[0,0][10,20]\" />"
    "<node index=\"1\" text=\"Same\" class=\"android.view.View\" clickable=\"true\" "
    "bounds=\"[0,20][10,41]\" />"
    "<node index=\"2\" text=\"Same\" resource-id=\"a:id/&quot;b&quot;\" "
    "class=\"android.view.View\" clickable=\"true\" bounds=\"[0,40][10,60]\" /></hierarchy>";

// The store's folder is the user's; this test has one of its own.
struct HeldScreen {
  adbproto::testing::TempFolder cache;
  adbproto::testing::Variable variable{"XDG_CACHE_HOME", cache.path()};
  std::string hash = clawperator::parse_hierarchy(kScreen)->hash;
  HeldScreen() { snapshot_store().keep(hash, kScreen); }
};

Task<void> perform(test::FakeExecutor* executor, act::Request request) {
  std::ignore = co_await act::perform(executor, std::move(request));
  co_return ok();
}

// What the phone would get of a command whose node a ref names.
Result<std::string> aimed_payload(Ask ask, const Words& words) {
  TRY(const auto invocation, invoke(words));
  TRY(const auto action, ask(invocation));
  TRY(auto request, request_for(invocation, action));
  adbproto::testing::Loop loop;
  test::FakeExecutor executor;
  TRY_VOID(loop.run(perform(&executor, std::move(request))));
  return to_json(executor.requests.at(0).execution);
}

}  // namespace

TEST_CASE("sent bytes: a ref sends all that its node says, for two tries, else its point") {
  const HeldScreen screen;
  struct Row {
    Ask ask;
    Words words;
    std::string json;
    const char* node = "@3";
  };
  const auto row = GENERATE(values<Row>({
      {action_of<click_from>,
       {"click", "--long"},
       DIRECT(
           "click", "clawperator-action", "30000",
           R"({"id":"click","type":"click","params":{"matcher":{"resourceId":"a:id/\"b\"","textEquals":"Same"},"clickType":"long_click","retry":{"maxAttempts":2,"initialDelayMs":250,"maxDelayMs":250,"backoffMultiplier":1,"jitterRatio":0}}})")},
      {action_of<type_from>,
       {"type", "x"},
       DIRECT(
           "type", "clawperator-action", "30000",
           R"({"id":"type","type":"enter_text","params":{"matcher":{"resourceId":"a:id/\"b\""},"text":"x","submit":false,"clear":false,"retry":{"maxAttempts":2,"initialDelayMs":250,"maxDelayMs":250,"backoffMultiplier":1,"jitterRatio":0}}})")},
      {action_of<read_from>,
       {"read", "--all"},
       DIRECT(
           "read", "clawperator-action", "30000",
           R"({"id":"read","type":"read_text","params":{"matcher":{"resourceId":"a:id/\"b\""},"retry":{"maxAttempts":2,"initialDelayMs":250,"maxDelayMs":250,"backoffMultiplier":1,"jitterRatio":0},"all":true}})")},
      {action_of<click_from>,
       {"click"},
       DIRECT("click", "clawperator-action", "30000",
              R"({"id":"click","type":"click","params":{"coordinate":{"x":5,"y":30}}})"),
       "@2"},
  }));
  Words words = row.words;
  words.insert(words.end(), {"--ref", screen.hash + row.node});
  const auto sent = aimed_payload(row.ask, words);
  CHECK((sent ? *sent : sent.error().message()) == row.json);
}
