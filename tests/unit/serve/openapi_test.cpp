#include "runtime/serve/route_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"

using namespace clawperator;
using namespace clawperator::serve;
using nlohmann::json;

namespace {

json document() { return json::parse(openapi_document(route_table())); }

std::string lower(std::string_view text) { return base::ascii_lower(text); }

// Every $ref below a value.
void add_references(const json& value, std::set<std::string>* references) {
  if (value.is_object() && value.contains("$ref")) references->insert(value["$ref"]);
  if (value.is_structured()) {
    for (const auto& part : value) add_references(part, references);
  }
}

}  // namespace

TEST_CASE("openapi: every route is an operation, and every operation a route", "[serve]") {
  const json paths = document()["paths"];
  std::set<std::string> expected;
  for (const RouteRow& row : route_table()) {
    std::string path(row.path);
    for (const std::string name : {"serial", "name", "hash"}) {
      if (const auto at = path.find(":" + name); at != std::string::npos) {
        path.replace(at, name.size() + 1, "{" + name + "}");
      }
    }
    expected.insert(lower(row.method) + " " + path);
  }
  std::set<std::string> documented;
  for (const auto& [path, operations] : paths.items()) {
    for (const auto& [method, operation] : operations.items())
      documented.insert(method + " " + path);
  }
  CHECK(documented == expected);
}

TEST_CASE("openapi: every operation has a name of its own and its answers", "[serve]") {
  std::set<std::string> names;
  const json paths = document()["paths"];
  for (const auto& [path, operations] : paths.items()) {
    for (const auto& [method, operation] : operations.items()) {
      CAPTURE(method, path);
      CHECK(names.insert(operation["operationId"]).second);
      CHECK(operation["responses"].contains("200"));
      CHECK(operation["responses"].contains("default"));
      CHECK_FALSE(operation["summary"].get<std::string>().empty());
    }
  }
  CHECK(names.contains("getIndex"));
  CHECK(names.contains("postDevicesSerialInput"));
  CHECK(names.contains("getDevicesSerialScreenshotPng"));
}

TEST_CASE("openapi: what is referred to is there, and what is there is referred to", "[serve]") {
  const json api = document();
  std::set<std::string> references;
  add_references(api, &references);
  for (const std::string& reference : references) {
    CAPTURE(reference);
    CHECK(api.contains(json::json_pointer(reference.substr(1))));
  }
  for (const auto& [name, schema] : api["components"]["schemas"].items()) {
    CAPTURE(name);
    CHECK(references.contains("#/components/schemas/" + name));
  }
}

TEST_CASE("openapi: each schema of the file is in the document, in the file's order", "[serve]") {
  const auto api = nlohmann::ordered_json::parse(openapi_document(route_table()));
  std::vector<std::string> names{"Execution"};
  const auto in_file = nlohmann::ordered_json::parse(kOpenApiSchemas);
  for (const auto& [name, schema] : in_file.items()) {
    CAPTURE(name);
    CHECK(api["components"]["schemas"][name] == schema);
    names.push_back(name);
  }
  std::vector<std::string> written;
  for (const auto& [name, schema] : api["components"]["schemas"].items()) written.push_back(name);
  CHECK(written == names);
}

TEST_CASE("openapi: errors stand under the status of their row, with their codes", "[serve]") {
  const json input = document()["paths"]["/devices/{serial}/input"]["post"];
  CHECK(input["responses"]["423"]["description"] == "EXECUTION_CONFLICT_IN_FLIGHT");
  CHECK(input["responses"]["401"]["description"] == "UNAUTHORIZED");
  const std::string wrong = input["responses"]["400"]["description"];
  CHECK(wrong == "INVALID_JSON, INVALID_BODY, INVALID_INPUT, INPUT_TEXT_UNSUPPORTED");
  CHECK(input["requestBody"]["required"] == true);
  CHECK(input["parameters"][0]["name"] == "serial");
}

TEST_CASE("openapi: a session is begun without a token, all else needs one where there is one",
          "[serve]") {
  const json api = document();
  CHECK(api["security"] == json::parse(R"([{},{"token":[]},{"session":[]}])"));
  CHECK(api["paths"]["/session"]["post"]["security"] == json::array());
  CHECK_FALSE(api["paths"]["/session"]["delete"].contains("security"));
}

TEST_CASE("openapi: an execution is described by the contract's own bounds", "[serve]") {
  const json execution = document()["components"]["schemas"]["Execution"]["properties"];
  CHECK(execution["timeoutMs"]["minimum"] == 1000);
  CHECK(execution["timeoutMs"]["maximum"] == 120000);
  CHECK(execution["actions"]["maxItems"] == 50);
  const json types = execution["actions"]["items"]["properties"]["type"]["examples"];
  CHECK(std::ranges::count(types, "open_app") == 1);
  CHECK(std::ranges::count(types, "doctor_ping") == 0);
}
