#include "cli/selector.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "cli/grammar/errc.hpp"
#include "unit/cli/parsed.hpp"

using namespace clawperator::cli;
using namespace adbproto;

namespace {

// The matcher that is sent, or what is wrong with it.
std::string matcher_or_fault(const Words& words, SelectorFamily family = SelectorFamily::node) {
  constexpr static auto kAll = join(kSelectorOptions, kContainerOptions);
  const Arguments arguments(parsed(kAll, words).given, {});
  const auto selector = read_selector(arguments, family);
  if (!selector) return selector.error().message();
  if (!*selector) return "none";
  const auto& given = (*selector)->as_given;
  return given ? clawperator::write_json(*given) : clawperator::matcher_json(**selector);
}

}  // namespace

TEST_CASE("selector: simple flags become one matcher, in the order of the fields") {
  struct Row {
    Words words;
    std::string matcher;
  };
  const auto row = GENERATE(values<Row>({
      {{}, "none"},
      {{"--text", "a"}, R"({"textEquals":"a"})"},
      {{"--text-contains", "a"}, R"({"textContains":"a"})"},
      {{"--id", "a"}, R"({"resourceId":"a"})"},
      {{"--resource-id", "a"}, R"({"resourceId":"a"})"},
      {{"--desc", "a"}, R"({"contentDescEquals":"a"})"},
      {{"--content-desc", "a"}, R"({"contentDescEquals":"a"})"},
      {{"--desc-contains", "a"}, R"({"contentDescContains":"a"})"},
      {{"--content-desc-contains", "a"}, R"({"contentDescContains":"a"})"},
      {{"--role", "button"}, R"({"role":"button"})"},
      {{"--role", "button", "--text=\"x\"\n"}, R"({"role":"button","textEquals":"\"x\"\n"})"},
      {{"--selector", R"({"any":1})"}, R"({"any":1})"},
      {{"--matcher-json", R"({})"}, R"({})"},
  }));
  CHECK(matcher_or_fault(row.words) == row.matcher);
}

TEST_CASE("selector: container flags are a family of their own") {
  const Words words{"--text", "a", "--container-id", "c", "--container-role", "list"};
  CHECK(matcher_or_fault(words, SelectorFamily::container) ==
        R"({"resourceId":"c","role":"list"})");
  CHECK(matcher_or_fault(words) == R"({"textEquals":"a"})");
}

TEST_CASE("selector: the faults of a family, in their published order") {
  struct Row {
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {{"--text", "a", "--text", "b"}, "--text must not appear more than once"},
      {{"--text"}, "--text requires a value"},
      {{"--text", "-5"}, "--text requires a value"},
      {{"--resource-id", "--role", "x"}, "--resource-id requires a value"},
      {{"--text", "a", "--selector", "{}"}, "use --selector OR the simple flags, not both"},
      {{"--selector", " "}, "--selector value must not be blank"},
      {{"--selector", "{oops"}, "--selector must be valid JSON"},
      {{"--selector", "[1]"}, "--selector must be a JSON object"},
      {{"--selector", "null"}, "--selector must be a JSON object"},
      {{"--text", ""}, "--text value must not be blank"},
      {{"--text", " \t"}, "--text value must not be blank"},
      // Two faults: the earlier check speaks.
      {{"--role", "--text", "a", "--text", "b"}, "--text must not appear more than once"},
      {{"--role", "--selector", "{}"}, "--role requires a value"},
      {{"--text", " ", "--selector", "oops"}, "use --selector OR the simple flags, not both"},
  }));
  CAPTURE(row.words);
  CHECK(matcher_or_fault(row.words) == row.message);
}

TEST_CASE("selector: container faults name the container flags") {
  struct Row {
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {{"--container-text", "a", "--container-selector", "{}"},
       "use --container-selector OR the --container-* flags, not both"},
      {{"--container-id"}, "--container-id requires a value"},
      {{"--container-selector", "7"}, "--container-selector must be a JSON object"},
  }));
  CHECK(matcher_or_fault(row.words, SelectorFamily::container) == row.message);
}

TEST_CASE("selector: no selector is MISSING_SELECTOR with flags and examples for the command") {
  const auto error = missing_selector("click", SelectorFamily::node);
  CHECK(error.code() == errc::missing_selector);
  const std::string& message = error.message();
  CHECK(message.starts_with("click requires a selector.\n\n"));
  for (const char* part : {"--text ", "--id ", "--selector ", "clawperator click "}) {
    CAPTURE(part);
    CHECK(message.find(part) != std::string::npos);
  }
  const std::string typed = missing_selector("type", SelectorFamily::node_without_text).message();
  CHECK(typed.find("--text <text>") == std::string::npos);
  CHECK(typed.find("--coordinate") == std::string::npos);
}
