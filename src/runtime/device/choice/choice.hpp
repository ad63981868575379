#pragma once
// Chooses the way to a device. Pure: one command, a process that lives long and `clawperator adb`
// each find devices in their own way. This decides what they do with the result, so that a name
// means the same phone everywhere.
//
//   candidates (best way first) --> those that match --> those that are ready --> Decision

#include <variant>

#include "adbproto/wire/services.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

struct Question;

// The rules for device names and the texts of refusals: ours, or adb's in `clawperator adb`.
struct Dialect {
  bool (*matches)(const Question& question, const DeviceRow& row);
  // `best`: the best row that matches, if any.
  Error (*worded)(const Question& question, const DeviceRow* best, Error error);
  // An adb server that answers chooses the device itself, and has the last word.
  bool server_chooses = false;
};
extern const Dialect kOwnDialect;

// When a serial is an address to dial. With --transport tcp always, whatever is known of it.
enum class Dialling { never, unlisted, always };

struct Question {
  std::optional<std::string> serial{};  // --device or ANDROID_SERIAL
  std::optional<std::uint64_t> transport_id{};
  Reachable reachable = Reachable::any;
  Readiness readiness = Readiness::android;
  Dialling dialling = Dialling::never;
  Transport searched = Transport::automatic;  // the only source, or all of them
  bool offers_key = false;  // the phone's owner may get the question whether to accept our key
  const Dialect* dialect = &kOwnDialect;

  [[nodiscard]] bool matches(const DeviceRow& row) const { return dialect->matches(*this, row); }
  // Will a device in that state do?
  [[nodiscard]] bool takes(State state) const;
};

// The same question for an adb server that chooses itself.
adbproto::DeviceChoice server_choice(const Question& question);

struct Candidate {
  DeviceRow row{};
  std::optional<Error> problem{};  // why a link of our own is not ready
};

// One row, or several that may be one phone: the identity of each is read, and check_one_phone
// judges.
struct Open {
  std::vector<std::size_t> rows;
};
// Nothing is ready, but the one matching phone could be: its owner can accept our key, or it does
// not answer and the longer limit of connecting may wake it.
struct Connect {
  std::size_t row;
};
// `absent`: what the sources have, for an address that does not answer.
struct Dial {
  std::string address;
  Error absent;
};
// no_devices, device_not_found, multiple_devices_device_id_required as published, or the problem of
// the matching one.
struct Refuse {
  Error why;
  std::optional<std::size_t> held{};  // the row of a phone that another process has open
};
using Decision = std::variant<Open, Connect, Dial, Refuse>;

// `server_error`: the adb server did not answer.
Decision decide(const std::vector<Candidate>& candidates, const Question& question,
                const std::optional<Error>& server_error = std::nullopt);

// The first half of decide(): indices of the rows that match and are ready. A question that names a
// device has one answer, its best row; two on the same kind of route are two phones, and an error.
Result<std::vector<std::size_t>> choose_rows(const std::vector<DeviceRow>& rows,
                                             const Question& question);

// An open device is in the state it introduces itself with: device_not_found if that will not do.
Result<void> check_state(const Question& question, const adbproto::Device& device);

// One way to a phone, and the identity of the phone there.
struct Way {
  DeviceRow row{};
  Identity identity{};
  std::uint64_t used = 0;  // when work went there last, as its owner counts
};
// Whether all of them may lead to one phone. If not: multiple_devices_device_id_required. A phone
// has one cable, so two places on USB are two phones. Else ro.serialno decides, and the boot id
// where both ways report it. A phone without ro.serialno, or with a shared one and no boot id, is
// identified by its serial.
Result<void> check_one_phone(const std::vector<Way>& ways, const Question& question);

// By their serials; twins by their places.
std::vector<std::string> ready_names(const std::vector<DeviceRow>& rows);

}  // namespace clawperator
