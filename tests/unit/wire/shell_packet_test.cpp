#include "adbproto/wire/shell_packet.hpp"

#include "splits.hpp"
#include "support/shell_packets.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::string_view_literals;

namespace {

const auto kSample = encode_shell_packet(ShellId::standard_out, as_bytes("out"));

Bytes sample_stream() {
  return concat({kSample, encode_shell_packet(ShellId::standard_err, as_bytes("warn")),
                 encode_shell_packet(ShellId::standard_out, {}),
                 encode_shell_packet(ShellId::exit, as_bytes("\x07"))});
}

// Joins the chunks of the same packet; an unfinished packet is not returned.
class JoiningReader {
 public:
  void feed(ByteView bytes) { reader_.feed(bytes); }

  Result<std::optional<ShellPacket>> next() {
    for (;;) {
      TRY(const auto chunk, reader_.next());
      if (!chunk) return std::nullopt;
      packet_.id = chunk->id;
      append(packet_.payload, chunk->piece);
      if (chunk->last) return std::exchange(packet_, {});
    }
  }

 private:
  ShellChunkReader reader_;
  ShellPacket packet_;
};

}  // namespace

TEST_CASE("shell packet: known bytes", "[wire]") {
  CHECK((encode_shell_packet(ShellId::exit, from_hex("89")) == from_hex("030100000089")));
  CHECK((encode_window_size({24, 80, 0, 0}) == from_hex("050900000032347838302c307830")));
  CHECK((encode_shell_packet(ShellId::standard_out, as_bytes("hi")) == from_hex("01020000006869")));
  CHECK((encode_shell_packet(ShellId::close_stdin, {}) == from_hex("0400000000")));
}

TEST_CASE("shell packet: every split of the stream gives the same packets", "[wire]") {
  const std::vector<ShellPacket> expected = {{ShellId::standard_out, to_bytes("out")},
                                             {ShellId::standard_err, to_bytes("warn")},
                                             {ShellId::standard_out, {}},
                                             {ShellId::exit, to_bytes("\x07")}};
  const auto packets = read_every_split(ShellPacketReader(), sample_stream());
  CHECK((packets.items == expected));
  const auto joined = read_every_split(JoiningReader(), sample_stream());
  CHECK((joined.items == expected));
}

TEST_CASE("shell packet: a bad header is an error before its payload arrives", "[wire]") {
  struct Case {
    const char* name;
    std::string_view header;
    Errc code;
  };
  const auto [name, header, code] = GENERATE(values<Case>({
      {"one byte over the limit, unknown id", "\x06\x01\0\x10\0"sv, errc::limit},
      {"one byte over the limit", "\x01\x01\0\x10\0"sv, errc::limit},
      {"length of all ones", "\x01\xff\xff\xff\xff"sv, errc::limit},
  }));
  INFO(name);
  CHECK(read_every_split(ShellPacketReader(), as_bytes(header)).error == code);
  CHECK(read_every_split(JoiningReader(), as_bytes(header)).error == code);
}

TEST_CASE("shell packet: what has an unknown id is skipped", "[wire][F30]") {
  Bytes stream = to_bytes("\x06\x03\0\0\0new\xff\0\0\0\0"sv);
  append(stream, sample_stream());
  append(stream, to_bytes("\x07\0\0\0\0"sv));
  CHECK(read_every_split(ShellPacketReader(), stream).items ==
        read_every_split(ShellPacketReader(), sample_stream()).items);
  CHECK(read_every_split(JoiningReader(), stream).items ==
        read_every_split(JoiningReader(), sample_stream()).items);
}

TEST_CASE("shell packet: a packet of 1 MiB is allowed and streams in pieces", "[wire]") {
  const Bytes payload(kMaxShellPayload, std::byte{'x'});
  const auto packet = encode_shell_packet(ShellId::standard_out, payload);
  ShellChunkReader reader;
  std::size_t seen = 0;
  for (ByteView rest = packet; !rest.empty();) {
    const auto part = rest.first(std::min<std::size_t>(rest.size(), 16384));
    rest = rest.subspan(part.size());
    reader.feed(part);
    for (auto chunk = reader.next().value(); chunk; chunk = reader.next().value()) {
      CHECK(chunk->piece.data() >= part.data());
      CHECK(chunk->piece.data() + chunk->piece.size() <= part.data() + part.size());
      seen += chunk->piece.size();
      CHECK(chunk->last == (seen == payload.size()));
    }
  }
  CHECK(seen == payload.size());
  CHECK(reader.at_boundary());
}

TEST_CASE("shell packet: a stream that ends inside a packet is noticed", "[wire]") {
  for (std::size_t cut = 1; cut < kSample.size(); ++cut) {
    INFO("cut at " << cut);
    ShellPacketReader packets;
    packets.feed(ByteView(kSample).first(cut));
    CHECK_FALSE(packets.next().value());
    CHECK(packets.buffered() == cut);
    ShellChunkReader chunks;
    chunks.feed(ByteView(kSample).first(cut));
    while (chunks.next().value()) continue;
    CHECK_FALSE(chunks.at_boundary());
  }
}
