#include "runtime/http/request.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::http;

namespace {

using Segments = std::vector<std::string>;

Request with_host(const std::string& method = "GET") {
  return {.method = method, .headers = {{"host", "Phone.local:3000"}}};
}

}  // namespace

TEST_CASE("target: escapes are decoded once; bad ones and NUL are none") {
  using namespace std::string_literals;
  CHECK(percent_decoded("a%20b%2fc%C3%A9") == "a b/c\xc3\xa9");
  CHECK(percent_decoded("%2541") == "%41");
  CHECK(percent_decoded("a+b") == "a+b");
  CHECK(percent_decoded("") == "");
  for (const auto* bad : {"%", "%4", "a%", "%g0", "%0g", "%-1", "% 1", "%00", "%+1"}) {
    INFO(bad);
    CHECK(percent_decoded(bad) == std::nullopt);
  }
  CHECK(percent_decoded("a\0"s) == std::nullopt);
}

TEST_CASE("target: parameters keep their order, a plus is a blank, what is empty is left out") {
  CHECK(query_parameters("a=1&b=x+y&a=%26%3d&c&&=v&d=e=f&") ==
        Request::Pairs{{"a", "1"}, {"b", "x y"}, {"a", "&="}, {"c", ""}, {"", "v"}, {"d", "e=f"}});
  CHECK(query_parameters("") == Request::Pairs{});
  CHECK(query_parameters("a=%2B")->front().second == "+");
  CHECK(query_parameters("a=%") == std::nullopt);
  CHECK(query_parameters("%=a") == std::nullopt);
}

TEST_CASE("target: a path is split before it is decoded, and nothing of it is resolved") {
  struct Case {
    std::string target;
    std::string path;
    Segments segments;
  };
  const auto each = GENERATE(values<Case>({
      {"/", "/", {}},
      {"/skills/a%20b/run", "/skills/a b/run", {"skills", "a b", "run"}},
      {"//skills///x/", "//skills///x/", {"skills", "x"}},
      {"/a%2Fb/c", "/a/b/c", {"a/b", "c"}},
      {"/../x/./%2e%2e", "/../x/./..", {"..", "x", ".", ".."}},
      {"/x?a=/b", "/x", {"x"}},
      {"http://phone.LOCAL:3000/x", "/x", {"x"}},
      {"HTTP://phone.local:3000", "/", {}},
      {"http://phone.local:3000?a=b", "/", {}},
  }));
  INFO(each.target);
  Request request = with_host();
  REQUIRE(read_target(each.target, &request));
  CHECK(request.target == each.target);
  CHECK(request.path == each.path);
  CHECK(request.segments == each.segments);
}

TEST_CASE("target: a question mark begins the query, further ones belong to it") {
  Request request = with_host();
  REQUIRE(read_target("/x?a=b?c&d", &request));
  CHECK(request.query == Request::Pairs{{"a", "b?c"}, {"d", ""}});
  REQUIRE(read_target("/x?", &request));
  CHECK(request.query.empty());
}

TEST_CASE("target: a star is a target of OPTIONS; of others' hosts nothing is served") {
  Request options = with_host("OPTIONS");
  CHECK(read_target("*", &options));
  CHECK(options.path == "*");
  Request get = with_host();
  for (const auto* bad : {"*", "x", "phone.local:3000", "http://other/",
                          "https://phone.local:3000/", "http:/x", "?a=b", "/%zz", "/x?%"}) {
    INFO(bad);
    CHECK_FALSE(read_target(bad, &get));
  }
  Request no_host{.method = "GET"};
  CHECK_FALSE(read_target("http://phone.local:3000/", &no_host));
}
