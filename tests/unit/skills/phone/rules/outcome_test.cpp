#include "skills/phone/rules/outcome.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "skills/phone/rules/errc.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;
using std::chrono::milliseconds;

namespace {

const std::string kFrame =
    "[Clawperator-Skill-Result]\n"
    R"({"contractVersion":"1.0.0","skillId":"a.b","status":"success","checkpoints":[],)"
    R"("result":{"kind":"text","text":"ok"}})"
    "\n";

const FrameRules kRules{.skill_id = "a.b", .source = R"({"kind":"script"})"};

Ended ended(int code, std::string out = {}, std::string err = {}) {
  return {.exit_code = code,
          .out = std::move(out),
          .err = std::move(err),
          .duration = milliseconds(15),
          .limit = milliseconds(2000)};
}

}  // namespace

// The expected texts are the published examples, member for member.
TEST_CASE("outcome: a framed success omits what the frame says", "[skills]") {
  const auto outcome =
      judge_run({.skill_id = "a.b", .timeout = milliseconds(3210)}, ended(0, kFrame), kRules, {});
  CHECK(outcome.kind == Outcome::Kind::success);
  CHECK(outcome.json ==
        R"({"skillResult":{"contractVersion":"1.0.0","skillId":"a.b","status":"success",)"
        R"("checkpoints":[],"result":{"kind":"text","text":"ok"},"source":{"kind":"script"}},)"
        R"("durationMs":15,"timeoutMs":3210})");
  CHECK(http_body(outcome).starts_with(R"({"ok":true,"skillResult":{)"));
}

TEST_CASE("outcome: a success without a frame has its output", "[skills]") {
  const auto outcome =
      judge_run({.skill_id = "a.b", .expect_contains = "TEST"}, ended(0, "a TEST\n"), kRules, {});
  CHECK(outcome.json ==
        R"({"status":"success","skillId":"a.b","output":"a TEST\n","exitCode":0,"durationMs":15,)"
        R"("skillResult":null,"expectedSubstring":"TEST"})");
}

TEST_CASE("outcome: a text that is missing, an exit code, the end of time", "[skills]") {
  const SkillCall call{.skill_id = "a.b", .expect_contains = "no"};
  Ended without = ended(0, "out\n");
  without.has_expected = false;
  const auto lacking = judge_run(call, without, kRules, {});
  CHECK(lacking.code == errc::skill_output_assertion_failed);
  CHECK(lacking.json ==
        R"({"code":"SKILL_OUTPUT_ASSERTION_FAILED",)"
        R"("message":"Skill a.b output did not include expected text","skillId":"a.b",)"
        R"("output":"out\n","skillResult":null,"expectedSubstring":"no"})");
  const auto failed =
      judge_run({.skill_id = "a.b"}, ended(2, "partial output\n", "fatal error\n"), kRules, {});
  CHECK(failed.json ==
        R"({"status":"failed","code":"SKILL_EXECUTION_FAILED",)"
        R"("message":"Skill a.b exited with code 2","skillId":"a.b","exitCode":2,)"
        R"("stdout":"partial output\n","stderr":"fatal error\n","skillResult":null})");
  CHECK(http_body(failed) == R"({"ok":false,"error":)" + failed.json + "}");
  Ended late = ended(0, kFrame);
  late.exit_code.reset();
  late.timed_out = true;
  const auto timeout =
      judge_run({.skill_id = "a.b", .timeout = milliseconds(2000)}, late, kRules, {});
  CHECK(timeout.code == errc::skill_execution_timeout);
  const Json json = Json::parse(timeout.json);
  CHECK(json["message"] == "Skill a.b timed out after 2000ms");
  CHECK(json["stdout"] == kFrame);
  CHECK_FALSE(json.contains("exitCode"));
  CHECK(json["timeoutMs"] == 2000);
}

TEST_CASE("outcome: a broken frame counts more than an exit code, a good one is reported with it",
          "[skills]") {
  const auto broken = judge_run({.skill_id = "a.b"}, ended(3, kFrame + "x"), kRules, {});
  CHECK(broken.code == errc::skill_result_parse_failed);
  const auto failed = judge_run({.skill_id = "a.b"}, ended(3, kFrame), kRules, {});
  CHECK(failed.code == errc::skill_execution_failed);
  CHECK(Json::parse(failed.json)["skillResult"]["source"]["kind"] == "script");
}

TEST_CASE("outcome: only an agent that ended well has to emit a frame", "[skills]") {
  FrameRules agent = kRules;
  agent.required = true;
  CHECK(judge_run({.skill_id = "a.b"}, ended(0, "x"), agent, {}).code ==
        errc::skill_result_parse_failed);
  CHECK(judge_run({.skill_id = "a.b"}, ended(1, "x"), agent, {}).code ==
        errc::skill_execution_failed);
}

TEST_CASE("outcome: a declared verification without proof is indeterminate", "[skills]") {
  Contract contract;
  contract.matcher = "done";
  const auto outcome = judge_run({.skill_id = "a.b"}, ended(0, kFrame), kRules, contract);
  CHECK(outcome.kind == Outcome::Kind::indeterminate);
  const Json json = Json::parse(outcome.json);
  CHECK(json["status"] == "indeterminate");
  CHECK(json["code"] == "SKILL_VERIFICATION_INDETERMINATE");
  CHECK_FALSE(json.contains("skillId"));
  CHECK_FALSE(json.contains("exitCode"));
  CHECK(http_body(outcome).starts_with(R"({"ok":false,"status":"indeterminate",)"));
  std::string failing = kFrame;
  failing.replace(failing.find("success"), 7, "failed");
  const auto failed = judge_run({.skill_id = "a.b"}, ended(0, failing), kRules, contract);
  CHECK(failed.code == errc::skill_execution_failed);
  CHECK(Json::parse(failed.json)["exitCode"] == 0);
}

TEST_CASE("outcome: of an endless output the beginning and the end are kept", "[skills]") {
  constexpr std::size_t kHalf = BoundedText::kHalf;
  BoundedText whole;
  whole.append(std::string(kHalf, 'a'));
  whole.append(std::string(kHalf, 'b'));
  CHECK(whole.str() == std::string(kHalf, 'a') + std::string(kHalf, 'b'));
  BoundedText cut;
  for (int i = 0; i < 6; ++i) cut.append(std::string(kHalf / 2 + 1, static_cast<char>('a' + i)));
  cut.append("end");
  const std::string text = cut.str();
  CHECK(text.size() < 2 * kHalf + 100);
  CHECK(text.starts_with("aaa"));
  CHECK(text.ends_with("fffend"));
  const std::size_t lost = 6 * (kHalf / 2 + 1) + 3 - 2 * kHalf;
  CHECK(text.contains("\n[clawperator: " + std::to_string(lost) + " bytes are left out here]\n"));
}

TEST_CASE("outcome: an expected text is found across pieces, wherever it is", "[skills]") {
  for (std::size_t cut = 0; cut <= 6; ++cut) {
    TextSearch search("needle");
    search.take("hay need");
    CHECK_FALSE(search.was_found());
    search.take(std::string("xx") + std::string("needle").substr(0, cut));
    search.take(std::string("needle").substr(cut) + " hay");
    CHECK(search.was_found());
  }
  TextSearch none("needle");
  for (const char c : std::string("needlneedlxneedl")) none.take(std::string(1, c));
  CHECK_FALSE(none.was_found());
  CHECK(TextSearch("").was_found());
}
