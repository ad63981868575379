#pragma once
// The choice among what is attached, without any I/O.
//
//   rows (best route first) --> those asked for --> the ready ones --> one, or several identities

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/target.hpp"

namespace clawperator {

inline constexpr std::string_view kReady = "device";

struct Question {
  std::optional<std::string> serial{};  // --device or ANDROID_SERIAL
  std::optional<std::uint64_t> transport_id{};
  Reachable reachable = Reachable::any;

  [[nodiscard]] bool matches(const DeviceRow& row) const;
};

Question question_of(const TargetOptions& options);

bool is_on_usb(const DeviceRow& row);
// Does the row of a server stand for that phone on USB?
bool holds(const DeviceRow& server_row, const DeviceRow& usb_row);

// Indices of the ready rows asked about: one, or several when nothing tells them apart yet (the
// same phone may be among them twice). When the question names a device its best row is the one;
// two on the same kind of route are two phones, and an error.
// none: no_devices or device_not_found, as published.
adbproto::Result<std::vector<std::size_t>> choose_rows(const std::vector<DeviceRow>& rows,
                                                       const Question& question);

// The one row asked about whose owner could let us in: unauthorized, on a link of our own, and no
// row is ready.
std::optional<std::size_t> row_to_authorize(const std::vector<DeviceRow>& rows,
                                            const Question& question);

std::vector<std::string> ready_serials(const std::vector<DeviceRow>& rows);
adbproto::Error several_devices(const std::vector<std::string>& serials);

}  // namespace clawperator
