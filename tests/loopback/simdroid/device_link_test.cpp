#include "simdroid/adbd/device_link.hpp"

#include <catch2/catch.hpp>

#include "loopback/simdroid/sim_support.hpp"
#include "support/print_result.hpp"
#include "support/stream_io.hpp"

using namespace simdroid;
using namespace adbproto::testing;

namespace {

Bytes packet(Command command, std::string_view payload = {}) {
  return encode_packet({command, 1, 2, to_bytes(payload)}, ChecksumRule::zero);
}

Bytes joined(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) append(all, part);
  return all;
}

struct Linked {
  explicit Linked(CloseCount closes) {
    auto [ours, theirs] = make_memory_pair(sim.loop().executor(), 1 << 20);
    host = std::move(ours);
    link = std::make_unique<DeviceLink>(std::move(theirs), &sim.phone(), closes);
  }
  std::string send(const std::vector<Bytes>& writes) {
    for (const Bytes& bytes : writes) REQUIRE(sim.loop().run(link->write_all(bytes)));
    link->close();
    return *sim.loop().run(read_to_end(host.get()));
  }

  simdroid::testing::SimHost sim;
  ByteStreamPtr host;
  std::unique_ptr<DeviceLink> link;
};

}  // namespace

TEST_CASE("device link: every CLSE goes out twice, wherever it stands", "[loopback]") {
  const Bytes close = packet(Command::close);
  const Bytes okay = packet(Command::okay);
  const Bytes write = packet(Command::write, "some payload");
  const Bytes sent = joined({close, okay, write, close, close, write});
  const Bytes twice = joined({close, close, okay, write, close, close, close, close, write});
  CHECK(Linked(CloseCount::twice).send({sent}) == as_text(twice));
  CHECK(Linked(CloseCount::once).send({sent}) == as_text(sent));
}

TEST_CASE("device link: a payload that looks like CLSE is left alone, in one write or several",
          "[loopback]") {
  const Bytes close = packet(Command::close);
  const std::string lookalike(as_text(joined({close, close, close})));
  const Bytes write = packet(Command::write, lookalike);
  const Bytes okay = packet(Command::okay);
  for (std::size_t cut = kPacketHeaderSize; cut <= write.size(); ++cut) {
    INFO(cut);
    const Bytes first(write.begin(), write.begin() + static_cast<std::ptrdiff_t>(cut));
    const Bytes second(write.begin() + static_cast<std::ptrdiff_t>(cut), write.end());
    CHECK(Linked(CloseCount::twice).send({first, joined({second, close, okay})}) ==
          as_text(joined({write, close, close, okay})));
    if (cut > kPacketHeaderSize + 4) cut += 16;
  }
}
