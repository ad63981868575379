#include "cli/grammar/number.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using clawperator::cli::parse_number;

TEST_CASE("number: texts are read as JavaScript's Number() reads them") {
  struct Row {
    const char* text;
    double value;
  };
  const auto row = GENERATE(values<Row>({
      {"0", 0},
      {"1500", 1500},
      {"-5", -5},
      {"+5", 5},
      {"1e3", 1000},
      {"1.5", 1.5},
      {".5", 0.5},
      {"5.", 5},
      {" 42\n", 42},
      {"", 0},
      {"   ", 0},
      {"0x10", 16},
      {"0b101", 5},
      {"0o17", 15},
      {"Infinity", std::numeric_limits<double>::infinity()},
      {"-Infinity", -std::numeric_limits<double>::infinity()},
      {"1e999", std::numeric_limits<double>::infinity()},
      {"1e-999", 0},
  }));
  CAPTURE(row.text);
  CHECK(parse_number(row.text) == row.value);
}

TEST_CASE("number: what is no number is NaN") {
  const auto text = GENERATE(as<std::string>{}, "abc", "12px", "1,5", "--5", "+-5", "1 2", "nan",
                             "inf", "0x", "0xg", "-0x10", "infinity", "1e", "-", "+", ".");
  CAPTURE(text);
  CHECK(std::isnan(parse_number(text)));
}
