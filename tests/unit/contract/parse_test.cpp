#include "runtime/contract/parse.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "runtime/contract/errc.hpp"
#include "unit/contract/cases.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

constexpr std::string_view kPayload =
    R"({"actions":[{"type":"CLOSE_app","id":"a1","params":{"package":"p.q"}},)"
    R"({"id":"a2","type":"screenshot","params":{"file":"/tmp/a.png"}},{"id":"a3","type":"snapshot"}],)"
    R"("mode":"direct","timeoutMs":30000,"expectedFormat":"android-ui-automator","source":"s",)"
    R"("taskId":"t","commandId":"c"})";

Execution valid_execution() { return parse_execution(kPayload).value(); }

}  // namespace

TEST_CASE("execution: each action has its kind and parameters", "[contract]") {
  const Execution execution = valid_execution();
  CHECK(execution.command_id == "c");
  CHECK(execution.task_id == "t");
  CHECK(execution.source == "s");
  CHECK(execution.timeout_ms == 30000);
  CHECK(execution.mode == "direct");
  REQUIRE(execution.actions.size() == 3);
  CHECK(execution.actions[0] == Action(CloseApp{"p.q"}, "a1"));
  CHECK(execution.actions[1] == Action(Screenshot{"/tmp/a.png"}, "a2"));
  CHECK(execution.actions[2] == Action(Snapshot{}, "a3"));
}

TEST_CASE("execution: serialised compact in schema order", "[contract]") {
  CHECK(to_json(valid_execution()) ==
        R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator",)"
        R"("timeoutMs":30000,"actions":[)"
        R"({"id":"a1","type":"close_app","params":{"applicationId":"p.q"}},)"
        R"({"id":"a2","type":"take_screenshot","params":{"path":"/tmp/a.png"}},)"
        R"({"id":"a3","type":"snapshot_ui"}],"mode":"direct"})");
}

TEST_CASE("execution: the plan of a dry run", "[contract]") {
  CHECK(plan_json(valid_execution()) ==
        R"({"commandId":"c","timeoutMs":30000,"actionCount":3,"actions":[)"
        R"({"id":"a1","type":"close_app","params":{"applicationId":"p.q"}},)"
        R"({"id":"a2","type":"take_screenshot","params":{"path":"/tmp/a.png"}},)"
        R"({"id":"a3","type":"snapshot_ui"}]})");
}

TEST_CASE("execution: the reason is a JSON array of all issues", "[contract][A8]") {
  const auto execution = parse_execution(
      R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator",)"
      R"("timeoutMs":5,"actions":[{"id":"a","type":"press_key","params":{"key":"x"}}]})");
  REQUIRE_FALSE(execution);
  CHECK(execution.error().code() == errc::execution_validation_failed);
  const auto members = cases::Json::parse(execution.error().members());
  CHECK(members["details"]["path"] == "timeoutMs");
  CHECK(members["details"]["reason"] ==
        R"([{"code":"too_small","message":"Number must be greater than or equal to 1000",)"
        R"("path":["timeoutMs"]},{"code":"custom",)"
        R"("message":"press_key params.key must be one of: back, home, recents",)"
        R"("path":["actions",0,"params","key"]}])");
}

TEST_CASE("execution: a timeout override replaces the payload's", "[contract]") {
  struct Case {
    double timeout;
    const char* refusal;  // empty: accepted
  };
  const auto [timeout, refusal] = GENERATE(values<Case>({
      {1000, ""},
      {120000, ""},
      {1500.25, ""},
      {999.9, "timeoutMs must be between 1000 and 120000"},
      {120000.1, "timeoutMs must be between 1000 and 120000"},
      {-1, "timeoutMs must be between 1000 and 120000"},
      {std::numeric_limits<double>::quiet_NaN(), "timeoutMs must be a finite number"},
      {std::numeric_limits<double>::infinity(), "timeoutMs must be a finite number"},
  }));
  const auto execution = override_timeout(valid_execution(), timeout);
  if (*refusal == '\0') {
    REQUIRE(execution);
    CHECK(execution->timeout_ms == timeout);
  } else {
    REQUIRE_FALSE(execution);
    CHECK(execution.error() == Error(errc::execution_validation_failed, refusal));
  }
}

TEST_CASE("execution: the size limit is met to the byte", "[contract]") {
  Execution execution = valid_execution();
  execution.actions.resize(1);
  execution.command_id.assign(32, 'd');  // as long as the id that it is dispatched by
  const std::size_t empty = to_json(execution).size();
  execution.actions[0].id.append(64000 - empty, 'x');
  CHECK(check_size(execution));
  execution.actions[0].id += 'x';
  const auto over = check_size(execution);
  REQUIRE_FALSE(over);
  CHECK(over.error() == Error(errc::payload_too_large, "Payload exceeds 64000 bytes (got 64001)"));
  execution.actions[0].id.pop_back();
  execution.command_id.assign(128, 'c');  // the caller's own does not reach the device
  CHECK(check_size(execution));
}

TEST_CASE("execution: a syntax error names its place", "[contract]") {
  const auto json = read_json("{\"a\":\n x}", kMaxExecutionText);
  REQUIRE_FALSE(json);
  CHECK(json.error().message().find("line 2") != std::string::npos);
  CHECK(json.error().message().find("json.exception") == std::string::npos);
}

TEST_CASE("execution: hostile text ends in one code and little output", "[contract]") {
  const auto repeat = [](std::string_view unit, std::size_t n) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) out += unit;
    return out;
  };
  struct Case {
    std::string name;
    std::string text;
  };
  std::string members = "{";
  for (int i = 0; i < 513; ++i) members += "\"k" + std::to_string(i) + "\":0,";
  const std::vector<Case> table = {
      {"deep arrays", repeat("[", 1000000)},
      {"deep objects", repeat("{\"a\":", 200000)},
      {"too many members", members + "\"z\":0}"},
      {"endless token", "{\"" + repeat("x", 1000000)},
      {"invalid UTF-8", "{\"commandId\":\"\xff\"}"},
      {"many wrong actions", "{\"actions\":[" + repeat("1,", 300000) + "1]}"},
      {"NUL", std::string("\0", 1)},
  };
  for (const Case& row : table) {
    INFO(row.name);
    const auto execution = parse_execution(row.text);
    REQUIRE_FALSE(execution);
    CHECK(execution.error().code() == errc::execution_validation_failed);
    CHECK(execution.error().members().size() < 65536);
  }
}

TEST_CASE("execution: every accepted case serialises to itself", "[contract]") {
  for (const char* file : {"validation.json", "aliases.json"}) {
    for (const auto& row : cases::load(file)) {
      const auto execution = parse_execution(row.input);
      if (!execution) continue;
      INFO(row.id);
      const auto again = parse_execution(to_json(*execution));
      REQUIRE(again);
      CHECK(*again == *execution);
      CHECK(to_json(*again) == to_json(*execution));
    }
  }
}
