#include "runtime/contract/parse.hpp"

#include "unit/contract/cases.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "base/error_members.hpp"
#include "runtime/contract/envelope.hpp"

namespace cases {
namespace {

Json expanded(const Json& value) {
  if (value.is_object() && value.contains("@repeat")) {
    const Json unit = expanded(value["@repeat"][0]);
    const auto count = value["@repeat"][1].get<std::size_t>();
    if (!unit.is_string()) return Json(count, unit);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += unit.get_ref<const std::string&>();
    return text;
  }
  Json out = value;
  if (out.is_structured())
    for (auto& item : out) item = expanded(item);
  return out;
}

std::string payload(const Json& base, const Json& row) {
  const Json input = expanded(row["input"]);
  if (input.is_string()) return input.get<std::string>();
  Json merged = base;
  for (const auto& name : row.value("without", Json::array()))
    merged.erase(name.get<std::string>());
  for (const auto& [name, value] : input.items()) merged[name] = value;
  return merged.dump();
}

}  // namespace

std::vector<Row> load(const std::string& file) {
  std::ifstream stream(std::string(CLAWPERATOR_SOURCE_DIR "/tests/contract/cases/") + file);
  const Json table = Json::parse(stream);
  std::vector<Row> rows;
  for (const Json& row : table["rows"])
    rows.push_back({row["id"], payload(table["base"], row), expanded(row["expect"])});
  return rows;
}

}  // namespace cases

namespace {

using cases::Json;

void check_refusal(const Json& expect, const adbproto::Error& error) {
  const Json shown = Json::parse(base::to_json(error));
  CHECK(shown["code"] == expect["code"]);
  CHECK(shown["message"] == expect["message"]);
  if (!expect.contains("details")) return;
  Json details = shown["details"];
  const std::string reason = details["reason"];
  CHECK_FALSE(reason.empty());
  details.erase("reason");
  CHECK(details.dump() == expect["details"].dump());
  if (!expect.contains("issues")) return;
  Json messages = Json::array();
  for (const Json& issue : Json::parse(reason)) messages.push_back(issue["message"]);
  CHECK(messages.dump(1) == expect["issues"].dump(1));
}

adbproto::Result<clawperator::Execution> validate(const std::string& payload) {
  TRY(auto execution, clawperator::parse_execution(payload));
  TRY_VOID(clawperator::check_size(execution));
  return execution;
}

void check_row(const cases::Row& row) {
  INFO(row.id);
  const auto execution = validate(row.input);
  if (row.expect.contains("code")) {
    REQUIRE_FALSE(execution);
    return check_refusal(row.expect, execution.error());
  }
  if (!execution) FAIL(base::to_json(execution.error()));
  const Json shown = Json::parse(clawperator::to_json(*execution));
  // Objects compare in member order; 5 and 5.0 are one number.
  for (const auto& [name, value] : row.expect["execution"].items()) CHECK(shown[name] == value);
}

}  // namespace

TEST_CASE("contract cases: every id is used once", "[contract]") {
  std::set<std::string> ids;
  for (const char* file : {"validation.json", "aliases.json", "envelope.json"})
    for (const auto& row : cases::load(file)) CHECK(ids.insert(row.id).second);
}

TEST_CASE("contract cases: every validation row", "[contract]") {
  for (const auto& row : cases::load("validation.json")) check_row(row);
}

TEST_CASE("contract cases: every alias row", "[contract]") {
  for (const auto& row : cases::load("aliases.json")) check_row(row);
}

TEST_CASE("contract cases: every envelope row", "[contract]") {
  for (const auto& row : cases::load("envelope.json")) {
    INFO(row.id);
    const auto envelope = clawperator::parse_envelope(row.input);
    if (row.expect.contains("envelope")) {
      REQUIRE(envelope);
      CHECK(Json::parse(clawperator::to_json(*envelope)).dump() == row.expect["envelope"].dump());
    } else {
      REQUIRE_FALSE(envelope);
      check_refusal(row.expect, envelope.error());
    }
  }
}
