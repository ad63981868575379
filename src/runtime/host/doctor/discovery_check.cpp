#include <algorithm>

#include "runtime/contract/advice.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/host/doctor/host_checks.hpp"

// The part of host_checks.hpp that is about the device all ways lead to.
namespace clawperator {

namespace {

using Step = FixStep::Kind;

constexpr std::string_view kDiscovery = "device.discovery";

// Of the server's list any row counts, as with adb; of the other ways only when none is ready.
std::vector<DeviceRow> rows_to_judge(const HostFacts& facts) {
  return facts.unresolved ? facts.rows : facts.server.rows;
}

const DeviceRow* find_in_state(const std::vector<DeviceRow>& rows, const Question& question,
                               State state) {
  const auto at = std::ranges::find_if(
      rows, [&](const DeviceRow& row) { return row.state == state && question.matches(row); });
  return at == rows.end() ? nullptr : &*at;
}

std::string states_json(const std::vector<DeviceRow>& rows) {
  JsonObject states;
  for (const DeviceRow& row : rows) states.text(row.serial, row.state.text());
  return JsonObject().object("states", states).str();
}

Check none_found(const HostFacts& facts) {
  Check check =
      troubled(kDiscovery, CheckStatus::fail, errc::no_devices, "No device is connected.");
  if (!facts.rows.empty()) check.evidence = states_json(facts.rows);
  check.fix = Fix{.title = "Connect a device",
                  .steps = {{Step::manual,
                             "Plug an Android device in by USB with USB debugging on, or connect "
                             "one in the network by its address: see `clawperator connect "
                             "--help`."},
                            {Step::shell, "clawperator devices --discover"}},
                  .docs_url = std::string(kSetupDocs)};
  return check;
}

Check unauthorized(const DeviceRow& row) {
  Check check = troubled(kDiscovery, CheckStatus::fail, errc::device_unauthorized,
                         "Device " + row.serial + " has not allowed debugging from this computer.");
  check.fix = Fix{
      .title = "Allow debugging on the device",
      .steps = {{Step::manual, "Unlock " + row.serial +
                                   " and accept the question whether to allow debugging from this "
                                   "computer; if none is shown, unplug the device and plug it in "
                                   "again."}},
      .docs_url = std::string(kSetupDocs)};
  check.guidance = DeviceGuidance{
      "the debugging prompt",
      {"Unlock the device.", "Tick \"Always allow from this computer\".", "Tap Allow.",
       "No prompt? Settings > Developer options > Revoke USB debugging authorizations, then "
       "reconnect."}};
  return check;
}

Check offline(const DeviceRow& row) {
  Check check = troubled(kDiscovery, CheckStatus::fail, errc::device_offline,
                         "Device " + row.serial + " is known, but does not answer.");
  check.detail = row.obstacle;
  check.fix = Fix{
      .title = "Bring the device back",
      .steps = {{Step::manual, "Reconnect " + row.serial +
                                   " (replug the cable, or disconnect and connect its address), "
                                   "wake it, and restart it if that does not help."}},
      .docs_url = {}};
  return check;
}

Check too_many(const HostFacts& facts) {
  const auto serials = ready_serials(facts.rows);
  Check check =
      troubled(kDiscovery, CheckStatus::warn, errc::multiple_devices_device_id_required,
               std::to_string(serials.size()) + " devices are connected, and none is named.");
  check.detail = "The checks of the device itself need one: pass --device.";
  check.evidence = JsonObject().strings("devices", serials).str();
  Fix fix{.title = "Name the device", .steps = {}, .docs_url = {}};
  for (const std::string& serial : serials) {
    fix.steps.push_back({Step::shell, "clawperator doctor --device " + shell_word(serial)});
  }
  check.fix = std::move(fix);
  return check;
}

Check not_found(const HostFacts& facts) {
  const std::string asked = facts.question.serial.value_or("");
  Check check = troubled(kDiscovery, CheckStatus::fail, errc::device_not_found,
                         "Device " + asked + " is not connected.");
  check.evidence = JsonObject().strings("connected", ready_serials(facts.rows)).str();
  check.detail = facts.unresolved->message();
  for (const DeviceRow& row : facts.rows) {
    if (facts.question.matches(row)) check.detail = "it is in state " + row.state.text();
  }
  check.fix = Fix{.title = "Name a device that is there",
                  .steps = {{Step::shell, "clawperator devices"},
                            {Step::manual, "Reconnect " + asked +
                                               ", or pass --device with a serial of that list."}},
                  .docs_url = {}};
  return check;
}

// Errors of the link itself have no published meaning here.
Errc published_code(Errc code) {
  const bool silent = code == errc::deadline_exceeded || code == errc::closed || code == errc::io ||
                      code == errc::protocol;
  return silent ? errc::device_offline : code;
}

// The device was found in the list and could not be opened all the same.
Check unopened(const Error& why) {
  Check check = troubled(kDiscovery, CheckStatus::fail, published_code(why.code()),
                         "The device cannot be reached.");
  check.detail = why.message();
  check.fix = Fix{.title = "Look at the ways to the device",
                  .steps = {{Step::shell, "clawperator devices -l"}},
                  .docs_url = {}};
  return check;
}

}  // namespace

Check check_discovery(const HostFacts& facts) {
  const auto rows = rows_to_judge(facts);
  const auto* locked = find_in_state(rows, facts.question, State::unauthorized);
  if (!locked) locked = find_in_state(rows, facts.question, State::authorizing);
  if (locked) return unauthorized(*locked);
  if (const auto* silent = find_in_state(rows, facts.question, State::offline))
    return offline(*silent);
  if (!facts.unresolved) {
    return passed(kDiscovery, "Device " + facts.serial + " is connected.",
                  JsonObject().text("serial", facts.serial).text("transport", facts.route).str());
  }
  switch (facts.unresolved->code()) {
    case errc::multiple_devices_device_id_required: return too_many(facts);
    case errc::device_unauthorized:
      return unauthorized({.serial = facts.question.serial.value_or("the device")});
    case errc::device_not_found: {
      const bool nothing = facts.rows.empty() && facts.server.is_asked;
      return nothing ? none_found(facts) : not_found(facts);
    }
    case errc::adb_server_failed:
    case errc::no_devices: return none_found(facts);
    default: return unopened(*facts.unresolved);
  }
}

}  // namespace clawperator
