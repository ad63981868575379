#pragma once
// A phone on USB as a device, without an adb server.

#include "adbproto/client/direct_client.hpp"
#include "adbproto/link/usb_bus.hpp"

namespace adbproto {

// Opens, claims and shakes hands. A phone that drops off the bus meanwhile (what an earlier talk
// left unread can do that) is awaited and asked again; one that never answers is reset once.
// What an earlier talk left unread is not believed: a token is answered in vain, so each key may be
// shown twice and ours is offered only after the second refusal; an agreement without a question
// for a key is tried out before it counts.
// `bus` must live until the task ends.
Task<std::unique_ptr<Device>> connect_usb_device(UsbBus* bus, UsbDevice device,
                                                 DirectOptions options);

}  // namespace adbproto
