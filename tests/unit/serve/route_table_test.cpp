#include "runtime/serve/route_table.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace clawperator::serve;

namespace {

using Segments = std::vector<std::string>;

std::string path_of(std::string_view method, const Segments& segments) {
  const FoundRoute found = find_route(route_table(), method, segments);
  return found.row ? std::string(found.row->path) : "";
}

}  // namespace

TEST_CASE("route table: no row twice, every path begins with a slash", "[serve]") {
  std::set<std::pair<std::string_view, std::string_view>> rows;
  for (const RouteRow& row : route_table()) {
    CAPTURE(row.method, row.path);
    CHECK(rows.emplace(row.method, row.path).second);
    CHECK(row.path.starts_with('/'));
    CHECK(row.answer != nullptr);
    CHECK_FALSE(row.summary.empty());
  }
}

TEST_CASE("route table: values of named segments come in their order", "[serve]") {
  const FoundRoute found =
      find_route(route_table(), "GET", {"devices", "127.0.0.1:5555", "snapshot"});
  REQUIRE(found.row);
  CHECK(found.row->path == "/devices/:serial/snapshot");
  CHECK(found.parameters == Segments{"127.0.0.1:5555"});
}

TEST_CASE("route table: a word of its own comes before a name", "[serve]") {
  CHECK(path_of("GET", {"android", "emulators", "running"}) == "/android/emulators/running");
  CHECK(path_of("GET", {"android", "emulators", "pixel"}) == "/android/emulators/:name");
}

TEST_CASE("route table: HEAD is GET's", "[serve]") {
  CHECK(path_of("HEAD", {}) == "/");
  CHECK(path_of("HEAD", {"execute"}).empty());
}

TEST_CASE("route table: what is no route, and what is one for others", "[serve]") {
  CHECK(find_route(route_table(), "GET", {"nowhere"}).allowed.empty());
  CHECK(find_route(route_table(), "GET", {"devices", "x", "snapshot", "y"}).allowed.empty());
  CHECK(find_route(route_table(), "get", {"devices"}).allowed == "GET");
  CHECK(find_route(route_table(), "GET", {"execute"}).allowed == "POST");
  CHECK(find_route(route_table(), "POST", {"android", "emulators", "x"}).allowed == "GET, DELETE");
}
