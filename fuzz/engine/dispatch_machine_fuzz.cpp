// Invariants: of a command that may have left the outcome is never "not sent"; it is dispatched
// again only where the plan only looks or the app refused before it began; there is one outcome,
// no action after it, and with nothing but the clock it comes.

#include "support/dispatch_monitor.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;
using namespace std::chrono_literals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t flags = data[0];
  clawperator::testing::DispatchMonitor monitor({.only_looks = (flags & 1) != 0,
                                                 .may_repeat = (flags & 2) != 0,
                                                 .trusts_operator = (flags & 4) != 0,
                                                 .log_returns = (flags & 8) != 0,
                                                 .limit = 7s,
                                                 .link_return = 5s,
                                                 .longest_receipt = 60s});
  DispatchMachine::Time now{};
  // Three bytes an event: which, what the log shows, how long after the one before.
  for (std::size_t i = 1; i + 2 < size; i += 3) {
    const auto event = DispatchEvent(data[i] % kDispatchEvents);
    const std::uint8_t signs = data[i + 1];
    now += data[i + 2] * 50ms;
    const DispatchSigns seen{.silent = (signs & 1) != 0,
                             .started = (signs & 2) != 0,
                             .records = std::size_t(signs >> 2)};
    fuzz::require(!monitor.on(event, seen, now));
  }
  for (int i = 0; monitor.machine().next_alarm(); ++i) {
    fuzz::require(i < 8);
    const auto alarm = *monitor.machine().next_alarm();
    now = std::max(now, alarm.at);
    fuzz::require(!monitor.on(alarm.event, {}, now));
  }
  return 0;
}
