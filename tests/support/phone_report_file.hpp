#pragma once
// Reads the file of a phone report again: any version of it that has these members; others are
// passed over. protocol when it is none.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "runtime/host/phone_report/answers.hpp"

namespace clawperator {

namespace report_file {

using Json = nlohmann::ordered_json;

template <class T>
T member(const Json& json, const char* name, T otherwise) {
  const auto at = json.find(name);
  if (at == json.end()) return otherwise;
  const bool fits = std::is_same_v<T, std::string> ? at->is_string() : at->is_number_integer();
  return fits ? at->get<T>() : otherwise;
}

inline std::optional<std::int64_t> number(const Json& json, const char* name) {
  const auto at = json.find(name);
  if (at == json.end() || !at->is_number_integer()) return std::nullopt;
  return at->get<std::int64_t>();
}

inline PhoneAnswer answer_of(const Json& json) {
  PhoneAnswer answer;
  answer.id = member<std::string>(json, "id", "");
  answer.service = member<std::string>(json, "service", "");
  for (const Ended ended : {Ended::whole, Ended::refused, Ended::late, Ended::endless}) {
    if (ended_name(ended) == member<std::string>(json, "ended", "")) answer.ended = ended;
  }
  if (const auto status = number(json, "status")) answer.status = static_cast<int>(*status);
  answer.first_ms = number(json, "firstByteMs");
  answer.end_ms = member<std::int64_t>(json, "endMs", 0);
  answer.bytes = member<std::uint64_t>(json, "bytes", 0);
  answer.out = member<std::string>(json, "out", "");
  answer.err = member<std::string>(json, "err", "");
  return answer;
}

inline Result<PhoneReport> parse_phone_report(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || number(json, "schemaVersion") != 1) {
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

}  // namespace report_file

using report_file::parse_phone_report;

}  // namespace clawperator
