#include "cli/payload.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace clawperator::cli;

namespace {

// What a parser says that makes a document of it.
std::string fault_of_document(const std::string& text) {
  try {
    [[maybe_unused]] const auto json = nlohmann::json::parse(text);
    return {};
  } catch (const nlohmann::json::exception& error) {
    const std::string what = error.what();
    return what.substr(what.find("] ") + 2);
  }
}

}  // namespace

TEST_CASE("json probe: faults have the parser's text", "[cli][F32]") {
  for (const std::string text : {"{}", "[1,2.5,-3,null,true,\"x\"]", "", "{", "[1,]", "{\"a\" 1}",
                                 "nope", "\"\xff\"", "1e999", "{} x"}) {
    CAPTURE(text);
    CHECK(json_fault(text) == fault_of_document(text));
  }
  std::string deep(1'000'000, '[');
  CHECK_FALSE(json_fault(deep).empty());
  deep.append(1'000'000, ']');
  CHECK(json_fault(deep).empty());
}

TEST_CASE("json probe: the hierarchy in a snapshot's answer, and nothing that only looks like it",
          "[cli][F32]") {
  struct Row {
    const char* name;
    std::string json;
    std::string text;
  };
  const auto row = GENERATE(values<Row>({
      {"plain", R"({"envelope":{"stepResults":[{"data":{"text":"<a/>"}}]}})", "<a/>"},
      {"the first that has one",
       R"({"envelope":{"stepResults":[{"data":{"error":"x"}},{"id":1,"data":{"n":{"text":"no"},
          "text":"<b/>"}},{"data":{"text":"<c/>"}}]},"text":"no"})",
       "<b/>"},
      {"an object for the list", R"({"envelope":{"stepResults":{"x":{"data":{"text":"no"}}}}})",
       ""},
      {"a number for the text", R"({"envelope":{"stepResults":[{"data":{"text":1}}]}})", ""},
      {"one level deeper", R"({"x":{"envelope":{"stepResults":[{"data":{"text":"no"}}]}}})", ""},
      {"a longer name", R"({"envelope":{"stepResultsAndMore":[{"data":{"text":"no"}}]}})", ""},
      {"cut", R"({"envelope":{"stepResults":[{"data":{"text":"<a/>"}})", ""},
      {"no JSON", "<a/>", ""},
  }));
  INFO(row.name);
  CHECK(snapshot_text_in(row.json) == row.text);
}
