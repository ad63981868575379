#include "cli/adb/dialect.hpp"

#include <algorithm>
#include <cctype>

#include "runtime/contract/errc.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {
namespace {

std::string unauthorized_text() {
  return "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is " +
         environment_variable("ADB_VENDOR_KEYS").value_or("not set") +
         "\nTry 'adb kill-server' if that seems wrong.\n"
         "Otherwise check for a confirmation dialog on your device.";
}

bool is_property(std::string_view wanted, std::string_view kind, const std::string& value) {
  return wanted.starts_with(kind) && wanted.substr(kind.size()) == one_word(value);
}

bool is_network_serial(std::string_view serial) {
  return serial.contains(':') || serial.starts_with("emulator-") || serial.starts_with("adb-") ||
         serial.contains("._adb");
}

bool matches(const Question& question, const DeviceRow& row) {
  if (question.transport_id) return row.transport_id == question.transport_id;
  if (question.serial) {
    const std::string& wanted = *question.serial;
    return wanted == row.serial || wanted + ":5555" == row.serial ||
           (!row.bus_address.empty() && wanted == row.bus_address) ||
           is_property(wanted, "product:", row.product) ||
           is_property(wanted, "model:", row.model) || is_property(wanted, "device:", row.device);
  }
  if (question.reachable == Reachable::any) return true;
  const bool is_local = !is_on_usb(row) && is_network_serial(row.serial);
  return is_local == (question.reachable == Reachable::local);
}

// No source has the device: it says so, or there is no server to say it.
bool is_none(const Error& error) {
  return error.code() == errc::no_devices || error.code() == errc::device_not_found ||
         error.code() == errc::adb_server_failed;
}

Error none_chosen(const Question& question) {
  if (question.transport_id) {
    return {errc::device_not_found,
            "no device with transport id '" + std::to_string(*question.transport_id) + "'"};
  }
  if (question.serial) {
    return {errc::device_not_found, "device '" + *question.serial + "' not found"};
  }
  if (question.reachable == Reachable::usb) return {errc::no_devices, "no devices found"};
  if (question.reachable == Reachable::local) return {errc::no_devices, "no emulators found"};
  return {errc::no_devices, "no devices/emulators found"};
}

Error several_chosen(const Question& question) {
  constexpr std::string_view kKinds[] = {"device/emulator", "device", "emulator"};
  const auto kind = kKinds[static_cast<std::size_t>(question.reachable)];
  return {errc::multiple_devices_device_id_required, "more than one " + std::string(kind)};
}

// An address that was connected to and does not answer is known, and offline.
Error worded(const Question& question, const DeviceRow* meant, Error error) {
  const bool is_known = question.serial && meant != nullptr && meant->transport == Transport::tcp;
  if (is_known && is_none(error)) return in_adb_words(question, {errc::device_offline, ""});
  return in_adb_words(question, error);
}

}  // namespace

constinit const Dialect kAdbDialect{.matches = matches, .worded = worded};

std::string one_word(std::string property) {
  const auto is_odd = [](unsigned char c) { return c >= 0x80 || std::isalnum(c) == 0; };
  std::ranges::replace_if(property, is_odd, '_');
  return property;
}

Question adb_question(const AdbContext& context, Readiness readiness) {
  TargetOptions target = context.target;
  target.dialect = &kAdbDialect;
  target.readiness = readiness;
  return question_of(target);
}

Error in_adb_words(const Question& question, const Error& error) {
  if (is_none(error)) return none_chosen(question);
  switch (error.code()) {
    case errc::multiple_devices_device_id_required: return several_chosen(question);
    case errc::device_unauthorized: return {error.code(), unauthorized_text()};
    case errc::device_offline: return {error.code(), "device offline"};
    default: return error;
  }
}

}  // namespace clawperator::cli
