#include "runtime/contract/envelope.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/errc.hpp"

using namespace clawperator;

TEST_CASE("envelope: members that the host adds are written last", "[contract]") {
  Envelope envelope{"c", "t", EnvelopeStatus::failed, {}, "boom", "SERVICE_UNAVAILABLE", "fix it"};
  CHECK(to_json(envelope) ==
        R"({"commandId":"c","taskId":"t","status":"failed","stepResults":[],"error":"boom",)"
        R"("errorCode":"SERVICE_UNAVAILABLE","hint":"fix it"})");
  envelope.error.reset();
  envelope.error_code.reset();
  envelope.hint.reset();
  envelope.status = EnvelopeStatus::success;
  envelope.step_results = {{"s", "sleep", true, {}}};
  CHECK(to_json(envelope) ==
        R"({"commandId":"c","taskId":"t","status":"success","stepResults":[)"
        R"({"id":"s","actionType":"sleep","success":true,"data":{}}],"error":null})");
}

TEST_CASE("envelope: step data is changed in place", "[contract]") {
  StepData data = {{"a", "1"}, {"b", "2"}};
  REQUIRE(find_data(data, "b") != nullptr);
  CHECK(*find_data(data, "b") == "2");
  CHECK(find_data(data, "c") == nullptr);
  set_data(data, "a", "3");
  set_data(data, "c", "4");
  CHECK(data == StepData{{"a", "3"}, {"b", "2"}, {"c", "4"}});
  erase_data(data, "b");
  erase_data(data, "missing");
  CHECK(data == StepData{{"a", "3"}, {"c", "4"}});
}

TEST_CASE("envelope: every cut of a line is malformed", "[contract]") {
  const std::string whole =
      R"({"commandId":"c","taskId":"t","status":"success","stepResults":[{"id":"s",)"
      R"("actionType":"read_text","success":true,"data":{"text":"\u00e9\n"}}],"error":null})";
  REQUIRE(parse_envelope(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    const auto cut = parse_envelope(std::string_view(whole).substr(0, length));
    REQUIRE_FALSE(cut);
    CHECK(cut.error().code() == errc::result_envelope_malformed);
  }
}

TEST_CASE("envelope: characters that are none cost their place, not the result", "[contract][F8]") {
  struct Row {
    const char* name;
    std::string value;  // between the quotes
    std::string text;
  };
  const std::string gone = "\xef\xbf\xbd";
  const auto row = GENERATE_COPY(values<Row>({
      {"a high half", R"(a\ud83db)", "a" + gone + "b"},
      {"a low half", R"(a\ude00b)", "a" + gone + "b"},
      {"a high half at the end", R"(a\ud83d)", "a" + gone},
      {"two high halves", R"(\ud83d\ud83d)", gone + gone},
      {"halves the wrong way round", R"(\ude00\ud83d)", gone + gone},
      {"a pair beside a half", R"(\ud83d\ude00\ud83d)", "😀" + gone},
      {"an escaped backslash before u", R"(\\ud83d \ud83d)", R"(\ud83d )" + gone},
      {"a half as three bytes", "a\xed\xa0\xbd!", "a" + gone + "!"},
      {"a stray byte", "a\xff!", "a" + gone + "!"},
      {"a character cut short", "a\xe4\xb8!", "a" + gone + gone + "!"},
      {"a high half before a good pair", R"(\ud83d😀\u00e9)", gone + "😀é"},
  }));
  INFO(row.name);
  const auto envelope =
      parse_envelope(R"({"commandId":"c","taskId":"t","status":"success","stepResults":[{"id":"s",)"
                     R"("actionType":"read_text","success":true,"data":{"text":")" +
                     row.value + R"("}}],"error":null})");
  REQUIRE(envelope);
  CHECK(*find_data(envelope->step_results.at(0).data, "text") == row.text);
}

TEST_CASE("envelope: one limit, and its error names it", "[contract][F16]") {
  const std::string head =
      R"({"commandId":"c","taskId":"t","status":"success","stepResults":[],"error":")";
  const std::string longest = head + std::string(kMaxEnvelopeBytes - head.size() - 2, 'x') + "\"}";
  REQUIRE(longest.size() == kMaxEnvelopeBytes);
  CHECK(parse_envelope(longest).has_value());
  const auto refused = parse_envelope(longest + " ");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::result_envelope_malformed);
  CHECK_THAT(refused.error().members(), Catch::Contains("longer than 64 MiB"));
}
