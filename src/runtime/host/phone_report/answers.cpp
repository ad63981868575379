#include "runtime/host/phone_report/answers.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "runtime/host/phone_report/readings.hpp"

namespace clawperator {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kSchemaVersion = 1;
constexpr std::array<std::string_view, 5> kEnded{"whole", "refused", "late", "endless", "broken"};
constexpr std::array<const char*, 4> kRedacted{"serial numbers", "names of users",
                                               "names of other apps", "contents of the log"};

std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const PhoneAnswer& answer) {
  Json json;
  json["id"] = answer.id;
  json["service"] = answer.service;
  json["ended"] = ended_name(answer.ended);
  if (answer.status) json["status"] = *answer.status;
  if (answer.first_ms) json["firstByteMs"] = *answer.first_ms;
  json["endMs"] = answer.end_ms;
  json["bytes"] = answer.bytes;
  if (!answer.out.empty()) json["out"] = answer.out;
  if (!answer.err.empty()) json["err"] = answer.err;
  return json;
}

template <class T>
T member(const Json& json, const char* name, T otherwise) {
  const auto at = json.find(name);
  if (at == json.end()) return otherwise;
  const bool fits = std::is_same_v<T, std::string> ? at->is_string() : at->is_number_integer();
  return fits ? at->get<T>() : otherwise;
}

std::optional<std::int64_t> number(const Json& json, const char* name) {
  const auto at = json.find(name);
  if (at == json.end() || !at->is_number_integer()) return std::nullopt;
  return at->get<std::int64_t>();
}

PhoneAnswer answer_of(const Json& json) {
  PhoneAnswer answer;
  answer.id = member<std::string>(json, "id", "");
  answer.service = member<std::string>(json, "service", "");
  const auto ended = std::ranges::find(kEnded, member<std::string>(json, "ended", "broken"));
  answer.ended = ended == kEnded.end() ? Ended::broken : Ended(ended - kEnded.begin());
  if (const auto status = number(json, "status")) answer.status = static_cast<int>(*status);
  answer.first_ms = number(json, "firstByteMs");
  answer.end_ms = member<std::int64_t>(json, "endMs", 0);
  answer.bytes = member<std::uint64_t>(json, "bytes", 0);
  answer.out = member<std::string>(json, "out", "");
  answer.err = member<std::string>(json, "err", "");
  return answer;
}

}  // namespace

std::string_view ended_name(Ended ended) { return kEnded[static_cast<std::size_t>(ended)]; }

const PhoneAnswer* PhoneReport::find(std::string_view id) const {
  const auto at = std::ranges::find(answers, id, &PhoneAnswer::id);
  return at == answers.end() ? nullptr : &*at;
}

std::string to_json(const PhoneReport& report) {
  Json json;
  json["schemaVersion"] = kSchemaVersion;
  json["program"] = report.program;
  json["redacted"] = kRedacted;
  json["settingsConsented"] = report.settings_consented;
  json["operatorPackage"] = report.operator_package;
  json["route"] = report.route;
  json["maxServiceSize"] = report.max_service_size;
  json["features"] = report.features;
  Json& readings = json["readings"] = Json::object();
  for (const Reading& reading : read_answers(report)) readings[reading.name] = reading.value;
  Json& answers = json["answers"] = Json::array();
  for (const PhoneAnswer& answer : report.answers) answers.push_back(json_of(answer));
  return dump(json, 2) + "\n";
}

Result<PhoneReport> parse_phone_report(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || number(json, "schemaVersion") != kSchemaVersion) {
    return fail(errc::protocol, "no phone report of version 1");
  }
  PhoneReport report;
  report.program = member<std::string>(json, "program", "");
  report.route = member<std::string>(json, "route", "");
  report.operator_package = member<std::string>(json, "operatorPackage", "");
  report.max_service_size = member<std::uint64_t>(json, "maxServiceSize", 0);
  report.settings_consented = json.value("settingsConsented", Json()) == Json(true);
  const Json features = json.value("features", Json::array());
  for (const Json& feature : features) {
    if (feature.is_string()) report.features.push_back(feature);
  }
  const Json answers = json.value("answers", Json::array());
  for (const Json& answer : answers) {
    if (answer.is_object()) report.answers.push_back(answer_of(answer));
  }
  return report;
}

}  // namespace clawperator
