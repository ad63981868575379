#pragma once
// A device's identity, so that work for one phone never goes to another one that answers in its
// place.

#include "runtime/device/device_row.hpp"

namespace clawperator {

// Empty members could not be read.
struct Identity {
  std::string serialno;  // ro.serialno
  std::string boot_id;

  bool operator==(const Identity&) const = default;
};

// A serial number that many devices report: all emulators of one version, phones whose maker gave
// none. It identifies no device.
bool is_shared_serialno(std::string_view serialno);

// The serial number decides where both have it and it is the phone's own; else only the same boot
// is surely the same phone. Where nothing could be read before, nothing can be compared.
bool is_same_phone(const Identity& before, const Identity& now);

// The identity after it was read again: a property that is missing this time stays.
Identity updated(Identity before, const Identity& now);

// The phone that answered at a dialled address, as it is remembered between processes. Its texts
// are printable ASCII. adbd's certificate is a new one after each start, or for each link, so it is
// not among them.
struct TrustedPhone {
  std::string address{};   // HOST:PORT, or the name that the phone announces
  std::string serialno{};  // ro.serialno; empty: not reported
  std::string model{};     // of its banner
  bool tls = false;        // it required TLS

  bool operator==(const TrustedPhone&) const = default;
};

// A restart changes nothing, so the boot id does not count: emulators are alike, and two phones of
// a maker that gave no numbers differ by their model at most. A property that was never reported
// cannot be compared; one that is not reported any more, TLS above all, is a change.
bool is_same_phone(const TrustedPhone& before, const TrustedPhone& now);
TrustedPhone learned(TrustedPhone before, const TrustedPhone& now);
// `now` has no property of the phone: it did not even require TLS, so nothing was read.
Error phone_changed(const TrustedPhone& before, const TrustedPhone& now);

// "serialno\nboot id\n", as the device's shell prints it.
Identity parse_identity(std::string_view text);

// Fails only when the link does; a device that reports nothing has an empty identity.
Task<Identity> read_identity(adbproto::Device* device,
                             std::chrono::milliseconds limit = std::chrono::milliseconds(2000));

// `transport`: how it was reached. A kept address is forgotten by disconnecting; any other identity
// is remembered as long as the process lives.
Error identity_changed(const std::string& serial, Transport transport, const Identity& before,
                       const Identity& now);

}  // namespace clawperator
