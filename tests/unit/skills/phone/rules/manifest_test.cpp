#include "skills/phone/rules/manifest.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "skills/phone/rules/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

const Skill kEntry{.id = "a.b",
                   .application_id = "a",
                   .intent = "b",
                   .summary = "s",
                   .path = "skills/a.b",
                   .skill_file = "skills/a.b/SKILL.md",
                   .scripts = {"x.js"}};

Json json(std::string_view text) { return Json::parse(text); }

}  // namespace

TEST_CASE("manifest: members that are not the registry's are named in its order", "[skills]") {
  CHECK(mismatches_of(json(R"({"id":"a.b","applicationId":"a","intent":"b","summary":"s",
    "path":"skills/a.b","skillFile":"skills/a.b/SKILL.md","scripts":["x.js"],"more":1})"),
                      kEntry)
            .empty());
  const std::vector<std::string> all{"id",   "applicationId", "intent", "summary",
                                     "path", "skillFile",     "scripts"};
  CHECK(mismatches_of(json("{}"), kEntry) == all);
  CHECK(mismatches_of(json(R"({"scripts":["x.js","y.js"],"summary":"other","artifacts":["z"],
    "id":"a.b","applicationId":"a","intent":"b","path":"skills/a.b",
    "skillFile":"skills/a.b/SKILL.md"})"),
                      kEntry) == std::vector<std::string>{"summary", "scripts", "artifacts"});
}

TEST_CASE("manifest: an agent and a contract are read", "[skills]") {
  const auto manifest = read_manifest(json(R"({
    "agent": {"cli":"codex","cliPath":"bin/agent","timeoutMs":300000},
    "contract": {"inputs":{"percent":"integer[0,100]","room":"string","n":"integer"},"goal":null,
      "verification":{"kind":"node_text_matches","matcher":"At {percent}%"}}})"),
                                      kEntry);
  REQUIRE(manifest);
  REQUIRE(manifest->agent);
  CHECK(manifest->agent->cli == "codex");
  CHECK(manifest->agent->cli_path == "bin/agent");
  CHECK(manifest->agent->timeout == std::chrono::milliseconds(300000));
  const auto& inputs = manifest->contract.inputs;
  REQUIRE(inputs.size() == 3);
  CHECK(inputs.at("percent").least == 0);
  CHECK(inputs.at("percent").most == 100);
  CHECK(inputs.at("room").kind == InputType::Kind::text);
  CHECK_FALSE(inputs.at("n").least);
  CHECK(manifest->contract.matcher == "At {percent}%");
}

TEST_CASE("manifest: without agent and contract there is none", "[skills]") {
  for (const char* text : {"{}", R"({"agent":null,"contract":null})", "[]",
                           R"({"contract":{"inputs":{},"goal":null,"verification":null}})"}) {
    const auto manifest = read_manifest(json(text), kEntry);
    REQUIRE(manifest);
    CHECK_FALSE(manifest->agent);
    CHECK_FALSE(manifest->contract.matcher);
  }
}

TEST_CASE("manifest: what breaks its form is refused", "[skills]") {
  const char* agents[] = {"7",
                          "[]",
                          "{}",
                          R"({"cli":""})",
                          R"({"cli":"a/b"})",
                          R"({"cli":7})",
                          R"({"cli":"x","timeoutMs":0})",
                          R"({"cli":"x","timeoutMs":1.5})",
                          R"({"cli":"x","timeoutMs":"1"})",
                          R"({"cli":"x","timeoutMs":1e12})",
                          R"({"cli":"x","cliPath":""})"};
  for (const std::string agent : agents) {
    CAPTURE(agent);
    const auto manifest = read_manifest(json(R"({"agent":)" + agent + "}"), kEntry);
    REQUIRE_FALSE(manifest);
    CHECK(manifest.error().code() == errc::skill_validation_failed);
    CHECK(manifest.error().message() == "Skill a.b has an invalid agent manifest");
  }
  const char* contracts[] = {"7",
                             R"({"inputs":[]})",
                             R"({"inputs":{"a":"float"}})",
                             R"({"inputs":{"a":"integer[5,1]"}})",
                             R"({"inputs":{"a":"integer[1]"}})",
                             R"({"inputs":{"a":"integer[1,x]"}})",
                             R"({"inputs":{"a":7}})",
                             R"({"verification":{}})",
                             R"({"verification":{"kind":"other","matcher":"x"}})",
                             R"({"verification":{"kind":"node_text_matches","matcher":" "}})"};
  for (const std::string contract : contracts) {
    CAPTURE(contract);
    const auto manifest = read_manifest(json(R"({"contract":)" + contract + "}"), kEntry);
    REQUIRE_FALSE(manifest);
    CHECK(manifest.error().message() == "Skill a.b has an invalid contract");
  }
}
