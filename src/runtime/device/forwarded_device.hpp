#pragma once
// A device that belongs to somebody else, as one of its own: keeps alive what it needs.

#include <memory>

#include "adbproto/client/device.hpp"

namespace clawperator {

// `keeps`: what must outlive the device, such as the USB bus it is on.
std::unique_ptr<adbproto::Device> forward_to(std::shared_ptr<adbproto::Device> device,
                                             std::shared_ptr<void> keeps = nullptr);

}  // namespace clawperator
