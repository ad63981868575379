#pragma once
// A phone on USB as a device, without an adb server.

#include "adbproto/client/direct_client.hpp"
#include "adbproto/link/usb_bus.hpp"

namespace adbproto {

// Opens, claims and shakes hands. A phone may drop off the bus meanwhile, because of unread bytes
// of an earlier connection: it is awaited and tried again. One that never answers is reset once.
// Unread packets of an earlier connection are not trusted: an old token makes one signature
// useless, so each key may be shown twice and ours is offered only after the second refusal; an
// agreement without a request for a key is tested before it counts. `bus` must live until the task
// ends.
Task<std::unique_ptr<Device>> connect_usb_device(UsbBus* bus, UsbDevice device,
                                                 DirectOptions options);

}  // namespace adbproto
