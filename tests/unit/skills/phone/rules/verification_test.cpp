#include "skills/phone/rules/outcome.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

using Words = std::vector<std::string>;

Contract percent_and_room() {
  Contract contract;
  contract.inputs["room_name"] = InputType{};
  contract.inputs["percent"] = InputType{.kind = InputType::Kind::integer, .least = 0, .most = 100};
  contract.matcher = "{room_name} at {percent}%";
  return contract;
}

std::string inputs(const Words& args) {
  const auto trusted = trusted_inputs(percent_and_room(), args);
  return trusted ? *trusted : trusted.error().message();
}

std::string proof(const Words& args, const std::string& observed,
                  const std::string& reported = R"({"room_name":"Den","percent":40})") {
  const Json result =
      Json::parse(R"({"inputs":)" + reported +
                  R"(,"terminalVerification":{"status":"verified","observed":)" + observed + "}}");
  return unproved_because(percent_and_room(), args, result).value_or("proved");
}

std::string seen(const std::string& text) { return Json{{"kind", "text"}, {"text", text}}.dump(); }

const Words kDen{"--room-name", "Den", "--percent", "40"};

}  // namespace

TEST_CASE("verification: inputs are named, or the last words in the order of their names",
          "[skills]") {
  const std::string expected = R"({"percent":40,"room_name":"Den"})";
  CHECK(inputs(kDen) == expected);
  CHECK(inputs({"--room-name=Den", "--percent=40"}) == expected);
  CHECK(inputs({"serial", "40", "Den"}) == expected);
  CHECK(inputs({"--percent", "40", "Den"}) == expected);
  CHECK(inputs({"Den", "--percent", "1", "--percent", "40"}) == expected);
  CHECK(inputs({"serial", "--mode", "heat", "40", "Den"}) == expected);
  CHECK(inputs({"--percent", "--room-name", "Den", "40"}) == expected);
}

TEST_CASE("verification: what is missing or out of range is not trusted", "[skills]") {
  CHECK(inputs({"40"}) == "Skill declared 2 contract inputs but only 1 were available.");
  CHECK(inputs({}) == "Skill declared 2 contract inputs but only 0 were available.");
  CHECK(inputs({"--percent", "101", "Den"}) ==
        "Could not trust declared input 'percent': expected an integer from 0 to 100, got 101");
  for (const char* text : {"4.5", "x", "", "4e1", "+4", "99999999999999999999"}) {
    CHECK(inputs({"--percent=" + std::string(text), "Den"})
              .starts_with("Could not trust declared input 'percent': expected an integer, got '"));
  }
}

TEST_CASE("verification: the observed text is the declared one", "[skills]") {
  CHECK(proof(kDen, seen("Den at 40%")) == "proved");
  CHECK(proof(kDen, seen(" Den\u00a0 at\n40%")) == "proved");
  CHECK(proof(kDen, seen("Den at 40% \u2713 .")) == "proved");
  CHECK(proof(kDen, seen("Den at 40% on")) ==
        "Skill terminal verification expected 'Den at 40%' but observed 'Den at 40% on'.");
  CHECK(proof(kDen, seen("Den at 40% \u00e9")).starts_with("Skill terminal verification expected"));
  CHECK(proof(kDen, seen("Den at 40% \u0664")).starts_with("Skill terminal verification expected"));
  CHECK(proof(kDen, seen("at 40%")).starts_with("Skill terminal verification expected"));
  CHECK(proof(kDen, "null") ==
        "Skill terminal verification did not match declared matcher 'Den at 40%'.");
  CHECK(proof(kDen, R"({"kind":"json","value":"Den at 40%"})") ==
        "Skill terminal verification did not match declared matcher 'Den at 40%'.");
}

TEST_CASE("verification: the reported text must be the requested one", "[skills]") {
  const std::string differs =
      "SkillResult inputs did not match the trusted invocation inputs for the declared contract.";
  CHECK(proof(kDen, seen("x"), R"({"percent":40.0,"room_name":"Den"})") != differs);
  for (const char* reported :
       {"{}", R"({"room_name":"Den","percent":41})", R"({"room_name":"Den","percent":"40"})",
        R"({"room_name":"Den","percent":40,"more":1})"}) {
    CHECK(proof(kDen, seen("Den at 40%"), reported) == differs);
  }
}

TEST_CASE("verification: without a result or a proof nothing is proved", "[skills]") {
  const Contract contract = percent_and_room();
  CHECK(unproved_because(contract, kDen, std::nullopt) ==
        "Skill declared verification but did not emit a SkillResult to prove it.");
  for (const char* verification : {"null", R"({"status":"failed"})", R"({"status":"not_run"})"}) {
    const Json result =
        Json::parse(R"({"inputs":{"room_name":"Den","percent":40},"terminalVerification":)" +
                    std::string(verification) + "}");
    CHECK(unproved_because(contract, kDen, result) ==
          "Skill declared verification but terminalVerification was not proved.");
  }
  CHECK_FALSE(unproved_because(Contract{}, {}, std::nullopt));
}

TEST_CASE("verification: a placeholder that no input fills cannot be rendered", "[skills]") {
  Contract contract;
  contract.matcher = "at {percent}%";
  const Json result =
      Json::parse(R"({"terminalVerification":{"status":"verified","observed":null}})");
  CHECK(unproved_because(contract, {}, result) ==
        "Trusted invocation inputs did not provide the values required to render declared matcher "
        "'at {percent}%'.");
  contract.matcher = "open { brace";
  const Json open = Json::parse(R"({"terminalVerification":{"status":"verified",
    "observed":{"kind":"text","text":"open { brace"}}})");
  CHECK_FALSE(unproved_because(contract, {}, open));
}
