#include "adbproto/wire/pairing.hpp"

#include <catch2/catch.hpp>

#include "support/print_result.hpp"
#include "unit/wire/splits.hpp"

using namespace adbproto;
using adbproto::testing::concat;
using adbproto::testing::from_hex;
using adbproto::testing::read_every_split;

namespace {

using Type = PairingPacket::Type;

Bytes filled(std::size_t size) { return Bytes(size, std::byte{0x41}); }

}  // namespace

TEST_CASE("pairing packet: version, type, big-endian length, payload", "[wire]") {
  CHECK(encode_pairing_packet({Type::spake2_message, filled(32)}) ==
        concat({from_hex("01 00 00000020"), filled(32)}));
  CHECK(encode_pairing_packet({Type::peer_info, filled(8208)}) ==
        concat({from_hex("01 01 00002010"), filled(8208)}));
}

TEST_CASE("pairing packet: every split of the stream gives the same packets", "[wire]") {
  const Bytes stream =
      concat({from_hex("01 00 00000003 010203"), from_hex("01 01 00000101"), filled(257)});
  const auto read = read_every_split(PairingReader(), stream);
  CHECK_FALSE(read.error);
  REQUIRE(read.items.size() == 2);
  CHECK(read.items[0] == PairingPacket{Type::spake2_message, from_hex("010203")});
  CHECK(read.items[1] == PairingPacket{Type::peer_info, filled(257)});
}

TEST_CASE("pairing packet: the largest payload is read", "[wire]") {
  PairingReader reader;
  reader.feed(from_hex("01 01 00004000"));
  reader.feed(filled(16383));
  CHECK_FALSE(reader.next()->has_value());
  reader.feed(filled(1));
  CHECK(reader.next().value().value().payload.size() == 16384);
}

TEST_CASE("pairing packet: a bad header is refused before its payload arrives", "[wire]") {
  struct Case {
    const char* name;
    const char* header;
    Errc code;
  };
  const auto row = GENERATE(values<Case>({
      {"version 0", "00 00 00000020", errc::protocol},
      {"version 2", "02 00 00000020", errc::protocol},
      {"type 2", "01 02 00000020", errc::protocol},
      {"no payload", "01 00 00000000", errc::protocol},
      {"one byte too many", "01 01 00004001", errc::limit},
      {"a little-endian length", "01 00 20000000", errc::limit},
      {"the largest length", "01 00 ffffffff", errc::limit},
  }));
  INFO(row.name);
  const auto read = read_every_split(PairingReader(), from_hex(row.header));
  CHECK(read.items.empty());
  CHECK(read.error == row.code);
}

TEST_CASE("peer info: a kind and a text padded with NUL to 8192 bytes", "[wire]") {
  const auto key = encode_peer_info({PeerInfo::Kind::rsa_public_key, "QUFB test@host"});
  REQUIRE(key);
  CHECK(*key == concat({from_hex("00"), to_bytes("QUFB test@host"), Bytes(8192 - 15)}));
  const auto guid = encode_peer_info({PeerInfo::Kind::device_guid, "adb-S1-abcdef"});
  REQUIRE(guid);
  CHECK(*guid == concat({from_hex("01"), to_bytes("adb-S1-abcdef"), Bytes(8192 - 14)}));
  CHECK(parse_peer_info(*guid) == PeerInfo{PeerInfo::Kind::device_guid, "adb-S1-abcdef"});
}

TEST_CASE("peer info: the longest text leaves room for its NUL", "[wire]") {
  const std::string longest(8190, 'k');
  const auto whole = encode_peer_info({PeerInfo::Kind::rsa_public_key, longest});
  REQUIRE(whole);
  CHECK(parse_peer_info(*whole)->text == longest);
  const auto longer = encode_peer_info({PeerInfo::Kind::rsa_public_key, longest + "k"});
  REQUIRE_FALSE(longer);
  CHECK(longer.error().code() == errc::limit);
  const auto with_nul = encode_peer_info({PeerInfo::Kind::device_guid, std::string("a\0b", 3)});
  REQUIRE_FALSE(with_nul);
  CHECK(with_nul.error().code() == errc::invalid_argument);
}

TEST_CASE("peer info: what is none is refused", "[wire]") {
  struct Case {
    const char* name;
    Bytes bytes;
  };
  const auto row = GENERATE(values<Case>({
      {"nothing", {}},
      {"one byte short", Bytes(8191)},
      {"one byte long", Bytes(8193)},
      {"kind 2", concat({from_hex("02"), Bytes(8191)})},
      {"no NUL at the end", filled(8192)},
  }));
  INFO(row.name);
  const auto info = parse_peer_info(row.bytes);
  REQUIRE_FALSE(info);
  CHECK(info.error().code() == errc::protocol);
}

TEST_CASE("peer info: what follows the NUL does not count", "[wire]") {
  Bytes bytes = concat({from_hex("01"), to_bytes("guid"), Bytes(8192 - 5)});
  bytes[100] = std::byte{'x'};
  CHECK(parse_peer_info(bytes) == PeerInfo{PeerInfo::Kind::device_guid, "guid"});
}
