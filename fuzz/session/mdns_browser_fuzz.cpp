// Invariants: no sequence of messages and times crashes the browser or makes it keep more than its
// bound; what it asks can be encoded and leaves it nothing to ask at once; what it finds is
// complete; when everything has expired nothing is left.

#include <algorithm>
#include <cstdlib>

#include "adbproto/session/mdns_browser.hpp"

using namespace adbproto;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const MdnsBrowser& browser) {
  require(browser.size() <= MdnsBrowser::kMaxRecords);
  for (const DiscoveredService& service : browser.services()) {
    require(!service.host.empty() && service.port != 0 && !service.instance.empty());
  }
}

}  // namespace

// Each message: u8 seconds since the one before, u16 size, bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Clock::time_point now{std::chrono::hours(1)};
  MdnsBrowser browser(now, std::chrono::seconds(60));
  ByteView bytes{reinterpret_cast<const std::byte*>(data), size};
  while (bytes.size() >= 3) {
    now += std::chrono::seconds(std::to_integer<int>(bytes[0]));
    const auto length = std::min<std::size_t>(load_le<std::uint16_t>(&bytes[1]), bytes.size() - 3);
    if (const auto message = parse_mdns(bytes.subspan(3, length))) {
      browser.on_message(*message, now);
    }
    bytes = bytes.subspan(3 + length);
    if (const auto query = browser.query(now)) require(encode_mdns(*query).has_value());
    require(!browser.query(now));
    check(browser);
  }
  browser.on_time(now + std::chrono::minutes(76));
  require(browser.size() == 0);
  return 0;
}
