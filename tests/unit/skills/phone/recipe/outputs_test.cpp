#include "skills/phone/recipe/outputs.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/secrets.hpp"

using namespace base;
using namespace clawperator::recipe;

TEST_CASE("outputs: a text is a value of its type, or none", "[skills]") {
  struct Case {
    std::string_view type, text, json;  // empty: none
  };
  const Case cases[] = {
      {"string", " as it is ", R"(" as it is ")"},
      {"number", "85 %", "85"},
      {"number", "21,5 \u00b0C", "21.5"},
      {"number", "-3", "-3"},
      {"number", "\u22123.25 kWh", "-3.25"},
      {"number", "Total: 7.", "7"},
      {"number", "Balance: -$12.50", "-12.5"},
      {"number", "\u2013\u20ac5", "-5"},
      {"number", "COVID-19", "19"},
      {"number", "Wi-Fi 6", "6"},
      {"number", "0.125", "0.125"},
      {"number", "0,125", "0.125"},
      {"number", "- 5", ""},
      {"number", "Battery - 85 %", ""},
      {"number", ".5", ""},
      {"number", "1.234", ""},
      {"number", "9007199254740993", ""},
      {"number", "12345", "12345"},
      {"number", "1,234", ""},
      {"number", "1.234,5", ""},
      {"number", "1,2,3", ""},
      {"number", "1.2.3", ""},
      {"number", "2 of 3", ""},
      {"number", "none", ""},
      {"number", "", ""},
      {"boolean", "On", "true"},
      {"boolean", "TRUE", "true"},
      {"boolean", " no\n", "false"},
      {"boolean", "0", "false"},
      {"boolean", "An", ""},
      {"boolean", "", ""},
  };
  for (const auto& [type, text, json] : cases) {
    INFO(type << " of '" << text << "'");
    const auto value = value_of(type, text);
    CHECK((value ? write_json(*value) : "") == json);
  }
}

TEST_CASE("outputs: a redacted value is not the value", "[skills]") {
  const Json value = "Jo Doe";
  CHECK(redacted(value, Redaction::none) == value);
  CHECK(redacted(value, Redaction::mask) == Json(kMask));
  CHECK_FALSE(redacted(value, Redaction::drop));
  // printf %s 'Jo Doe' | sha256sum; printf %s 21.5 | sha256sum
  CHECK(redacted(value, Redaction::hash) ==
        Json("sha256:7c0a7e89233a8995b28797cef6c18a119c98324f05a9a036040ec5122d86e43b"));
  CHECK(redacted(Json(21.5), Redaction::hash) ==
        Json("sha256:a20fa123d4d8977782c80981ddbe6177a8d5ba294eaffd08a88669e246c37110"));
}
