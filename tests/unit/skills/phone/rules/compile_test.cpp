#include "skills/phone/rules/compile.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "skills/phone/rules/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

Json vars(std::string_view text) { return Json::parse(text); }

constexpr std::string_view kTemplate =
    R"({"commandId":"{{COMMAND_ID}}","taskId":"{{TASK_ID}}","source":"test",)"
    R"("expectedFormat":"android-ui-automator","timeoutMs":30000,"actions":[{"id":"a",)"
    R"("type":"click","params":{"matcher":{"textEquals":"{{TILE}}"}}}]})";

Artifact artifact(std::string text) { return {"com.example.app.go", "go", std::move(text)}; }

}  // namespace

TEST_CASE("compile: ids are made of skill, artifact and values as published", "[skills]") {
  // Vectors that the reference gives, computed there with another SHA-256.
  struct Case {
    std::string skill, artifact, vars, hash;
  };
  const Case cases[] = {
      {"com.solaxcloud.starter.get-battery", "battery", "{}", "43e1b2cf4595"},
      {"com.theswitchbot.switchbot.get-bedroom-temperature", "bedroom-temperature",
       R"({"b":"2","a":1})", "e3b42211ef22"},
      {"com.globird.energy.get-usage", "usage", "[1,2]", "68c76ff6d9c2"},
      {"a.b", "x", R"({"SRC":"q"})", "3a0cd422a310"},
      {"com.google.android.apps.chromecast.app.get-climate", "climate-status",
       R"({"CLIMATE_TILE_NAME":"Master"})", "34f46423f545"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.skill);
    CHECK(artifact_hash(each.skill, each.artifact, vars(each.vars)) == each.hash);
  }
}

TEST_CASE("compile: the order of the values does not matter, but numbers for names come first",
          "[skills]") {
  CHECK(artifact_hash("s", "a", vars(R"({"b":1,"a":2})")) ==
        artifact_hash("s", "a", vars(R"({"a":2,"b":1})")));
  // JavaScript puts 2 before 10 and both before any other name, also before "!".
  CHECK(artifact_hash("s", "a", vars(R"({"!":0,"10":1,"2":2})")) ==
        artifact_hash("s", "a", vars(R"({"2":2,"10":1,"!":0})")));
}

TEST_CASE("compile: a value stands in the text as the inside of a JSON string", "[skills]") {
  const auto text = substitute(R"({"t":"<{{A}}>{{B}}{{A}}"} {{ A }} {x} {{A-B}} {{)",
                               vars(R"({"A":"say \"hi\"\n","B":1.50})"));
  REQUIRE(text);
  CHECK(*text == R"({"t":"<say \"hi\"\n>1.5say \"hi\"\n"} {{ A }} {x} {{A-B}} {{)");
}

TEST_CASE("compile: what a value holds is no placeholder", "[skills]") {
  const auto text = substitute("{{A}} {{{{B}}}}", vars(R"({"A":"{{B}}","B":"b"})"));
  REQUIRE(text);
  CHECK(*text == "{{B}} {{b}}");
}

TEST_CASE("compile: the first placeholder without a value is named", "[skills]") {
  for (const char* given : {R"({"A":"a"})", R"({"A":"a","MISSING":""})"}) {
    const auto text = substitute("{{A}} {{MISSING}} {{LATER}}", vars(given));
    REQUIRE_FALSE(text);
    CHECK(text.error().code() == errc::compile_var_missing);
    CHECK(text.error().message() == "Missing required variable: MISSING");
  }
}

TEST_CASE("compile: an execution comes out, with ids and mode", "[skills]") {
  const auto text = compile_artifact(artifact(std::string(kTemplate)), vars(R"({"TILE":"It's"})"));
  REQUIRE(text);
  const Json json = Json::parse(*text);
  const std::string hash = artifact_hash("com.example.app.go", "go", vars(R"({"TILE":"It's"})"));
  CHECK(json["commandId"] == "cmd-" + hash);
  CHECK(json["taskId"] == "task-" + hash);
  CHECK(json["mode"] == "artifact_compiled");
  CHECK(json["actions"][0]["params"]["matcher"]["textEquals"] == "It's");
}

TEST_CASE("compile: ids that are given stay, blank ones do not, and both are part of the hash",
          "[skills]") {
  const Json given = vars(R"({"TILE":"x","COMMAND_ID":"mine","TASK_ID":""})");
  const auto text = compile_artifact(artifact(std::string(kTemplate)), given);
  REQUIRE(text);
  const Json json = Json::parse(*text);
  CHECK(json["commandId"] == "mine");
  CHECK(json["taskId"] == "task-" + artifact_hash("com.example.app.go", "go", given));
}

TEST_CASE("compile: an invalid execution has the schema's text", "[skills]") {
  for (const std::string text : {R"({"commandId":1})", "no JSON", R"({"actions":[]})"}) {
    const auto compiled = compile_artifact(artifact(text), vars("{}"));
    REQUIRE_FALSE(compiled);
    CHECK(compiled.error().code() == errc::compile_validation_failed);
    CHECK_FALSE(compiled.error().message().empty());
    const Json members = Json::parse(compiled.error().members());
    CHECK(members["details"]["skillId"] == "com.example.app.go");
    CHECK(members["details"]["artifactName"] == "go");
  }
}

TEST_CASE("compile: values are an object of plain values", "[skills]") {
  CHECK(parse_vars("")->dump() == "{}");
  CHECK(parse_vars(R"( {"A":"x","B":1} )"));
  for (const char* text : {"[1,2]", "7", "null", "{", R"({"A":{"B":1}})", R"({"A":[1]})", "A=1"}) {
    CAPTURE(text);
    const auto parsed = parse_vars(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code() == errc::compile_vars_parse_failed);
    CHECK(parsed.error().message() == "Invalid --vars JSON");
    CHECK(Json::parse(parsed.error().members())["details"]["varsJson"] == text);
  }
}

TEST_CASE("compile: an artifact is found with and without its ending", "[skills]") {
  const Skill skill{.id = "s",
                    .artifacts = {"skills/s/artifacts/not-go.recipe.json",
                                  "skills/s/artifacts/go.recipe.json", "top.recipe.json"}};
  for (const char* name : {"go", "go.recipe.json", "go.RECIPE.json"}) {
    const auto found = find_artifact(skill, name);
    REQUIRE(found);
    CHECK(found->bare == "go");
    CHECK(found->path == "skills/s/artifacts/go.recipe.json");
  }
  CHECK(find_artifact(skill, "top"));
  for (const char* name : {"", "o", "GO", "artifacts", ".recipe.json"}) {
    const auto found = find_artifact(skill, name);
    CAPTURE(name);
    REQUIRE_FALSE(found);
    CHECK(found.error().code() == errc::artifact_not_found);
  }
  CHECK(find_artifact(skill, "x").error().message() == "Artifact not found: x (skill: s)");
}
