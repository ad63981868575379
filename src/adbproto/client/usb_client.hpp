#pragma once
// Connects to a phone on USB without an adb server.

#include "adbproto/client/direct_client.hpp"
#include "adbproto/link/usb_bus.hpp"

namespace adbproto {

// Opens and claims the interface and runs the handshake. A phone may leave the bus meanwhile
// because of unread bytes of an earlier connection: the task waits for it and tries again. A phone
// that never answers is reset once. Unread packets of an earlier connection are not trusted. An old
// token makes one signature useless, so a first refusal leads to a second connection. Its Handshake
// is a new one: each key signs once more. Our key is offered from the second connection on. An
// agreement without a request for a key is tested before it counts. `bus` must live until the task
// ends.
Task<std::unique_ptr<Device>> connect_usb_device(UsbBus* bus, UsbDevice device,
                                                 DirectOptions options);

}  // namespace adbproto
