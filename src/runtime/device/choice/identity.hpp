#pragma once
// Who a device is, so that work for one phone never goes to another one that answers in its place.

#include "runtime/device/discovery/device_row.hpp"

namespace clawperator {

// Empty members could not be read.
struct Identity {
  std::string serialno;  // ro.serialno
  std::string boot_id;

  bool operator==(const Identity&) const = default;
};

// A serial number that many devices report: all emulators of one version, phones whose maker gave
// none. It tells nobody apart.
bool is_shared_serialno(std::string_view serialno);

// The serial number decides where both know it and it is the phone's own; else only the same boot
// is surely the same phone. Where nothing could be read before, nothing can be compared.
bool is_same_phone(const Identity& before, const Identity& now);

// What is known of one phone after it was asked again: what it did not tell this time stays.
Identity updated(Identity before, const Identity& now);

// "serialno\nboot id\n", as the device's shell prints it.
Identity parse_identity(std::string_view text);

// Fails only when the link does; a device that tells nothing is an empty identity.
Task<Identity> read_identity(adbproto::Device* device);

// `transport`: how it was reached; a kept address is forgotten by disconnecting, what else was met
// is remembered as long as the process lives.
Error identity_changed(const std::string& serial, Transport transport, const Identity& before,
                       const Identity& now);

}  // namespace clawperator
