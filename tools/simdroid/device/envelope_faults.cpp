#include "simdroid/device/envelope_faults.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/crypto/sha256.hpp"
#include "simdroid/operator/node_json.hpp"

namespace simdroid {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kForeignId = "another-host-";

// The beginning of a line's JSON.
std::size_t json_at(const std::string& line) { return line.find("] ") + 2; }

Json json_of(const std::string& line) {
  return Json::parse(line.substr(json_at(line)), nullptr, false);
}

void put_json(std::string& line, const Json& json) {
  line = line.substr(0, json_at(line)) + json_text(json);
}

void alter_steps(const std::string& what, Json& envelope) {
  Json& steps = envelope["stepResults"];
  if (what == "task") envelope["taskId"] = "another-task";
  if (what == "steps" && !steps.empty()) steps.erase(steps.size() - 1);
  for (Json& step : steps) {
    if (what == "ids") step["id"] = step["id"].get<std::string>() + "-other";
    if (what == "types") step["actionType"] = step["actionType"] == "sleep" ? "press_key" : "sleep";
  }
}

// One record that announces far more than is ever sent.
std::string announcement(const OperatorNames& names, const ResultIds& ids, const std::string& line,
                         std::int64_t bytes) {
  constexpr std::size_t kLong = 4096;
  std::string record = result_records(names, ids, line + std::string(kLong, ' ')).front();
  Json json = json_of(record);
  json["byteLength"] = bytes;
  json["count"] = (bytes + 1023) / 1024;
  put_json(record, json);
  return record;
}

void lose(const std::string& which, std::vector<std::string>& records) {
  if (which == "all") records.clear();
  if (records.size() < 2) return;
  const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
  records.erase(which == "first"    ? records.begin()
                : which == "middle" ? middle
                                    : records.end() - 1);
}

void interleave(const OperatorNames& names, std::vector<std::string>& records) {
  constexpr std::size_t kLong = 5000;
  const std::string line = names.line(
      "Result", R"({"commandId":"somebody-else","taskId":"t","status":"success","stepResults":[],)"
                R"("error":null,"filler":")" +
                    std::string(kLong, 'x') + "\"}");
  const auto others = result_records(names, {"somebody-else", "t"}, line);
  std::vector<std::string> mixed;
  for (std::size_t i = 0; i < std::max(records.size(), others.size()); ++i) {
    if (i < others.size()) mixed.push_back(others[i]);
    if (i < records.size()) mixed.push_back(records[i]);
  }
  records = std::move(mixed);
}

}  // namespace

void alter_envelope(const Faults& faults, std::string& line) {
  if (faults.active(Fault::envelope_altered)) {
    Json envelope = json_of(line);
    alter_steps(faults.text(Fault::envelope_altered), envelope);
    put_json(line, envelope);
  }
  if (faults.active(Fault::envelope_malformed)) line.resize(line.size() - line.size() / 3);
}

void alter_records(const Faults& faults, const OperatorNames& names, const ResultIds& ids,
                   const std::string& line, std::vector<std::string>& records) {
  const std::size_t middle = records.size() / 2;
  if (faults.active(Fault::piece_announces)) {
    records = {announcement(names, ids, line, faults.number(Fault::piece_announces))};
  }
  if (faults.active(Fault::piece_hash_wrong) && records.size() > 1) {
    for (std::string& record : records) {
      Json json = json_of(record);
      json["sha256"] = adbproto::sha256_of("something else");
      put_json(record, json);
    }
  }
  if (faults.active(Fault::piece_repeated) && records.size() > 1) {
    records.insert(records.begin() + static_cast<std::ptrdiff_t>(middle), records[middle]);
  }
  if (faults.active(Fault::pieces_swapped) && records.size() > 1) {
    std::swap(records[middle - 1], records[middle]);
  }
  if (faults.active(Fault::piece_lost)) lose(faults.text(Fault::piece_lost), records);
  if (faults.active(Fault::pieces_foreign)) interleave(names, records);
}

std::string forged_envelope(const OperatorNames& names, std::string_view payload) {
  const Json command = Json::parse(payload, nullptr, false);
  if (!command.is_object() || !command.contains("actions")) return {};
  Json envelope{{"commandId", command.value("commandId", "")},
                {"taskId", command.value("taskId", "")},
                {"status", "success"},
                {"stepResults", Json::array()},
                {"error", nullptr}};
  for (const Json& action : command["actions"]) {
    envelope["stepResults"].push_back({{"id", action.value("id", "")},
                                       {"actionType", action.value("type", "")},
                                       {"success", true},
                                       {"data", {{"forged", "true"}}}});
  }
  return names.line("Result", json_text(envelope));
}

std::string foreign_payload(std::uint64_t number, std::int64_t milliseconds) {
  const std::string id = std::string(kForeignId) + std::to_string(number);
  return json_text({{"commandId", id},
                    {"taskId", "another-task"},
                    {"source", "another-host"},
                    {"expectedFormat", "android-ui-automator"},
                    {"timeoutMs", 120000},
                    {"actions", Json::array({{{"id", "wait"},
                                              {"type", "sleep"},
                                              {"params", {{"durationMs", milliseconds}}}}})}});
}

bool is_foreign(std::string_view command_id) { return command_id.starts_with(kForeignId); }

}  // namespace simdroid
