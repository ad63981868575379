#include "adbproto/wire/packet.hpp"

#include "splits.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

using namespace std::string_view_literals;

Packet packet(Command command, std::uint32_t arg0, std::uint32_t arg1, Bytes payload = {}) {
  return {command, arg0, arg1, std::move(payload)};
}

struct Vector {
  const char* name;
  Packet packet;
  ChecksumRule rule;
  std::string_view hex;
};

const std::vector<Vector>& vectors() {
  static const std::vector<Vector> all = {
      {"CNXN with its checksum", packet(Command::connect, 0x01000001, 0x100000, to_bytes("host::")),
       ChecksumRule::sum, "434e584e01000001000010000600000032020000bcb1a7b1686f73743a3a"},
      {"OPEN without a checksum", packet(Command::open, 1, 0, to_bytes("shell:id\0"sv)),
       ChecksumRule::zero, "4f50454e01000000000000000900000000000000b0afbab17368656c6c3a696400"},
      {"OPEN with a window of 32 MiB",
       packet(Command::open, 1, 0x02000000, to_bytes("shell:id\0"sv)), ChecksumRule::zero,
       "4f50454e01000000000000020900000000000000b0afbab17368656c6c3a696400"},
      {"OKAY", packet(Command::okay, 1, 7), ChecksumRule::zero,
       "4f4b415901000000070000000000000000000000b0b4bea6"},
      {"OKAY acknowledging 4096 bytes", packet(Command::okay, 1, 7, from_hex("00100000")),
       ChecksumRule::zero, "4f4b415901000000070000000400000000000000b0b4bea600100000"},
      {"STLS", packet(Command::stls, 0x01000000, 0), ChecksumRule::zero,
       "53544c5300000001000000000000000000000000acabb3ac"},
  };
  return all;
}

Bytes header_hex(std::string_view length, std::string_view magic) {
  return from_hex("4f4b4159 01000000 07000000 " + std::string(length) + " 00000000 " +
                  std::string(magic));
}

}  // namespace

TEST_CASE("packet: known packets encode to known bytes and back", "[wire]") {
  for (const auto& [name, value, rule, hex] : vectors()) {
    INFO(name);
    CHECK((encode_packet(value, rule) == from_hex(hex)));
    const auto read = read_every_split(PacketReader(kMaxPayload), from_hex(hex));
    REQUIRE(read.items.size() == 1);
    CHECK((read.items[0] == value));
  }
}

TEST_CASE("packet: every split of a stream gives the same packets", "[wire]") {
  Bytes stream;
  std::vector<Packet> expected;
  for (const auto& [name, value, rule, hex] : vectors()) {
    append(stream, from_hex(hex));
    expected.push_back(value);
  }
  const auto read = read_every_split(PacketReader(kMaxPayload), stream);
  CHECK((read.items == expected));
  CHECK_FALSE(read.error);
}

TEST_CASE("packet: the header is encoded apart from its payload", "[wire]") {
  const auto header =
      encode_packet_header(Command::write, 2, 3, as_bytes("abc"), ChecksumRule::sum);
  CHECK((Bytes(header.begin(), header.end()) ==
         from_hex("57525445 02000000 03000000 03000000 26010000 a8adabba")));
  CHECK((decode_packet_header(header, 3).value() == PacketHeader{Command::write, 2, 3, 3}));
}

TEST_CASE("packet: the smaller version decides about checksums", "[wire]") {
  CHECK((checksum_rule(kVersionChecksummed) == ChecksumRule::sum));
  CHECK((checksum_rule(kVersionUnchecked) == ChecksumRule::zero));
  CHECK((checksum_rule(0x01000002) == ChecksumRule::zero));
}

TEST_CASE("packet: a bad header is an error before its payload arrives", "[wire]") {
  struct Case {
    const char* name;
    Bytes header;
    Errc code;
  };
  const auto [name, header, code] = GENERATE(values<Case>({
      {"wrong magic", header_hex("00000000", "b0b4bea7"), errc::protocol},
      {"one byte too long", header_hex("01001000", "b0b4bea6"), errc::limit},
      {"length of all ones", header_hex("ffffffff", "b0b4bea6"), errc::limit},
      {"zeros", Bytes(24), errc::protocol},
  }));
  INFO(name);
  const auto read = read_every_split(PacketReader(kMaxPayload), header);
  CHECK(read.items.empty());
  CHECK(read.error == code);
}

TEST_CASE("packet: a wrong checksum and an unknown command are handed on", "[wire]") {
  const auto bytes = from_hex("58585858 01000000 02000000 01000000 efbeadde a7a7a7a7 41");
  const auto read = read_every_split(PacketReader(kMaxPayload), bytes);
  REQUIRE(read.items.size() == 1);
  CHECK((read.items[0] == packet(static_cast<Command>(0x58585858), 1, 2, to_bytes("A"))));
}

TEST_CASE("packet: the limit is inclusive and can change between packets", "[wire]") {
  const auto four = encode_packet(packet(Command::write, 1, 2, Bytes(4)), ChecksumRule::zero);
  const auto five = encode_packet(packet(Command::write, 1, 2, Bytes(5)), ChecksumRule::zero);
  PacketReader reader(4);
  reader.feed(four);
  CHECK(reader.next().value());
  reader.set_max_payload(5);
  reader.feed(five);
  CHECK(reader.next().value());
  reader.set_max_payload(4);
  reader.feed(five);
  CHECK(reader.next().error().code() == errc::limit);
  CHECK(reader.next().error().code() == errc::limit);
}

TEST_CASE("packet: what follows the last packet can be taken over by TLS", "[wire]") {
  PacketReader reader;
  reader.feed(from_hex("53544c5300000001000000000000000000000000acabb3ac 160301"));
  REQUIRE(reader.next().value()->command == Command::stls);
  CHECK(reader.buffered() == 3);
  CHECK((reader.take_rest() == from_hex("160301")));
  CHECK(reader.buffered() == 0);
}

TEST_CASE("packet: buffered bytes distinguish a cut packet from an orderly end", "[wire]") {
  const auto bytes = encode_packet(packet(Command::write, 1, 2, Bytes(100)), ChecksumRule::zero);
  PacketReader reader;
  for (const std::size_t cut : {10u, 24u, 60u}) {
    PacketReader cut_reader;
    cut_reader.feed(ByteView(bytes).first(cut));
    CHECK_FALSE(cut_reader.next().value());
    CHECK(cut_reader.buffered() == cut);
  }
  reader.feed(bytes);
  CHECK(reader.next().value());
  CHECK(reader.buffered() == 0);
}

TEST_CASE("packet: large packets in 64 KiB chunks come through unchanged", "[wire]") {
  Bytes payload(kMaxPayload);
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::byte>(i * 31 >> 8);
  const auto big = packet(Command::write, 1, 2, payload);
  const auto one = encode_packet(big, ChecksumRule::sum);
  const Bytes stream = concat({one, one, one});
  std::vector<ByteView> chunks;
  for (ByteView rest = stream; !rest.empty();) {
    chunks.push_back(rest.first(std::min<std::size_t>(rest.size(), 65536)));
    rest = rest.subspan(chunks.back().size());
  }
  const auto read = read_parts(PacketReader(kMaxPayload), chunks, kOwned);
  REQUIRE(read.items.size() == 3);
  for (const auto& item : read.items) CHECK((item == big));
}
