#include "runtime/host/phone_report/answers.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "adbproto/wire/screencap.hpp"
#include "base/text.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/engine/service_list.hpp"
#include "runtime/host/phone_maker.hpp"
#include "runtime/host/phone_report/facts.hpp"

namespace clawperator {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kSchemaVersion = 1;
constexpr std::array<std::string_view, 5> kEnded{"whole", "refused", "late", "endless", "broken"};
constexpr std::array<const char*, 4> kRedacted{"serial numbers", "names of users",
                                               "names of other apps", "contents of the log"};

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
  Json& facts = json["facts"] = Json::object();
  for (const Finding& finding : judge_facts(report)) {
    std::string verdict(verdict_name(finding.verdict));
    if (!finding.saw.empty()) verdict += ": " + finding.saw;
    facts[finding.id] = std::move(verdict);
  }
  Json& answers = json["answers"] = Json::array();
  for (const PhoneAnswer& answer : report.answers) answers.push_back(json_of(answer));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

constexpr std::int64_t kAtOnceMs = 700;  // of a follower that is given 1500
constexpr std::size_t kMostShown = 200;  // enough to recognize an answer

using Reader = std::string (*)(const PhoneReport&, const PhoneAnswer&);

// The result of every question without a readable answer; empty: it can be read.
std::string unread(const PhoneAnswer& answer) {
  if (answer.ended == Ended::refused) return "refused";
  if (answer.ended == Ended::broken) return "broken";
  if (answer.ended == Ended::late && answer.bytes == 0) return "never";
  return {};
}

std::string shown(std::string_view text) {
  return std::string(trimmed(text).substr(0, kMostShown));
}

// The line with the reason: Java's name of the exception, else the first.
std::string_view reason_line(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(&rest);
    if (line.contains("Exception: ")) return line;
  }
  return first_line(text);
}

std::string failed(const PhoneAnswer& answer) {
  const std::string reason =
      shown(reason_line(trimmed(answer.err.empty() ? answer.out : answer.err)));
  return "failed" + (reason.empty() ? "" : ": " + reason);
}

bool succeeded(const PhoneAnswer& answer) { return answer.status.value_or(0) == 0; }

std::string first_of(const PhoneReport&, const PhoneAnswer& answer) {
  return succeeded(answer) ? shown(first_line(trimmed(answer.out))) : failed(answer);
}

std::string version(const PhoneReport&, const PhoneAnswer& answer) {
  std::string_view text = answer.out;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    constexpr std::string_view kSdk = "build.version.sdk=";
    if (line.starts_with(kSdk)) return shown(line.substr(kSdk.size()));
  }
  return "unknown";
}

std::string maker(const PhoneReport&, const PhoneAnswer& answer) {
  const PhoneMaker read = parse_maker(answer.out);
  return read.name.empty() ? "unknown" : read.name;
}

std::string shell(const PhoneReport&, const PhoneAnswer& answer) {
  return answer.out.contains("MIRBSD") ? "mksh" : "another";
}

std::string patterns(const PhoneReport&, const PhoneAnswer& answer) {
  const std::string_view first = first_line(trimmed(answer.out));
  if (first == "[a]") return "a bar is a letter";
  return first == "[a|b]" || first == "[]" ? "a bar separates alternatives" : "unknown";
}

std::string start_form(const PhoneReport&, const PhoneAnswer& answer) {
  if (!succeeded(answer)) return failed(answer);
  return trimmed(answer.err).empty() ? "accepted" : "accepted with a warning";
}

// A reader that follows has ended well when our deadline ended it.
std::string follower(const PhoneReport&, const PhoneAnswer& answer) {
  if (answer.ended == Ended::whole) return failed(answer);
  if (!answer.first_ms) return "held back";
  return *answer.first_ms <= kAtOnceMs ? "at once" : "held back";
}

std::string log_level(const PhoneReport&, const PhoneAnswer& answer) {
  if (!succeeded(answer)) return failed(answer);
  if (answer.out.contains("D/ClawperatorProbe")) return "kept";
  return answer.out.contains("probe=") ? "dropped" : "unknown";
}

