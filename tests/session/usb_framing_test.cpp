#include "adbproto/session/usb_framing.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/print_result.hpp"

namespace adbproto::testing {
namespace {

using Sizes = std::vector<std::size_t>;

// No two places alike, and no packet header.
Bytes noise(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
  return bytes;
}

Bytes packet(Command command, std::size_t payload_size) {
  return encode_packet({command, 1, 2, noise(payload_size)}, ChecksumRule::zero);
}
Bytes header(Command command, std::uint32_t payload_size) {
  Bytes bytes = packet(command, 0);
  store_le(bytes.data() + 12, payload_size);
  return bytes;
}

Sizes sizes_of(const std::deque<Bytes>& transfers) {
  Sizes sizes;
  for (const Bytes& one : transfers) sizes.push_back(one.size());
  return sizes;
}

Bytes joined(const std::deque<Bytes>& transfers) {
  Bytes all;
  for (const Bytes& one : transfers) append(all, one);
  return all;
}

TEST_CASE("usb out: header and payload are separate, whole packets end with an empty transfer") {
  struct Row {
    std::string name;
    std::size_t packet_size, payload;
    Sizes transfers;
  };
  const auto row = GENERATE(values<Row>({
      {"no payload", 512, 0, {24}},
      {"short", 512, 5, {24, 5}},
      {"one less than a USB packet", 512, 511, {24, 511}},
      {"one USB packet", 512, 512, {24, 512, 0}},
      {"one more", 512, 513, {24, 513}},
      {"two USB packets", 512, 1024, {24, 1024, 0}},
      {"SuperSpeed, half a USB packet", 1024, 512, {24, 512}},
      {"SuperSpeed, one USB packet", 1024, 1024, {24, 1024, 0}},
      {"full speed", 64, 64, {24, 64, 0}},
      {"one piece", 512, 262144, {24, 262144, 0}},
      {"a piece and a byte", 512, 262145, {24, 262144, 1}},
      {"the longest payload", 512, 1048576, {24, 262144, 262144, 262144, 262144, 0}},
      {"odd USB packets", 500, 262500, {24, 262000, 500, 0}},
  }));
  INFO(row.name);
  UsbOutbound out(row.packet_size);
  std::deque<Bytes> transfers;
  const Bytes bytes = packet(Command::write, row.payload);
  REQUIRE(out.feed(bytes, transfers));
  CHECK(sizes_of(transfers) == row.transfers);
  CHECK(joined(transfers) == bytes);
}

TEST_CASE("usb out: every split of the stream gives the same USB packets") {
  Bytes bytes = packet(Command::write, 130);
  append(bytes, packet(Command::okay, 0));
  append(bytes, packet(Command::write, 64));
  append(bytes, packet(Command::close, 0));
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    CAPTURE(cut);
    UsbOutbound out(64);
    std::deque<Bytes> transfers;
    REQUIRE(out.feed(ByteView(bytes).first(cut), transfers));
    REQUIRE(out.feed(ByteView(bytes).subspan(cut), transfers));
    CHECK(joined(transfers) == bytes);
    // What the phone sees: a transfer ends with its first USB packet that is not full.
    Sizes seen{0};
    for (const Bytes& one : transfers) {
      seen.back() += one.size();
      if (one.empty() || one.size() % 64 != 0) seen.push_back(0);
    }
    CHECK(seen == Sizes{24, 130, 24, 24, 64, 24, 0});
  }
}

TEST_CASE("usb out: what fills USB packets does not wait for the rest of the payload") {
  UsbOutbound out(512);
  std::deque<Bytes> transfers;
  REQUIRE(out.feed(ByteView(packet(Command::write, 5000)).first(24 + 1030), transfers));
  CHECK(sizes_of(transfers) == Sizes{24, 1024});
}

TEST_CASE("usb out: bytes that are no packets are refused") {
  UsbOutbound out(512);
  std::deque<Bytes> transfers;
  CHECK(out.feed(noise(24), transfers).error().code() == errc::protocol);
}

// Lets the machine queue what it wants and returns the lengths.
Sizes queue_all(UsbInbound& in) {
  Sizes queued;
  while (const auto size = in.next_read()) {
    in.on_queued(*size);
    queued.push_back(*size);
  }
  return queued;
}

UsbInbound in_step(std::size_t packet_size) {
  UsbInbound in(packet_size);
  CHECK(queue_all(in) == Sizes{packet_size});
  CHECK(in.on_read(header(Command::connect, 0)) == UsbVerdict::deliver);
  return in;
}

TEST_CASE("usb in: behind a header the payload and the next header are requested") {
  struct Row {
    std::string name;
    std::size_t packet_size, payload;
    Sizes reads;
  };
  const auto row = GENERATE(values<Row>({
      {"no payload", 512, 0, {512}},
      {"short", 512, 5, {512, 512}},
      {"one USB packet", 512, 512, {512, 512}},
      {"one more byte", 512, 513, {1024, 512}},
      {"SuperSpeed", 1024, 1025, {2048, 1024}},
      {"full speed", 64, 100, {128, 64}},
      {"tiny USB packets", 8, 30, {32, 24}},
      {"a piece and a byte", 512, 262145, {262144, 512, 512}},
      {"the longest payload", 512, 1048576, {262144, 262144, 262144, 262144, 512}},
  }));
  INFO(row.name);
  UsbInbound in(row.packet_size);
  const std::size_t for_header = row.packet_size < 24 ? 24 : row.packet_size;
  CHECK(queue_all(in) == Sizes{for_header});
  REQUIRE(in.on_read(header(Command::connect, static_cast<std::uint32_t>(row.payload))) ==
          UsbVerdict::deliver);
  CHECK(queue_all(in) == row.reads);
}

TEST_CASE("usb in: a payload in several transfers is requested until it is whole") {
  UsbInbound in = in_step(512);
  CHECK(queue_all(in) == Sizes{512});
  REQUIRE(in.on_read(header(Command::write, 2000)) == UsbVerdict::deliver);
  CHECK(queue_all(in) == Sizes{2048, 512});
  // The phone ends its first transfer early: what was meant for a header takes payload.
  REQUIRE(in.on_read(noise(100)) == UsbVerdict::deliver);
  CHECK(queue_all(in) == Sizes{1536, 512});
  REQUIRE(in.on_read(noise(512)) == UsbVerdict::deliver);
  CHECK(queue_all(in).empty());
  REQUIRE(in.on_read(noise(1388)) == UsbVerdict::deliver);
  REQUIRE(in.on_read(header(Command::okay, 0)) == UsbVerdict::deliver);
}

TEST_CASE("usb in: at most five reads are queued, each at most 256 KiB") {
  UsbInbound in(1024, 4096);
  queue_all(in);
  REQUIRE(in.on_read(header(Command::connect, 100000)) == UsbVerdict::deliver);
  CHECK(queue_all(in) == Sizes{4096, 4096, 4096, 4096, 4096});
}

TEST_CASE("usb in: where memory is short the pieces become smaller") {
  UsbInbound in = in_step(512);
  queue_all(in);
  REQUIRE(in.on_read(header(Command::write, 300000)) == UsbVerdict::deliver);
  in.limit_piece(16384);
  CHECK(in.next_read() == 16384);
}

TEST_CASE("usb in: a cancelled read is requested again") {
  UsbInbound in = in_step(512);
  queue_all(in);
  REQUIRE(in.on_read(header(Command::write, 600)) == UsbVerdict::deliver);
  CHECK(queue_all(in) == Sizes{1024, 512});
  in.on_cancelled();
  in.on_cancelled();
  CHECK(queue_all(in) == Sizes{1024, 512});
}

TEST_CASE("usb in: what an earlier talk left is skipped until CNXN, AUTH or STLS") {
  const auto first = GENERATE(Command::connect, Command::auth, Command::stls);
  UsbInbound in(512);
  const std::vector<Bytes> stale = {header(Command::write, 700),       noise(512), noise(188),
                                    header(Command::close, 0),         noise(24),  noise(100),
                                    header(Command::write, 0xffffffff)};
  for (const Bytes& bytes : stale) {
    CHECK(queue_all(in) == Sizes{512});
    CHECK(in.on_read(bytes) == UsbVerdict::skip);
  }
  CHECK(queue_all(in) == Sizes{512});
  CHECK(in.on_read(header(first, 20)) == UsbVerdict::deliver);
  CHECK(queue_all(in) == Sizes{512, 512});
  CHECK(in.on_read(noise(20)) == UsbVerdict::deliver);
}

TEST_CASE("usb in: empty transfers mean nothing") {
  UsbInbound in = in_step(512);
  CHECK(queue_all(in) == Sizes{512});
  CHECK(in.on_read({}) == UsbVerdict::skip);
  CHECK(queue_all(in) == Sizes{512});
  CHECK(in.on_read(header(Command::okay, 0)) == UsbVerdict::deliver);
}

TEST_CASE("usb in: once in step, what is no packet ends the talk") {
  struct Row {
    std::string name;
    Bytes bytes;
    Errc code;
  };
  Bytes merged = header(Command::write, 4);
  append(merged, noise(4));
  const Row row = GENERATE_COPY(values<Row>({
      {"a short transfer", noise(23), errc::protocol},
      {"a header and its payload in one", merged, errc::protocol},
      {"a wrong magic", noise(24), errc::protocol},
      {"a payload above 1 MiB", header(Command::okay, (1 << 20) + 1), errc::limit},
  }));
  INFO(row.name);
  UsbInbound in = in_step(512);
  queue_all(in);
  CHECK(in.on_read(row.bytes).error().code() == row.code);
}

TEST_CASE("usb in: a transfer that goes beyond its payload ends the talk") {
  UsbInbound in = in_step(512);
  queue_all(in);
  REQUIRE(in.on_read(header(Command::write, 10)) == UsbVerdict::deliver);
  queue_all(in);
  CHECK(in.on_read(noise(11)).error().code() == errc::protocol);
}

}  // namespace
}  // namespace adbproto::testing
