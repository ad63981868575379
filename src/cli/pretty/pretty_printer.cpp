#include "cli/pretty/pretty_printer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/timing_phases.hpp"
#include "runtime/host/emulator/provision.hpp"
#include "runtime/host/permissions.hpp"
#include "runtime/ui/describe.hpp"

namespace clawperator::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string dump(const OrderedJson& json) {
  return json.dump(2, ' ', false, nlohmann::detail::error_handler_t::replace);
}

// A short value goes on the step's line; a long one, or one of several lines, below it.
bool is_short(std::string_view value) {
  return value.size() <= 60 && value.find('\n') == value.npos;
}

// The app describes a node that it acted on as JSON of 400 bytes.
std::string node_for_people(const std::string& value) {
  const auto node = read_json(value, value.size());
  if (!node || !node->is_object()) return value;
  std::string text;
  const std::string* label = string_member(*node, "label");
  const std::string* description = string_member(*node, "contentDescription");
  if (label && label->empty()) label = description;
  if (label && !label->empty()) text = quote(*label);
  const std::string* id = string_member(*node, "resourceId");
  if (id && !id->empty()) text += " #" + short_id(*id);
  return text.empty() ? "a node" : std::string(trimmed(text));
}

bool is_node(std::string_view key) { return key == "target" || key == "matched_target"; }

std::string step_for_people(const StepResult& step) {
  std::string line = std::string(step.success ? "  ok      " : "  FAILED  ") + step.id;
  if (step.id != step.action_type) line += " (" + step.action_type + ")";
  std::string below;
  std::string target;
  for (const auto& [key, value] : step.data) {
    if (is_node(key) && value == target) continue;
    if (key == "target") target = value;
    if (is_node(key))
      line += "  " + key + "=" + node_for_people(value);
    else if (is_short(value))
      line += "  " + key + "=" + value;
    else
      below += value + (value.ends_with('\n') ? "" : "\n");
  }
  return line + "\n" + below;
}

std::string verdict_of(const Avd& avd) {
  if (avd.supported) return "fits";
  std::string text;
  for (const std::string& reason : avd.unsupported_reasons) {
    text += (text.empty() ? "" : ", ") + reason;
  }
  return text;
}

std::string state_of(const Avd& avd) {
  if (!avd.exists) return "does not exist";
  return avd.running ? "running" : "stopped";
}

std::string grant_line(bool ok, std::string text, const std::optional<std::string>& remark) {
  text = (ok ? "  ok      " : "  FAILED  ") + text;
  if (remark) text += ": " + printable_name(*remark);
  return text + "\n";
}

std::string service_line(const ServiceGrant& grant, std::string name) {
  if (grant.already_enabled) name += " (was enabled)";
  return grant_line(grant.ok, std::move(name), grant.error);
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows) {
  // A longer cell, such as a foreign name, widens only its own row.
  constexpr std::size_t kWidestColumn = 200;
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min(row[i].size(), kWidestColumn));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(std::max(widths[i], row[i].size()) - row[i].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string printable(std::string_view text) { return harmless_text(text, "?"); }

std::string printable_name(std::string name) {
  std::ranges::replace_if(name, [](char c) { return c == '\n' || c == '\t'; }, '?');
  return printable(name);
}

std::string error_for_people(const Error& error) {
  std::string text = std::string(error.code()->published) + ": " + error.message() + "\n";
  OrderedJson members =
      OrderedJson::parse(error.members().empty() ? "{}" : error.members(), nullptr, false);
  if (!members.is_object()) return text;
  if (members.contains("hint") && members["hint"].is_string()) {
    text += "hint: " + members["hint"].get<std::string>() + "\n";
    members.erase("hint");
  }
  return members.empty() ? text : text + dump(members) + "\n";
}

std::string devices_for_people(const std::vector<DeviceRow>& rows) {
  if (rows.empty()) return "no devices\n";
  std::vector<std::vector<std::string>> cells{{"SERIAL", "STATE", "TRANSPORT", "MODEL", "PRODUCT"}};
  for (const DeviceRow& row : rows) {
    cells.push_back({row.serial, row.state.text(), std::string(transport_name(row.transport)),
                     row.model, row.product});
  }
  std::string text = table(cells);
  for (const DeviceRow& row : rows) {
    if (!row.obstacle.empty()) text += row.serial + ": " + row.obstacle + "\n";
    if (row.address.empty()) continue;
    text += row.serial + ": " + std::string(service_name(row)) + " at " + row.address + "\n";
  }
  return text;
}

std::string envelope_for_people(const Envelope& envelope, std::string_view device) {
  const bool success = envelope.status == EnvelopeStatus::success;
  std::string text = (success ? "success  " : "failed  ") + std::string(device) + "\n";
  if (envelope.error) text += "error: " + *envelope.error + "\n";
  if (envelope.error_code) text += "code: " + *envelope.error_code + "\n";
  if (envelope.hint) text += "hint: " + *envelope.hint + "\n";
  for (const StepResult& step : envelope.step_results) text += step_for_people(step);
  return text;
}

std::string timings_for_people(const Timings& timings) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, phase] : kTimingPhases) {
    rows.push_back({"  " + std::string(name), std::to_string((timings.*phase).count()) + " us"});
  }
  return table(rows);
}

std::string avds_for_people(const std::vector<Avd>& avds) {
  if (avds.empty()) return "no virtual devices\n";
  std::vector<std::vector<std::string>> cells{
      {"NAME", "STATE", "API", "ABI", "DEVICE", "PLAY STORE", "VERDICT"}};
  for (const Avd& avd : avds) {
    cells.push_back({avd.name, state_of(avd), avd.api_level ? std::to_string(*avd.api_level) : "?",
                     printable_name(avd.abi.value_or("?")),
                     printable_name(avd.device_profile.value_or("?")),
                     avd.play_store ? "yes" : "no", verdict_of(avd)});
  }
  return table(cells);
}

std::string running_for_people(const std::vector<RunningEmulator>& running) {
  if (running.empty()) return "no emulators run\n";
  std::vector<std::vector<std::string>> cells{{"NAME", "SERIAL", "STATE"}};
  for (const RunningEmulator& emulator : running) {
    cells.push_back({emulator.avd_name.empty() ? "?" : printable_name(emulator.avd_name),
                     emulator.row.serial, emulator.booted ? "booted" : "booting"});
  }
  return table(cells);
}

std::string provisioned_for_people(const Provisioned& done) {
  const std::string way = done.created   ? "created and started"
                          : done.started ? "started"
                                         : "reused";
  return printable_name(done.emulator.avd_name) + " was " + way + " as " +
         done.emulator.row.serial + "\n";
}

std::string missing_for_people(const std::vector<const OperatorFeature*>& missing) {
  std::string text = missing.empty() ? "" : "What this version of the app lacks:\n";
  for (const std::string& line : missing_lines(missing)) text += "- " + line + "\n";
  return text;
}

std::string grants_for_people(const GrantReport& report) {
  const PermissionGrant& notification = report.notification;
  return service_line(report.accessibility, "accessibility service") +
         grant_line(notification.ok,
                    notification.skipped ? "notifications (not needed here)" : "notifications",
                    notification.error) +
         service_line(report.notification_listener, "notification listener");
}

}  // namespace clawperator::cli
