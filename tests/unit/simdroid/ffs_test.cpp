#include "simdroid/ffs/descriptors.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/packet.hpp"
#include "simdroid/ffs/transfers.hpp"

namespace {

using namespace adbproto;
using simdroid::HostTransfers;
using Part = HostTransfers::Part;

Bytes bytes(std::initializer_list<int> values) {
  Bytes result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

Bytes packet(Command command, std::size_t payload) {
  return encode_packet({command, 1, 2, Bytes(payload, std::byte{'x'})}, ChecksumRule::zero);
}

std::vector<std::size_t> sizes(const std::vector<ByteView>& transfers) {
  std::vector<std::size_t> result;
  for (const ByteView transfer : transfers) result.push_back(transfer.size());
  return result;
}

}  // namespace

TEST_CASE("ffs: the descriptors of the three speeds") {
  // magic, length, flags FS|HS|SS, counts; interface, OUT, IN as USB 2.0 9.6 and USB 3.2 9.6.7 say.
  // clang-format off
  const Bytes expected = bytes({
      3, 0, 0, 0,  105, 0, 0, 0,  7, 0, 0, 0,  3, 0, 0, 0,  3, 0, 0, 0,  5, 0, 0, 0,
      9, 4, 0, 0, 2, 0xff, 0x42, 1, 1,  7, 5, 0x01, 2, 64, 0, 0,  7, 5, 0x82, 2, 64, 0, 0,
      9, 4, 0, 0, 2, 0xff, 0x42, 1, 1,  7, 5, 0x01, 2, 0, 2, 0,  7, 5, 0x82, 2, 0, 2, 0,
      9, 4, 0, 0, 2, 0xff, 0x42, 1, 1,  7, 5, 0x01, 2, 0, 4, 0,  6, 0x30, 0, 0, 0, 0,
                                        7, 5, 0x82, 2, 0, 4, 0,  6, 0x30, 0, 0, 0, 0,
  });
  // clang-format on
  CHECK(simdroid::adb_descriptors() == expected);
}

TEST_CASE("ffs: one string in one language") {
  CHECK(simdroid::adb_strings() ==
        bytes({2, 0, 0, 0, 22, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 4, 'a', 'd', 'b', 0}));
}

TEST_CASE(
    "ffs: the phone sends header and payload apart, in pieces of 16 KiB, never an empty one") {
  using Sizes = std::vector<std::size_t>;
  CHECK(sizes(simdroid::phone_transfers(packet(Command::okay, 0))) == Sizes{24});
  CHECK(sizes(simdroid::phone_transfers(packet(Command::write, 512))) == Sizes{24, 512});
  CHECK(sizes(simdroid::phone_transfers(packet(Command::write, 16384))) == Sizes{24, 16384});
  CHECK(sizes(simdroid::phone_transfers(packet(Command::write, 40000))) ==
        Sizes{24, 16384, 16384, 7232});

  Bytes several = packet(Command::okay, 0);
  append(several, packet(Command::write, 5));
  CHECK(sizes(simdroid::phone_transfers(several)) == Sizes{24, 24, 5});
}

TEST_CASE("ffs: a host that keeps to the rules") {
  HostTransfers host;
  const Bytes connect = packet(Command::connect, 600);
  const ByteView payload = ByteView(connect).subspan(24);
  CHECK(host.take(ByteView(connect).first(24)) == Part::begin);
  CHECK(host.take(payload.first(512)) == Part::more);
  CHECK(host.take(payload.subspan(512)) == Part::more);

  const Bytes write = packet(Command::write, 512);
  CHECK(host.take(ByteView(write).first(24)) == Part::more);
  CHECK(host.take(ByteView(write).subspan(24)) == Part::more);
  CHECK(host.take({}) == Part::nothing);
  CHECK(host.take(packet(Command::okay, 0)) == Part::more);
}

TEST_CASE("ffs: a host that does not is out of step, as for adbd") {
  const Bytes write = packet(Command::write, 512);
  SECTION("header and payload in one transfer") {
    CHECK(HostTransfers().take(write).error().code() == errc::protocol);
  }
  SECTION("the empty transfer left out, so that the next header joins the payload") {
    HostTransfers host;
    REQUIRE(host.take(ByteView(write).first(24)) == Part::more);
    Bytes joined(write.begin() + 24, write.end());
    append(joined, packet(Command::okay, 0));
    CHECK(host.take(joined).error().code() == errc::protocol);
  }
  SECTION("24 bytes that are no header") {
    CHECK(HostTransfers().take(Bytes(24)).error().code() == errc::protocol);
  }
  SECTION("a payload longer than any") {
    Bytes header = packet(Command::write, 0);
    adbproto::store_le<std::uint32_t>(header.data() + 12, (1 << 20) + 1);
    CHECK(HostTransfers().take(header).error().code() == errc::limit);
  }
}
