#include "runtime/host/doctor/host_checks.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/hints.hpp"
#include "base/json_text.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/device/discovery/routes.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/host/errc.hpp"

namespace clawperator {

namespace {

using Step = FixStep::Kind;

bool several(const HostFacts& facts) {
  return facts.unresolved && facts.unresolved->code() == errc::multiple_devices_device_id_required;
}

// A device, or too many of them.
bool is_reached(const HostFacts& facts) { return !facts.unresolved || several(facts); }

bool is_barred(const DeviceRow& row) {
  return row.state == State::no_permissions || row.state == State::busy;
}

bool is_openable(const DeviceRow& row, const HostFacts& facts) {
  return !is_barred(row) && (row.transport != Transport::usb || !facts.usb.no_library);
}

// Some way without the server leads to a device that answers, if only with a no.
bool is_answered_elsewhere(const HostFacts& facts) {
  return std::ranges::any_of(facts.rows, [&](const DeviceRow& row) {
    return row.transport != Transport::server && is_openable(row, facts);
  });
}

// A warning while something else leads to the device.
CheckStatus unless_reached(const HostFacts& facts) {
  return is_reached(facts) || is_answered_elsewhere(facts) ? CheckStatus::warn : CheckStatus::fail;
}

std::string plural(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace

// `host:features` came with 1.0.32, as far as its users report.
constexpr int kServerWithFeatures = 32;

bool lacks_server(const HostFacts& facts) {
  const ServerFacts& server = facts.server;
  return server.is_used && server.can_start && server.problem &&
         server.problem->code() == errc::io && unless_reached(facts) == CheckStatus::fail;
}

Check check_server(const HostFacts& facts) {
  const ServerFacts& server = facts.server;
  constexpr std::string_view kId = "host.adb.server";
  if (!server.is_used) {
    return passed(kId, "No adb server is needed: --transport names another way.",
                  JsonObject().boolean("asked", false).str());
  }
  if (!server.problem) {
    JsonObject evidence;
    evidence.text("address", server.address).number("version", server.version);
    evidence.text("backend", server.usb_backend);
    std::string summary = "The adb server answers at " + server.address + ".";
    if (server.version < kServerWithFeatures) {
      summary += " It is of adb 1.0." + std::to_string(server.version) +
                 ", which reports no features of a phone: stderr is mixed into its output.";
    }
    return passed(kId, std::move(summary), evidence.str());
  }
  Check check = troubled(kId, unless_reached(facts), errc::adb_server_failed,
                         "No adb server answers at " + server.address + ".");
  check.detail = server.problem->message();
  // With a device no server is needed, and no advice how to get one.
  if (check.status == CheckStatus::warn) {
    check.detail += "; a device is reached without it";
    return check;
  }
  check.fix = Fix{server.can_start ? "Connect a phone, or start an adb server" : "Connect a phone",
                  {{Step::manual, hints::no_source.with()}},
                  std::string(kDoctorTopic)};
  if (server.can_start) check.fix->steps.push_back({Step::shell, "clawperator doctor --fix"});
  return check;
}

Check check_keys(const HostFacts& facts) {
  const auto& key = facts.key;
  constexpr std::string_view kId = "host.adb.keys";
  JsonObject evidence;
  evidence.text("path", key.path).boolean("present", key.is_there);
  if (!key.fingerprint.empty()) evidence.text("fingerprint", key.fingerprint);
  if (!key.problem && key.is_there) return passed(kId, "The adb key can be used.", evidence.str());
  if (!key.problem && is_reached(facts)) {
    return passed(kId, "There is no adb key yet; one is made when a phone asks for it.",
                  evidence.str());
  }
  Check check = troubled(kId, CheckStatus::warn, errc::adb_keys_unusable, "");
  check.evidence = evidence.str();
  if (!key.problem) {
    check.summary = "There is no adb key yet to introduce this computer to a phone.";
    check.fix = Fix{"Make a key", {{Step::shell, "clawperator doctor --fix"}}};
    return check;
  }
  check.status = unless_reached(facts);
  check.summary = key.is_there ? "The adb key " + key.path + " cannot be used."
                               : "The adb key " + key.path + " cannot be made.";
  check.detail = key.problem->message();
  if (key.is_there) {
    check.fix = Fix{"Make the key readable, or put it aside",
                    {{Step::shell, "chmod 600 " + shell_word(key.path)},
                     {Step::manual,
                      "If it is damaged, move it away; a new one is made, and phones ask "
                      "again whether they may trust this computer."}}};
  } else {
    check.fix = Fix{"Let the key be written",
                    {{Step::manual, "Make the home folder writable, or set HOME to one that is."}}};
  }
  return check;
}

namespace {

// How each phone on USB can be had.
struct Phone {
  const UsbDevice* device = nullptr;
  bool held_by_server = false;
  std::string_view access = "open";  // "closed": to all users, without libusb
  std::string obstacle{};
};

Phone match_phone(const UsbDevice& device, const HostFacts& facts) {
  Phone phone{.device = &device, .obstacle = device.obstacle};
  for (const DeviceRow& row : facts.server.rows) {
    phone.held_by_server |= holds(row, device);
  }
  if (device.access == UsbDevice::Access::denied) phone.access = "denied";
  if (device.access == UsbDevice::Access::busy) phone.access = "busy";
  // Only an attempt to open it shows that another process holds it.
  for (const DeviceRow& row : facts.rows) {
    if (row.transport != Transport::usb || row.bus_address != device.address ||
        row.state != State::busy)
      continue;
    phone.access = "busy";
    phone.obstacle = row.obstacle;
  }
  if (phone.access == "open" && facts.usb.no_library) {
    phone.access = "closed";
    phone.obstacle = facts.usb.no_library->message();
  }
  return phone;
}

std::string phones_json(const std::vector<Phone>& phones, const std::string& server) {
  const auto write = [&server](const Phone& phone) {
    JsonObject json;
    json.text("address", phone.device->address).text("serial", phone.device->serial);
    json.text("product", phone.device->product).text("access", phone.access);
    if (phone.held_by_server) json.text("holder", "the adb server at " + server);
    if (!phone.held_by_server && phone.access == "busy") json.text("holder", phone.obstacle);
    return json;
  };
  return JsonObject().boolean("enabled", true).json("phones", list_json(phones, write)).str();
}

Fix usb_fix(const Phone& phone) {
  if (phone.access == "busy") {
    return {"Use the phone through the program that holds it",
            {{Step::manual,
              "Name the adb server that holds the phone with --adb-server, or end the "
              "program that holds it."}}};
  }
  if (phone.access == "closed") {
    return {"Install libusb", {{Step::shell, "sudo apt install libusb-1.0-0"}}};
  }
  return {"Allow this user to open the phone's USB node", {{Step::manual, phone.obstacle}}};
}

std::string usb_summary(const Phone& phone) {
  const std::string name =
      phone.device->serial.empty() ? phone.device->address : phone.device->serial;
  if (phone.access == "busy") return "Another program holds the phone " + name + " on USB.";
  if (phone.access == "closed") return "Without libusb the phone " + name + " cannot be opened.";
  return "This user may not open the phone " + name + " on USB.";
}

Check usb_trouble(const Phone& phone, const HostFacts& facts) {
  return troubled("host.usb.access", unless_reached(facts),
                  phone.access == "busy" ? errc::usb_busy : errc::usb_no_permission,
                  usb_summary(phone), phone.obstacle, usb_fix(phone));
}

}  // namespace

Check check_usb(const HostFacts& facts) {
  constexpr std::string_view kId = "host.usb.access";
  if (facts.usb.problem) {
    JsonObject evidence;
    evidence.boolean("enabled", false).text("reason", facts.usb.problem->message());
    return passed(kId, "USB is not used: " + facts.usb.problem->message() + ".", evidence.str());
  }
  std::vector<Phone> phones;
  phones.reserve(facts.usb.phones.size());
  for (const UsbDevice& device : facts.usb.phones) phones.push_back(match_phone(device, facts));
  const auto barred = std::ranges::find_if(
      phones, [](const Phone& phone) { return !phone.held_by_server && phone.access != "open"; });
  Check check = barred != phones.end()
                    ? usb_trouble(*barred, facts)
                    : passed(kId, phones.empty() ? "No phone is on USB."
                                                 : plural(phones.size(), "phone") +
                                                       " on USB, and nothing is in the way.");
  check.evidence = phones_json(phones, facts.server.address);
  return check;
}

std::optional<Check> check_programs(const HostFacts& facts) {
  if (facts.other_programs.empty()) return std::nullopt;
  const std::string& first = facts.other_programs.front();
  Check check = troubled("host.path.programs", CheckStatus::warn, errc::other_program_in_path,
                         "PATH has another program: " + first + ".");
  check.detail =
      "this one is " + facts.own_program + "; what calls clawperator by its name may get the other";
  check.fix =
      Fix{"Know which one is called",
          {{Step::shell, "clawperator migrate --check"},
           {Step::manual,
            "Uninstall the one that is not needed, or put this one's folder first in PATH."}},
          std::string(kMigrateTopic)};
  check.evidence =
      JsonObject().text("own", facts.own_program).strings("others", facts.other_programs).str();
  return check;
}

namespace {

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
  check.fix = Fix{
      "Connect a device",
      {{Step::manual, hints::no_source.with()}, {Step::shell, "clawperator devices --discover"}},
      std::string(kDevicesTopic)};
  return check;
}

// An adb server has offered its key already. A link of our own offers ours when --fix asks for it.
Check unauthorized(const DeviceRow& row) {
  Check check = troubled(kDiscovery, CheckStatus::fail, errc::device_unauthorized,
                         "Device " + row.serial + " has not allowed debugging from this computer.");
  Fix fix{"Allow debugging on the device", {}, std::string(kDevicesTopic)};
  const bool is_ours = row.transport != Transport::server && row.transport != Transport::automatic;
  if (is_ours) {
    fix.steps = {{Step::shell, "clawperator doctor --fix --device " + shell_word(row.serial)},
                 {Step::manual, "It offers this computer's key: unlock " + row.serial +
                                    " and accept the question within 30 seconds."}};
  } else {
    fix.steps = {{Step::manual, "Unlock " + row.serial +
                                    " and accept the question whether to allow debugging from this "
                                    "computer; if none is shown, unplug the device and plug it in "
                                    "again."}};
  }
  check.fix = std::move(fix);
  check.guidance = DeviceGuidance{
      "the debugging prompt",
      {"Unlock the device.", "Tick \"Always allow from this computer\".", "Tap Allow.",
       "No prompt? Settings > Developer options > Revoke USB debugging authorizations, then "
       "reconnect."}};
  return check;
}

Check offline(const DeviceRow& row) {
  Fix fix{"Bring the device back",
          {{Step::manual, "Reconnect " + row.serial +
                              " (replug the cable, or disconnect and connect its address), "
                              "wake it, and restart it if that does not help."}}};
  return troubled(kDiscovery, CheckStatus::fail, errc::device_offline,
                  "Device " + row.serial + " is known, but does not answer.", row.obstacle,
                  std::move(fix));
}

Check too_many(const HostFacts& facts) {
  const auto names = ready_names(facts.rows);
  Check check = troubled(
      kDiscovery, CheckStatus::warn, errc::multiple_devices_device_id_required,
      std::to_string(names.size()) + " devices are connected, and none is named.",
      "Not checked: the device, the Operator app, its settings and the handshake. They need "
      "one device: pass --device.");
  check.evidence = JsonObject().strings("devices", names).str();
  Fix fix{"Name the device", {}};
  for (const std::string& name : names) {
    fix.steps.push_back({Step::shell, "clawperator doctor --device " + shell_word(name)});
  }
  check.fix = std::move(fix);
  return check;
}

Check not_found(const HostFacts& facts) {
  const std::string named = facts.question.serial.value_or("");
  Check check = troubled(kDiscovery, CheckStatus::fail, errc::device_not_found,
                         "Device " + named + " is not connected.");
  check.evidence = JsonObject().strings("connected", ready_names(facts.rows)).str();
  check.detail = facts.unresolved->message();
  for (const DeviceRow& row : facts.rows) {
    if (facts.question.matches(row)) check.detail = "it is in state " + row.state.text();
  }
  check.fix = Fix{
      "Name a device that is there",
      {{Step::shell, "clawperator devices"},
       {Step::manual, "Reconnect " + named + ", or pass --device with a serial of that list."}}};
  return check;
}

// Errors of the link itself have no published meaning here.
Errc published_code(Errc code) {
  const bool silent = code == errc::deadline_exceeded || code == errc::closed || code == errc::io ||
                      code == errc::protocol;
  return silent ? Errc(errc::device_offline) : code;
}

// The device was found in the list and could not be opened all the same.
Check unopened(const Error& why) {
  return troubled(kDiscovery, CheckStatus::fail, published_code(why.code()),
                  "The device cannot be reached.", why.message(),
                  Fix{"Look at the ways to the device", {{Step::shell, "clawperator devices -l"}}});
}

}  // namespace

std::optional<DeviceRow> unauthorized_row(const HostFacts& facts) {
  const auto rows = rows_to_judge(facts);
  const auto* row = find_in_state(rows, facts.question, State::unauthorized);
  if (!row) row = find_in_state(rows, facts.question, State::authorizing);
  if (!row) return std::nullopt;
  return *row;
}

Check check_discovery(const HostFacts& facts) {
  const auto rows = rows_to_judge(facts);
  if (const auto row = unauthorized_row(facts)) return unauthorized(*row);
  if (const auto* silent = find_in_state(rows, facts.question, State::offline))
    return offline(*silent);
  if (!facts.unresolved) {
    return passed(kDiscovery, "Device " + facts.serial + " is connected.",
                  JsonObject().text("serial", facts.serial).text("transport", facts.route).str());
  }
  const Errc why = facts.unresolved->code();
  if (why == errc::multiple_devices_device_id_required) return too_many(facts);
  if (why == errc::device_unauthorized)
    return unauthorized({.serial = facts.question.serial.value_or("the device")});
  if (why == errc::device_not_found) {
    const bool nothing = facts.rows.empty() && facts.server.is_used;
    return nothing ? none_found(facts) : not_found(facts);
  }
  if (why == errc::adb_server_failed || why == errc::no_devices) return none_found(facts);
  return unopened(*facts.unresolved);
}

}  // namespace clawperator
