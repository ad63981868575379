#include "runtime/contract/envelope.hpp"

#include <catch2/catch.hpp>

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
    CHECK(cut.error().code() == adbproto::Errc::result_envelope_malformed);
  }
}