std::string listing(const PhoneReport& report, const PhoneAnswer& answer) {
  const PackageCheck check = find_packages(answer.out, report.operator_package);
  if (check.installed) return succeeded(answer) ? "listed" : "listed, with an error";
  return succeeded(answer) ? "not listed" : failed(answer);
}

std::string direct_status(const PhoneReport& report, const PhoneAnswer& answer) {
  const bool listed = find_packages(answer.out, report.operator_package).installed;
  return "status " + (answer.status ? std::to_string(*answer.status) : "missing") +
         (listed ? ", answered" : ", not answered");
}

std::string count_users(const PhoneReport&, const PhoneAnswer& answer) {
  std::size_t users = 0;
  for (std::size_t at = 0; (at = answer.out.find("UserInfo{", at)) != std::string::npos; ++at)
    ++users;
  return users == 0 ? failed(answer) : std::to_string(users);
}

std::optional<Bytes> bytes_of(std::string_view hexadecimal) {
  Bytes bytes;
  for (std::size_t at = 0; at + 2 <= hexadecimal.size(); at += 2) {
    unsigned value = 0;
    const char* const begin = hexadecimal.data() + at;
    const auto [end, error] = std::from_chars(begin, begin + 2, value, 16);
    if (error != std::errc{} || end != begin + 2) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

std::string capture(const PhoneReport&, const PhoneAnswer& answer) {
  const auto bytes = bytes_of(answer.out);
  if (!bytes || bytes->size() < adbproto::kScreencapHeaderSize) return failed(answer);
  const auto size = adbproto::expected_screencap_size(*bytes);
  if (!size) return "unknown: " + shown(size.error().message());
  return std::to_string(size->likely_size - size->pixel_bytes) + " bytes of header";
}

std::string accessibility(const PhoneReport&, const PhoneAnswer& answer) {
  const ServiceList list = parse_service_list(answer.out);
  if (list.problem) return *list.problem;
  return list.entries.contains("OperatorAccessibilityService") ? "listed" : "not listed";
}

std::string automation(const PhoneReport&, const PhoneAnswer& answer) {
  if (shows_ui_automation(answer.out)) return "connected";
  return answer.out.contains("ACCESSIBILITY MANAGER") ? "none" : "not told";
}

std::string listeners(const PhoneReport& report, const PhoneAnswer& answer) {
  const auto granted =
      grants_listener(answer.out, notification_listener_component(report.operator_package));
  if (!granted) return "not told";
  return *granted ? "granted" : "not granted";
}

std::string round_trip(const PhoneReport&, const PhoneAnswer& answer) {
  return succeeded(answer) && first_line(trimmed(answer.out)) == "1" ? "kept" : failed(answer);
}

struct Row {
  std::string_view id;
  Reader read;
};
constexpr auto kReaders = std::to_array<Row>({
    {"versions", version},
    {"maker", maker},
    {"shell.version", shell},
    {"shell.patterns", patterns},
    {"log.from_epoch", start_form},
    {"log.from_date", start_form},
    {"log.from_count", start_form},
    {"log.binary", follower},
    {"log.text", follower},
    {"log.level", log_level},
    {"user", first_of},
    {"users", count_users},
    {"abb.status", direct_status},
    {"packages.any_user", listing},
    {"packages.user_0", listing},
    {"packages.user_current", listing},
    {"screen.size", first_of},
    {"screen.capture", capture},
    {"services.accessibility", accessibility},
    {"services.automation", automation},
    {"services.listeners", listeners},
    {"services.restricted", first_of},
    {"settings.round_trip", round_trip},
});

}  // namespace

std::vector<Reading> read_answers(const PhoneReport& report) {
  std::vector<Reading> readings;
  for (const Row& row : kReaders) {
    const PhoneAnswer* answer = report.find(row.id);
    if (answer == nullptr) continue;
    std::string value = unread(*answer);
    if (value.empty()) value = row.read(report, *answer);
    readings.push_back({std::string(row.id), std::move(value)});
  }
  return readings;
}

std::string reading_of(const PhoneReport& report, std::string_view name) {
  const auto readings = read_answers(report);
  const auto at = std::ranges::find(readings, name, &Reading::name);
  return at == readings.end() ? std::string() : at->value;
}

}  // namespace clawperator
