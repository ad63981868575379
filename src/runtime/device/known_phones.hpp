#pragma once
// ~/.clawperator/known_phones.json: which phone answered at each address that was dialled, as ssh's
// known_hosts. The first one is remembered; another one at that address is device_identity_changed
// until the user accepts it. Phones of an adb server or on a cable need no such check.
//   {"phones":[{"address":"10.0.0.5:5555","serialno":"SN1","model":"SM_G991B","tls":true}]}

#include "base/system/named_list.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/device/target.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator {

using KnownPhones = base::NamedList<TrustedPhone, &TrustedPhone::address, 256>;

KnownPhones parse_known_phones(std::string_view text);
std::string to_json(const KnownPhones& known);

// Empty when there is no file, an error when there is one that cannot be read. on_notice reports a
// damaged file.
Result<KnownPhones> read_known_phones(const OnNotice& on_notice = {});
// Returns the forgotten phones; all of them where no address is named. A process that keeps a link
// to one of them drops it.
Task<std::vector<std::string>> forget_phones(std::optional<std::string> address,
                                             OnNotice on_notice);

// The result of the last dial's read, so that meet_phone after it reads nothing again.
struct DialNote {
  std::optional<KnownPhones> known{};
};

// Call it before work goes to a dialled device. It compares the device's identity with the phone
// that is known there, and remembers what is new. USB and adb servers need no comparison. `note`:
// may be null.
Task<void> meet_phone(const TargetOptions* options, const adbproto::Device* device, Identity now,
                      DialNote* note);
// The same, reading the device's identity first.
Task<void> meet_phone(const TargetOptions* options, adbproto::Device* device, DialNote* note);

}  // namespace clawperator
