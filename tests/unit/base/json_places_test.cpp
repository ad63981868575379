#include "base/json_places.hpp"

#include <catch2/catch.hpp>

using namespace base;

namespace {

using Path = std::vector<std::string>;

TextPlace at(std::string_view json, const Path& path) {
  JsonPart part = json_part(json, "-");  // the whole
  for (const std::string& name : path) part = json_part(json, name, part);
  return part.place;
}

constexpr std::string_view kJson = R"( {
  "a": [1, "é]", {"b": -1.5e3}],
  "\"c\\": true, "a\"": {}, "d" : [],
  "e": {{X}}, "f": null
})";

}  // namespace

TEST_CASE("json places: of members and elements, a missing one is its parent", "[base]") {
  CHECK(at(kJson, {}) == TextPlace{1, 2});
  CHECK(at(kJson, {"a"}) == TextPlace{2, 8});
  CHECK(at(kJson, {"a", "1"}) == TextPlace{2, 12});
  CHECK(at(kJson, {"a", "2"}) == TextPlace{2, 18});  // in characters
  CHECK(at(kJson, {"a", "2", "b"}) == TextPlace{2, 24});
  CHECK(at(kJson, {"a", "3"}) == TextPlace{2, 8});
  CHECK(at(kJson, {"a", "2", "b", "0"}) == TextPlace{2, 24});
  CHECK(at(kJson, {"d"}) == TextPlace{3, 35});
  CHECK(at(kJson, {"f"}) == TextPlace{4, 20});  // behind a placeholder
  CHECK(at(kJson, {"none"}) == TextPlace{1, 2});
  CHECK(at(R"({"a":1,"a":2})", {"a"}) == TextPlace{1, 12});
  CHECK(json_parts(kJson, json_part(kJson, "a")).size() == 3);
  CHECK(json_parts(kJson, json_part(kJson, "f")).empty());
}

TEST_CASE("json places: a text that is no JSON ends the search", "[base]") {
  for (const std::string_view json :
       {"", " ", "{", "[", "[:", "[::1", "{:1}", "{1:2}", "[1 2", "{\"a", "{\"a\\", "{\"a\":", "]]",
        "[}", "{]", "[\"", "[1,,2"}) {
    CAPTURE(std::string(json));
    const JsonPart part = json_part(json, "0", json_part(json, "a"));
    CHECK(part.offset <= json.size());
    CHECK(json_parts(json, JsonPart()).size() < 5);
  }
}

TEST_CASE("json places: the place in a parser's message", "[base]") {
  CHECK(place_in("parse error at line 12, column 5: syntax error") == TextPlace{12, 5});
  // At a line feed; a place that a code host does not take.
  CHECK(place_in("parse error at line 12, column 0: syntax error") == TextPlace{12, 1});
  CHECK(place_in("no place") == TextPlace{1, 1});
  CHECK(place_in("line x, column 99999999999999999999") == TextPlace{1, 1});
}
