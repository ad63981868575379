#pragma once
// Advice about the guards of phone makers and of Android itself: one table, by maker and by
// symptom. A hint is shown only where its symptom has occurred. Where the facts come from:
// docs/start/connect.md.

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "base/error.hpp"

namespace clawperator {

enum class Symptom : std::uint8_t {
  refused,          // SecurityException for settings or a grant
  install_blocked,  // the package was refused before it was read
  silent_app,       // no sign of life after a broadcast
  silent_log,       // the log keeps its entries back
  service_struck,   // the accessibility service is off the system's list, or does not run
};

// The symptom of a device's refusal; nullopt: unknown.
std::optional<Symptom> symptom_of(std::string_view refusal);

// `maker`: ro.product.manufacturer; `sdk`: ro.build.version.sdk, 0 where unknown. One sentence
// each, the maker's own first.
std::vector<std::string> hints_for(std::string_view maker, int sdk, Symptom symptom);

// The hints of hints_for as one text; empty without hints.
std::string hint_for(std::string_view maker, int sdk, Symptom symptom);

// The phone's maker and its release of Android: read when a symptom needs a maker's own advice.
struct PhoneMaker {
  std::string name{};  // ro.product.manufacturer; empty where unknown
  int sdk = 0;         // ro.build.version.sdk; 0 where unknown
};

// Reads the two lines that maker_line prints.
PhoneMaker parse_maker(std::string_view printed);
// An unknown maker where the device does not report it.
asio::awaitable<PhoneMaker> read_maker(adbproto::Device* device);

// `error` with the `hint` for its symptom, if it has one and no hint yet. Only then the device is
// queried.
asio::awaitable<Error> with_vendor_hint(adbproto::Device* device, Error error);

}  // namespace clawperator
