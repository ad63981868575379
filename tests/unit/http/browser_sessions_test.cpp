#include "runtime/http/access.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

using namespace clawperator::http;

TEST_CASE("browser sessions: one is known until it is ended") {
  BrowserSessions sessions;
  CHECK_FALSE(sessions.contains(""));
  const auto one = sessions.begin();
  const auto other = sessions.begin();
  REQUIRE(one);
  REQUIRE(other);
  CHECK(*one != *other);
  CHECK(sessions.contains(*one));
  CHECK_FALSE(sessions.contains(""));
  CHECK_FALSE(sessions.contains(one->substr(1)));
  CHECK_FALSE(sessions.contains(*one + "0"));
  CHECK_FALSE(sessions.contains(*one + *one));
  sessions.end(*one);
  sessions.end("unknown");
  CHECK_FALSE(sessions.contains(*one));
  CHECK(sessions.contains(*other));
}

TEST_CASE("browser sessions: there are 64 at most, the oldest goes first") {
  BrowserSessions sessions;
  std::vector<std::string> values;
  for (std::size_t i = 0; i <= BrowserSessions::kMost; ++i) values.push_back(*sessions.begin());
  CHECK(std::set<std::string>(values.begin(), values.end()).size() == values.size());
  CHECK_FALSE(sessions.contains(values.front()));
  for (std::size_t i = 1; i < values.size(); ++i) CHECK(sessions.contains(values[i]));
}

TEST_CASE("browser sessions: a value is 32 letters and digits") {
  const auto value = random_token();
  REQUIRE(value);
  CHECK(value->size() == 32);
  CHECK(value->find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz") == std::string::npos);
}

TEST_CASE("browser sessions: secrets are compared whole") {
  CHECK(equal_in_constant_time("s3cret", "s3cret"));
  for (const auto* given : {"", "s3cre", "s3crett", "s3creT", "s3crets3cret"}) {
    CAPTURE(given);
    CHECK_FALSE(equal_in_constant_time(given, "s3cret"));
  }
  CHECK_FALSE(equal_in_constant_time("", ""));
  CHECK_FALSE(equal_in_constant_time("x", ""));
}
