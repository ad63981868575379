#include "runtime/device/choice.hpp"

#include <algorithm>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator {

namespace {

Error not_found(const Question& question, const std::vector<DeviceRow>& rows) {
  ErrorMembers details;
  details.strings("connected", ready_serials(rows));
  for (const DeviceRow& row : rows) {
    if (!question.matches(row)) continue;
    details.text("state", row.state.text());
    break;
  }
  const std::string name =
      question.serial ? *question.serial : "transport " + std::to_string(*question.transport_id);
  return {errc::device_not_found, "Device " + name + " not found or not in device state",
          ErrorMembers().object("details", details).str()};
}

Error no_devices(const std::vector<DeviceRow>& rows) {
  if (rows.empty()) return {errc::no_devices, "No connected devices"};
  ErrorMembers states;
  for (const DeviceRow& row : rows) states.text(row.serial, row.state.text());
  return {errc::no_devices, "No connected devices",
          ErrorMembers().object("details", ErrorMembers().object("states", states)).str()};
}

bool is_named(const DeviceRow& row, const std::string& name) {
  return row.serial == name || (!row.bus_address.empty() && row.bus_address == name) ||
         (!row.model.empty() && "model:" + row.model == name) ||
         (!row.product.empty() && "product:" + row.product == name) ||
         (!row.device.empty() && "device:" + row.device == name);
}

// Serials are not unique; places are.
std::vector<std::string> names_of(const std::vector<DeviceRow>& rows) {
  std::vector<std::string> names;
  for (const DeviceRow& row : rows) {
    const bool has_twin = std::ranges::count(rows, row.serial, &DeviceRow::serial) > 1;
    names.push_back(has_twin && !row.bus_address.empty() ? row.bus_address : row.serial);
  }
  return names;
}

// "usb:1-2", however the server spells it; empty when there is none.
std::string usb_place(const DeviceRow& row) {
  const std::string& place = row.bus_address;
  return place.empty() || place.starts_with("usb:") ? place : "usb:" + place;
}

bool may_be_one(const Way& one, const Way& other) {
  if (is_on_usb(one.row) && is_on_usb(other.row)) return false;
  if (one.identity.serialno != other.identity.serialno) return false;
  const std::string& boot = one.identity.boot_id;
  const std::string& other_boot = other.identity.boot_id;
  if (!boot.empty() && !other_boot.empty()) {
    if (boot != other_boot) return false;
  } else if (is_shared_serialno(one.identity.serialno)) {
    return one.row.serial == other.row.serial;
  }
  return !one.identity.serialno.empty() || one.row.serial == other.row.serial;
}

}  // namespace

bool is_on_usb(const DeviceRow& row) {
  return row.transport == Transport::usb || !row.bus_address.empty();
}

// The server names places by port path or by bus and device number, with `usb:` or without; some
// name none. A server elsewhere may have another phone at a place of that name; without a serial
// of its own a phone is called by its place.
bool holds(const DeviceRow& server_row, const DeviceRow& usb_row) {
  if (server_row.transport != Transport::server || usb_row.transport != Transport::usb)
    return false;
  if (server_row.state == State::detached || server_row.state == State::no_permissions)
    return false;
  const bool same_serial = usb_row.serial == server_row.serial;
  const std::string place = usb_place(server_row);
  if (place.empty()) return same_serial;
  if (!same_serial && usb_row.serial != usb_row.bus_address) return false;
  return place == usb_row.bus_address || place == usb_row.bus_number;
}

bool Question::matches(const DeviceRow& row) const {
  if (transport_id && row.transport_id != transport_id) return false;
  if (reachable != Reachable::any && is_on_usb(row) != (reachable == Reachable::usb)) return false;
  return !serial || is_named(row, *serial);
}

bool Question::takes(State state) const {
  return readiness == Readiness::any ? answers(state) : state == State::device;
}

Result<void> check_state(const Question& question, const adbproto::Device& device) {
  const DeviceState state = state_of(device);
  if (question.takes(state)) return ok();
  const Question named{.serial = device.serial()};
  return std::unexpected(not_found(named, {{.serial = device.serial(), .state = state}}));
}

Question question_of(const TargetOptions& options) {
  Question question{options.device, options.transport_id, options.reachable, options.readiness};
  // -t, -d and -e name a device better than the environment does.
  const bool is_open = !options.device && !options.transport_id &&
                       options.reachable == Reachable::any && options.honour_android_serial;
  if (is_open) question.serial = environment_variable("ANDROID_SERIAL");
  return question;
}

std::vector<std::string> ready_serials(const std::vector<DeviceRow>& rows) {
  std::vector<std::string> serials;
  for (const DeviceRow& row : rows) {
    if (row.state == State::device) serials.push_back(row.serial);
  }
  return serials;
}

std::string memory_key(const DeviceRow& row) { return row.serial + "|" + usb_place(row); }

bool is_one_phone(const std::vector<Way>& ways) {
  for (std::size_t i = 0; i < ways.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!may_be_one(ways[i], ways[j])) return false;
    }
  }
  return true;
}

Error several_devices(const std::vector<DeviceRow>& rows) {
  const auto names = names_of(rows);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return {errc::multiple_devices_device_id_required,
          "Multiple devices connected (" + list +
              "). Choose one with --device <serial>, e.g. --device " + names.front(),
          ErrorMembers().object("details", ErrorMembers().strings("devices", names)).str()};
}

Result<std::vector<std::size_t>> choose_rows(const std::vector<DeviceRow>& rows,
                                             const Question& question) {
  const bool names_one = question.serial || question.transport_id;
  std::vector<std::size_t> chosen;
  std::vector<DeviceRow> same_route;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!question.takes(rows[i].state) || !question.matches(rows[i])) continue;
    chosen.push_back(i);
    if (rows[i].transport == rows[chosen.front()].transport) same_route.push_back(rows[i]);
  }
  if (names_one && same_route.size() > 1) return std::unexpected(several_devices(same_route));
  if (names_one && !chosen.empty()) chosen.resize(1);
  if (!chosen.empty()) return chosen;
  if (names_one) return std::unexpected(not_found(question, rows));
  return std::unexpected(no_devices(rows));
}

std::optional<std::size_t> row_to_authorize(const std::vector<DeviceRow>& rows,
                                            const Question& question) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!question.matches(rows[i]) || rows[i].transport == Transport::server) continue;
    if (rows[i].state == State::device) return std::nullopt;
    if (rows[i].state != State::unauthorized) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace clawperator
