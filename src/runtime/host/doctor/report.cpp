#include "runtime/host/doctor/report.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "runtime/contract/advice.hpp"

namespace clawperator {
namespace {

// Prefixes, as published.
constexpr auto kCritical = std::to_array<std::string_view>({
    "host.adb.server",
    "host.adb.keys",
    "host.usb.access",
    "host.java.version",
    "device.discovery",
    "device.capability",
    "build.",
    "readiness.apk.presence",
    "readiness.version.compatibility",
    "readiness.handshake",
    "readiness.smoke",
});

std::string step_json(const FixStep& step) {
  const bool shell = step.kind == FixStep::Kind::shell;
  return JsonObject().text("kind", shell ? "shell" : "manual").text("value", step.value).str();
}

std::string fix_json(const Fix& fix) {
  JsonObject json;
  json.text("title", fix.title).text("platform", "any");
  json.json("steps", list_json(fix.steps, step_json));
  if (!fix.help_topic.empty()) json.text("help", help_command(fix.help_topic));
  return json.str();
}

std::string guidance_json(const DeviceGuidance& guidance) {
  return JsonObject().text("screen", guidance.screen).strings("steps", guidance.steps).str();
}

JsonObject verdict_json(const Check& check) {
  JsonObject json;
  json.text("status", status_name(check.status));
  if (check.code) json.text("code", (*check.code)->published);
  json.text("summary", check.summary);
  return json;
}

std::string check_json(const Check& check) {
  JsonObject json = check_head(check);
  if (check.fix) json.json("fix", fix_json(*check.fix));
  if (check.guidance) json.json("deviceGuidance", guidance_json(*check.guidance));
  if (!check.evidence.empty()) json.json("evidence", check.evidence);
  return json.str();
}

std::string repair_json(const Repair& repair) {
  JsonObject json;
  json.text("id", repair.before.id).text("action", repair.action).boolean("ok", repair.ok());
  if (repair.error) json.json("error", to_json(*repair.error));
  json.object("before", verdict_json(repair.before)).object("after", verdict_json(repair.after));
  return json.str();
}

bool has_passed(const Check& check) { return check.status == CheckStatus::pass; }

std::string first_command(const Report& report) {
  return "Try: clawperator snapshot" +
         target_flags(report.operator_package, report.device_id.value_or(""));
}

}  // namespace

std::string help_command(std::string_view topic) {
  return "clawperator help" + (topic.empty() ? "" : " " + std::string(topic));
}

Check passed(std::string_view id, std::string summary, std::string evidence) {
  return {.id = std::string(id), .summary = std::move(summary), .evidence = std::move(evidence)};
}

Check troubled(std::string_view id, CheckStatus status, Errc code, std::string summary,
               std::string detail, std::optional<Fix> fix) {
  return {.id = std::string(id),
          .status = status,
          .code = code,
          .summary = std::move(summary),
          .detail = std::move(detail),
          .fix = std::move(fix)};
}

const Check* Report::find(std::string_view id) const {
  const auto found = std::ranges::find(checks, id, &Check::id);
  return found == checks.end() ? nullptr : &*found;
}

bool is_critical(std::string_view check_id) {
  return std::ranges::any_of(kCritical,
                             [&](std::string_view prefix) { return check_id.starts_with(prefix); });
}

bool critical_ok(const Report& report) {
  return std::ranges::none_of(report.checks, [](const Check& check) {
    return check.status == CheckStatus::fail && is_critical(check.id);
  });
}

std::vector<std::string> next_actions(const Report& report) {
  if (report.checks.empty()) return {};
  if (std::ranges::all_of(report.checks, has_passed)) {
    return {"Help: " + help_command(""), first_command(report)};
  }
  std::vector<std::string> actions;
  const auto add = [&](const std::string& action) {
    if (std::ranges::find(actions, action) == actions.end()) actions.push_back(action);
  };
  for (const Check& check : report.checks) {
    if (has_passed(check)) continue;
    if (check.fix) {
      for (const FixStep& step : check.fix->steps) add(step.value);
    }
    if (check.guidance) {
      add("On device, open " + check.guidance->screen + " and follow the listed steps.");
    }
  }
  return actions;
}

Error with_fixes(const Error& error, const Report& report) {
  if (report.repairs.empty() || error.members().contains("\"details\"")) return error;
  JsonObject details, members;
  details.json("fixes", list_json(report.repairs, repair_json));
  return with_members(error, members.object("details", details));
}

JsonObject check_head(const Check& check) {
  JsonObject json;
  json.text("id", check.id).text("status", status_name(check.status));
  if (check.code) json.text("code", (*check.code)->published);
  json.text("summary", check.summary);
  if (!check.detail.empty()) json.text("detail", check.detail);
  return json;
}

std::string_view status_name(CheckStatus status) {
  static constexpr std::string_view kNames[] = {"pass", "warn", "fail"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string to_json(const Report& report) {
  const bool good = critical_ok(report);
  JsonObject json;
  json.boolean("ok", good).boolean("criticalOk", good);
  if (report.device_id) json.text("deviceId", *report.device_id);
  json.text("operatorPackage", report.operator_package);
  json.json("checks", list_json(report.checks, check_json));
  const auto actions = next_actions(report);
  if (!actions.empty()) json.strings("nextActions", actions);
  if (report.fixing) json.json("fixes", list_json(report.repairs, repair_json));
  return json.str();
}

}  // namespace clawperator
