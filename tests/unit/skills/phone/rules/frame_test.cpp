#include "skills/phone/rules/frame.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "skills/phone/rules/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

const std::string kMarker(kFrameMarker);
const std::string kGood =
    R"({"contractVersion":"1.0.0","skillId":"a.b","status":"success","checkpoints":[]})";

FrameRules rules() { return {.skill_id = "a.b", .source = R"({"kind":"script"})"}; }

std::string framed(const std::string& json) { return "working\n" + kMarker + "\n" + json + "\n"; }

// kGood with another member.
std::string with(const std::string& member) {
  return kGood.substr(0, kGood.size() - 1) + "," + member + "}";
}

std::string refusal(const std::string& output, const FrameRules& how = rules()) {
  const auto frame = read_frame(output, how);
  if (frame) return "accepted";
  CHECK(frame.error().code() == errc::skill_result_parse_failed);
  return frame.error().message();
}

}  // namespace

TEST_CASE("frame: the last two lines are the result, source is ours", "[skills]") {
  for (const std::string& output :
       {framed(kGood), kMarker + "\n" + kGood, "x\r\n" + kMarker + "\r\n" + kGood + "\r\n",
        "x\n" + kMarker + "\n\n  \n \t" + kGood + " \n\n", "x\n\n" + kMarker + "\n" + kGood}) {
    CAPTURE(output);
    const auto frame = read_frame(output, rules());
    REQUIRE(frame);
    REQUIRE(*frame);
    CHECK((*frame)->dump() ==
          R"({"contractVersion":"1.0.0","skillId":"a.b","status":"success","checkpoints":[],)"
          R"("source":{"kind":"script"}})");
  }
}

TEST_CASE("frame: without a marker there is none, unless one is required", "[skills]") {
  for (const std::string output :
       {"", "x\n", " [Clawperator-Skill-Result]\n{}\n", "say [Clawperator-Skill-Result]\n{}"}) {
    const auto frame = read_frame(output, rules());
    REQUIRE(frame);
    CHECK_FALSE(*frame);
  }
  FrameRules agent = rules();
  agent.required = true;
  CHECK(refusal("x\n", agent) == "Agent-driven skills must emit a terminal SkillResult frame");
}

TEST_CASE("frame: each way to break it has its words", "[skills]") {
  CHECK(refusal(kMarker) == "SkillResult frame marker was not followed by a JSON line");
  CHECK(refusal("\n" + kMarker + "\n \n") ==
        "SkillResult frame marker was not followed by a JSON line");
  CHECK(refusal("x\n" + kMarker + "\n \n") ==
        "SkillResult frame must be the terminal non-empty stdout suffix");
  CHECK(refusal(framed(kGood) + "bye\n") ==
        "SkillResult frame must be the terminal non-empty stdout suffix");
  CHECK(refusal(framed("[1]")) ==
        "SkillResult frame marker must be followed by a JSON object line");
  CHECK(refusal(framed(kGood) + framed(kGood)) ==
        "Skill emitted multiple SkillResult frames or a non-terminal SkillResult marker");
  CHECK(refusal(kMarker + "\n" + kMarker + "\n" + kGood) ==
        "Skill emitted multiple SkillResult frames or a non-terminal SkillResult marker");
  CHECK(refusal(framed("{\"a\":}")).starts_with("SkillResult frame contained invalid JSON: "));
  CHECK(refusal(framed(with(R"("source":{})"))) ==
        "SkillResult frame must not include source; runSkill injects it");
  FrameRules untrusted = rules();
  untrusted.untrusted = "cannot read skill.json";
  CHECK(refusal(framed(kGood), untrusted) ==
        "cannot read skill.json. Framed SkillResult output requires authoritative source "
        "metadata.");
}

TEST_CASE("frame: version and skill must fit", "[skills]") {
  const auto versioned = [](const std::string& version) {
    return framed(R"({"contractVersion":")" + version +
                  R"(","skillId":"a.b","status":"success","checkpoints":[]})");
  };
  for (const char* version : {"1.0.0", "1.7.3", "1.0.0-rc.1", "1.0.0+build"}) {
    CHECK(refusal(versioned(version)) == "accepted");
  }
  for (const std::string version :
       {"", "1", "1.0", "1.0.0.0", "v1.0.0", "1.x.0", "1..0", "01.0.0", "1.0.0-", "-1.0.0"}) {
    CHECK(refusal(versioned(version)) ==
          "SkillResult contractVersion must be semver-shaped, got " + version);
  }
  CHECK(refusal(versioned("2.0.0")) ==
        "Unsupported SkillResult contract major version 2; expected 1");
  FrameRules other = rules();
  other.skill_id = "c.d";
  CHECK(refusal(framed(kGood), other) == "SkillResult skillId a.b did not match invoked skill c.d");
}

TEST_CASE("frame: members of the wrong form are named", "[skills]") {
  const std::string head = "SkillResult frame failed validation: ";
  CHECK(refusal(framed("{}")) == head +
                                     "contractVersion: Required; skillId: Required; status: "
                                     "Required; checkpoints: Required");
  CHECK(refusal(framed(with(R"("status":"done")"))) ==
        head +
            "status: Invalid enum value. Expected 'success' | 'failed' | 'indeterminate', "
            "received 'done'");
  CHECK(refusal(framed(with(R"("checkpoints":[{"id":"","status":"ok"},{"status":7}])"))) ==
        head +
            "checkpoints.0.id: String must contain at least 1 character(s); "
            "checkpoints.1.status: Expected 'ok' | 'failed' | 'skipped', received number; "
            "checkpoints.1.id: Required");
  CHECK(refusal(framed(with(R"("inputs":[])"))) ==
        head + "inputs: Expected object, received array");
  CHECK(refusal(framed(with(R"("result":{"kind":"image"})"))) ==
        head + "result.kind: Invalid discriminator value. Expected 'text' | 'json'");
  CHECK(refusal(framed(with(R"("terminalVerification":{"status":"verified",)"
                            R"("observed":{"kind":"text"}})"))) ==
        head + "terminalVerification.observed.text: Required");
  CHECK(refusal(framed(with(R"("checkpoints":[{"id":"a","status":"ok","evidence":)"
                            R"({"kind":"result_envelope_ref","execEnvelopeIndex":-1}}])"))) ==
        head +
            "checkpoints.0.evidence.execEnvelopeIndex: Number must be greater than or equal to 0");
}

TEST_CASE("frame: what is not known is left out, but in answers and diagnostics", "[skills]") {
  const auto frame =
      read_frame(framed(with(R"("mood":"good","result":{"kind":"json","value":{"deep":[1]},"x":1},)"
                             R"("checkpoints":[{"id":"a","status":"ok","colour":"red"}],)"
                             R"("terminalVerification":null,)"
                             R"("diagnostics":{"runtimeState":"healthy","custom":{"a":1}})")),
                 rules());
  REQUIRE(frame);
  const Json& json = **frame;
  CHECK_FALSE(json.contains("mood"));
  CHECK(json["result"].dump() == R"({"kind":"json","value":{"deep":[1.0]}})");
  CHECK(json["checkpoints"].dump() == R"([{"id":"a","status":"ok"}])");
  CHECK(json["terminalVerification"].is_null());
  CHECK(json["diagnostics"]["custom"]["a"] == 1);
}
