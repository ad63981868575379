#include "skills/yaml/yaml.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

using namespace clawperator;

namespace {

std::string shown(TextPlace place) {
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string fault_of(std::string_view text) {
  YamlPlaces places;
  const auto read = read_placed_yaml(text, 10, &places);
  REQUIRE_FALSE(read);
  return shown(read.error().place) + " " + read.error().error.message();
}

}  // namespace

TEST_CASE("yaml: every name and value has its place", "[skills]") {
  YamlPlaces places;
  const auto json =
      read_placed_yaml("a: 1\nb:\n  - x\n  - c: ä {y}\n    d:\ne: {f: 2}\n", 10, &places);
  REQUIRE(json);
  CHECK(json->dump() == R"({"a":1.0,"b":["x",{"c":"ä {y}","d":null}],"e":{"f":2.0}})");
  CHECK(shown(places.value) == "10:1");
  CHECK(shown(places.inside[0].name) == "10:1");
  CHECK(shown(places.inside[0].value) == "10:4");
  const YamlPlaces& list = places.inside[1];
  CHECK(shown(list.name) == "11:1");
  CHECK(shown(list.value) == "12:5");
  CHECK(shown(list.inside[1].value) == "13:5");
  CHECK(shown(list.inside[1].inside[0].value) == "13:8");
  CHECK(shown(list.inside[1].inside[1].name) == "14:5");
  CHECK(list.inside[1].inside[1].value.line == 14);
  CHECK(shown(places.inside[2].inside[0].value) == "15:8");
}

TEST_CASE("yaml: a fault has its place", "[skills]") {
  CHECK(fault_of("a: 1\nb: [1\n").starts_with("1"));
  CHECK(fault_of("a: 1\nb: 2\na: 3\n") == "12:1 map keys must be unique: a");
  CHECK(fault_of("a: &x 1\nb: *x\n") == "11:4 an alias (*) is not allowed");
  CHECK(fault_of("a: &a [*a]\n") == "10:8 an alias (*) is not allowed");
  CHECK(fault_of(std::string("a: \0", 4)) == "10:1 a NUL in YAML");
  CHECK(fault_of(std::string(kMaxYaml + 1, 'a')) == "10:1 over 64 KiB of YAML");
  CHECK(fault_of("a: " + std::string(100, '[')).starts_with("10:"));
  CHECK(fault_of("a: " + std::string(80, '[') + std::string(80, ']')) ==
        "10:66 Max depth (64) exceeded");
}

TEST_CASE("yaml: without places an alias is followed, within bounds", "[skills]") {
  const auto json = read_yaml("a: &x [1]\nb: *x\n");
  REQUIRE(json);
  CHECK(json->dump() == R"({"a":[1.0],"b":[1.0]})");
  const auto broken = read_yaml("a: 1\nb: [1\n");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message().starts_with("line "));
}
