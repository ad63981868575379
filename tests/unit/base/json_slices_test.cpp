#include "base/json_slices.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using Slices = std::vector<std::string_view>;

TEST_CASE("json slices: the value of a member stands as it came") {
  CHECK(member_slice(R"({"a": 1.50 ,"b":2})", "a") == "1.50");
  CHECK(member_slice(R"({"b":{"a":1},"a":[1, {"x":"]}"}] })", "a") == R"([1, {"x":"]}"}])");
  CHECK(member_slice(R"({ "a" : "x\"y\\" })", "a") == R"("x\"y\\")");
  CHECK(member_slice(R"({"a":1,"a":2})", "a") == "2");
  CHECK(member_slice(R"({"\u0061":true})", "a") == "true");
  CHECK(member_slice("\xef\xbb\xbf{\"a\":null}", "a") == "null");
}

TEST_CASE("json slices: there is none") {
  const auto text = GENERATE(as<std::string>{}, "", "{}", R"({"b":{"a":1}})", R"({"ab":1})",
                             R"(["a"])", R"("a")", R"({"a")", R"({"a":)", "7");
  CHECK(member_slice(text, "a").empty());
}

TEST_CASE("json slices: elements") {
  CHECK(element_slices("[ 1,\"a,b\" , [2,3],{\"x\":[]}]") ==
        Slices{"1", "\"a,b\"", "[2,3]", R"({"x":[]})"});
  CHECK(element_slices("[]").empty());
  CHECK(element_slices("{}").empty());
  CHECK(element_slices("").empty());
}

TEST_CASE("json slices: of what is no JSON, some pieces of it") {
  for (const std::string_view text :
       {"[1", "[1,", "[\"", "[\"\\", "[{\"", "[[[", "[]]", "{\"a\":\"\\", "[}", "[,]"}) {
    CHECK(element_slices(text).size() <= text.size());
    CHECK(member_slice(text, "a").size() <= text.size());
  }
}
