#pragma once
// The choice among what is attached, without any I/O.
//
//   rows (best route first) --> those asked for --> the ready ones --> one, or several identities

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/identity.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

struct Question {
  std::optional<std::string> serial{};  // --device or ANDROID_SERIAL
  std::optional<std::uint64_t> transport_id{};
  Reachable reachable = Reachable::any;
  Readiness readiness = Readiness::android;

  [[nodiscard]] bool matches(const DeviceRow& row) const;
  // Will a device in that state do?
  [[nodiscard]] bool takes(State state) const;
};

Question question_of(const TargetOptions& options);

// device_not_found, as published, for an open device that will not do.
Result<void> check_state(const Question& question, const adbproto::Device& device);

bool is_on_usb(const DeviceRow& row);
// Does the row of a server stand for that phone on USB? One that it detached, or may not open
// itself, is anybody's.
bool holds(const DeviceRow& server_row, const DeviceRow& usb_row);

// Indices of the ready rows asked about: one, or several when nothing tells them apart yet (the
// same phone may be among them twice). When the question names a device its best row is the one;
// two on the same kind of route are two phones, and an error.
// none: no_devices or device_not_found, as published.
Result<std::vector<std::size_t>> choose_rows(const std::vector<DeviceRow>& rows,
                                             const Question& question);

// The one row asked about whose owner could let us in: unauthorized, on a link of our own, and no
// row is ready.
std::optional<std::size_t> row_to_authorize(const std::vector<DeviceRow>& rows,
                                            const Question& question);

// Where the same phone is expected again: a socket of the bus, an address.
std::string memory_key(const DeviceRow& row);

// One way to a phone, and who answers there.
struct Way {
  DeviceRow row{};
  Identity identity{};
  std::uint64_t used = 0;  // when work went there last, as its owner counts
};
// May all of them lead to one phone? A phone has one cable, so two places on USB are two phones;
// else ro.serialno decides, and the boot id where both ways tell it. Who tells no ro.serialno, or
// one that many have and no boot id, is known by the serial.
bool is_one_phone(const std::vector<Way>& ways);

std::vector<std::string> ready_serials(const std::vector<DeviceRow>& rows);
// Calls twins by their places.
Error several_devices(const std::vector<DeviceRow>& rows);

}  // namespace clawperator
