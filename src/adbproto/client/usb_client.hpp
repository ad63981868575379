#pragma once
// A phone on USB as a device, without an adb server.

#include "adbproto/client/direct_client.hpp"
#include "adbproto/link/usb_bus.hpp"

namespace adbproto {

// Opens, claims and shakes hands. A phone that drops off the bus meanwhile (what an earlier talk
// left unread can do that) is awaited and asked again; one that never answers is reset once. Each
// key may be shown twice: a token that an earlier talk left unread is answered in vain, so our key
// is offered only after the second refusal.
// `bus` must live until the task ends.
Task<std::unique_ptr<Device>> connect_usb_device(UsbBus* bus, UsbDevice device,
                                                 DirectOptions options);

}  // namespace adbproto
