#pragma once
// Who made the phone, and how old its Android is: asked when a symptom wants a maker's own advice.

#include <string>
#include <string_view>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "base/error.hpp"
#include "runtime/host/vendor_hints.hpp"

namespace clawperator {

struct PhoneMaker {
  std::string name{};  // ro.product.manufacturer; empty where unknown
  int sdk = 0;         // ro.build.version.sdk; 0 where unknown
};

// Reads the two lines that maker_line prints.
PhoneMaker parse_maker(std::string_view printed);
// A device that does not tell is of an unknown maker.
asio::awaitable<PhoneMaker> ask_maker(adbproto::Device* device);

// `error` with the `hint` for its symptom, if it has one and no hint yet. Asks the device only
// then.
asio::awaitable<Error> with_vendor_hint(adbproto::Device* device, Error error);

}  // namespace clawperator
