#include "runtime/host/doctor/host_checks.hpp"

#include <algorithm>

#include "runtime/contract/advice.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/discovery/routes.hpp"

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

bool misses_server(const HostFacts& facts) {
  const ServerFacts& server = facts.server;
  return server.is_asked && server.problem && server.problem->code() == errc::io &&
         unless_reached(facts) == CheckStatus::fail;
}

Check check_server(const HostFacts& facts) {
  const ServerFacts& server = facts.server;
  constexpr std::string_view kId = "host.adb.server";
  if (!server.is_asked) {
    return passed(kId, "No adb server is needed: --transport names another way.",
                  JsonObject().boolean("asked", false).str());
  }
  if (!server.problem) {
    JsonObject evidence;
    evidence.text("address", server.address).number("version", server.version);
    evidence.text("backend", server.usb_backend);
    return passed(kId, "The adb server answers at " + server.address + ".", evidence.str());
  }
  Check check = troubled(kId, unless_reached(facts), errc::adb_server_failed,
                         "No adb server answers at " + server.address + ".");
  check.detail = server.problem->message();
  if (check.status == CheckStatus::warn) check.detail += "; a device is reached without it";
  check.fix = Fix{.title = "Start an adb server",
                  .steps = {{Step::shell, "clawperator doctor --fix"},
                            {Step::manual,
                             "Or name the server with --adb-server, plug the phone in by USB, or "
                             "use --device HOST:PORT --transport tcp."}},
                  .docs_url = std::string(kSetupDocs)};
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
    check.fix = Fix{"Make a key", {{Step::shell, "clawperator doctor --fix"}}, {}};
    return check;
  }
  check.status = unless_reached(facts);
  check.summary = key.is_there ? "The adb key " + key.path + " cannot be used."
                               : "The adb key " + key.path + " cannot be made.";
  check.detail = key.problem->message();
  if (key.is_there) {
    check.fix = Fix{.title = "Make the key readable, or put it aside",
                    .steps = {{Step::shell, "chmod 600 " + shell_word(key.path)},
                              {Step::manual,
                               "If it is damaged, move it away; a new one is made, and phones ask "
                               "again whether they may trust this computer."}},
                    .docs_url = {}};
  } else {
    check.fix = Fix{"Let the key be written",
                    {{Step::manual, "Make the home folder writable, or set HOME to one that is."}},
                    {}};
  }
  return check;
}

namespace {

// How each phone on USB can be had.
struct Phone {
  const UsbDevice* device = nullptr;
  bool held_by_server = false;
  std::string_view access = "open";  // "closed": to everybody, without libusb
  std::string obstacle{};
};

Phone look_at(const UsbDevice& device, const HostFacts& facts) {
  Phone phone{.device = &device, .obstacle = device.obstacle};
  for (const DeviceRow& row : facts.server.rows) {
    phone.held_by_server |= holds(row, device);
  }
  if (device.access == UsbDevice::Access::denied) phone.access = "denied";
  if (device.access == UsbDevice::Access::busy) phone.access = "busy";
  // That somebody holds it is known only to who has tried.
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
  std::string list;
  for (const Phone& phone : phones) {
    JsonObject json;
    json.text("address", phone.device->address).text("serial", phone.device->serial);
    json.text("product", phone.device->product).text("access", phone.access);
    if (phone.held_by_server) json.text("holder", "the adb server at " + server);
    if (!phone.held_by_server && phone.access == "busy") json.text("holder", phone.obstacle);
    list += (list.empty() ? "" : ",") + json.str();
  }
  return JsonObject().boolean("enabled", true).json("phones", "[" + list + "]").str();
}

Fix usb_fix(const Phone& phone) {
  if (phone.access == "busy") {
    return {.title = "Use the phone through whoever holds it",
            .steps = {{Step::manual,
                       "Name the adb server that holds the phone with --adb-server, or end the "
                       "program that holds it."}},
            .docs_url = {}};
  }
  if (phone.access == "closed") {
    return {.title = "Install libusb",
            .steps = {{Step::shell, "sudo apt install libusb-1.0-0"}},
            .docs_url = {}};
  }
  return {.title = "Allow this user to open the phone's USB node",
          .steps = {{Step::manual, phone.obstacle}},
          .docs_url = {}};
}

std::string usb_summary(const Phone& phone) {
  const std::string name =
      phone.device->serial.empty() ? phone.device->address : phone.device->serial;
  if (phone.access == "busy") return "Another program holds the phone " + name + " on USB.";
  if (phone.access == "closed") return "Without libusb the phone " + name + " cannot be opened.";
  return "This user may not open the phone " + name + " on USB.";
}

Check usb_trouble(const Phone& phone, const HostFacts& facts) {
  Check check = troubled("host.usb.access", unless_reached(facts),
                         phone.access == "busy" ? errc::usb_busy : errc::usb_no_permission,
                         usb_summary(phone));
  check.detail = phone.obstacle;
  check.fix = usb_fix(phone);
  return check;
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
  for (const UsbDevice& device : facts.usb.phones) phones.push_back(look_at(device, facts));
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

}  // namespace clawperator
