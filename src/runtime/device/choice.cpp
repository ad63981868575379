#include "runtime/device/choice.hpp"

#include <algorithm>

#include "runtime/contract/error_members.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator {

using adbproto::Errc;
using adbproto::Error;
using adbproto::Result;

namespace {

Error not_found(const Question& question, const std::vector<DeviceRow>& rows) {
  ErrorMembers details;
  details.strings("connected", ready_serials(rows));
  for (const DeviceRow& row : rows) {
    if (!question.matches(row)) continue;
    details.text("state", row.state);
    break;
  }
  const std::string name =
      question.serial ? *question.serial : "transport " + std::to_string(*question.transport_id);
  return {Errc::device_not_found, "Device " + name + " not found or not in device state",
          ErrorMembers().object("details", details).str()};
}

Error no_devices(const std::vector<DeviceRow>& rows) {
  if (rows.empty()) return {Errc::no_devices, "No connected devices"};
  ErrorMembers states;
  for (const DeviceRow& row : rows) states.text(row.serial, row.state);
  return {Errc::no_devices, "No connected devices",
          ErrorMembers().object("details", ErrorMembers().object("states", states)).str()};
}

bool is_named(const DeviceRow& row, const std::string& name) {
  return row.serial == name || (!row.bus_address.empty() && row.bus_address == name) ||
         (!row.model.empty() && "model:" + row.model == name) ||
         (!row.product.empty() && "product:" + row.product == name) ||
         (!row.device.empty() && "device:" + row.device == name);
}

// Serials and models are not unique; places are.
std::string label(const DeviceRow& row) {
  return row.bus_address.empty() ? row.serial : row.bus_address;
}

}  // namespace

bool is_on_usb(const DeviceRow& row) { return row.transport == "usb" || !row.bus_address.empty(); }

// The server names places by port path or by bus and device number, with `usb:` or without; some
// name none. A server elsewhere may have another phone at a place of that name; without a serial
// of its own a phone is called by its place.
bool holds(const DeviceRow& server_row, const DeviceRow& usb_row) {
  if (server_row.transport != "server" || usb_row.transport != "usb") return false;
  const bool same_serial = usb_row.serial == server_row.serial;
  const std::string& place = server_row.bus_address;
  if (place.empty()) return same_serial;
  if (!same_serial && usb_row.serial != usb_row.bus_address) return false;
  const std::string full = place.starts_with("usb:") ? place : "usb:" + place;
  return full == usb_row.bus_address || full == usb_row.bus_number;
}

bool Question::matches(const DeviceRow& row) const {
  if (transport_id && row.transport_id != std::to_string(*transport_id)) return false;
  if (reachable != Reachable::any && is_on_usb(row) != (reachable == Reachable::usb)) return false;
  return !serial || is_named(row, *serial);
}

Question question_of(const TargetOptions& options) {
  Question question{options.device, options.transport_id, options.reachable};
  // -t, -d and -e name a device better than the environment does.
  const bool is_open = !options.device && !options.transport_id &&
                       options.reachable == Reachable::any && options.honour_android_serial;
  if (is_open) question.serial = environment_variable("ANDROID_SERIAL");
  return question;
}

std::vector<std::string> ready_serials(const std::vector<DeviceRow>& rows) {
  std::vector<std::string> serials;
  for (const DeviceRow& row : rows) {
    if (row.state == kReady) serials.push_back(row.serial);
  }
  return serials;
}

Error several_devices(const std::vector<std::string>& serials) {
  std::string list;
  for (const std::string& serial : serials) list += (list.empty() ? "" : ", ") + serial;
  return {Errc::multiple_devices_device_id_required,
          "Multiple devices connected (" + list +
              "). Choose one with --device <serial>, e.g. --device " + serials.front(),
          ErrorMembers().object("details", ErrorMembers().strings("devices", serials)).str()};
}

Result<std::vector<std::size_t>> choose_rows(const std::vector<DeviceRow>& rows,
                                             const Question& question) {
  const bool names_one = question.serial || question.transport_id;
  std::vector<std::size_t> chosen;
  std::vector<std::string> same_route;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].state != kReady || !question.matches(rows[i])) continue;
    chosen.push_back(i);
    if (rows[i].transport == rows[chosen.front()].transport) same_route.push_back(label(rows[i]));
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
    if (!question.matches(rows[i]) || rows[i].transport == "server") continue;
    if (rows[i].state == kReady) return std::nullopt;
    if (rows[i].state != "unauthorized") continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace clawperator
