#include "adbproto/wire/smart_socket.hpp"

#include "splits.hpp"
#include "support/server_frames.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::string_view_literals;

TEST_CASE("smart socket: a request is its length in hex and its name", "[wire]") {
  CHECK(as_text(encode_request("host:version").value()) == "000chost:version");
  CHECK(encode_request("").error().code() == errc::invalid_argument);
  const auto longest = encode_request(std::string(65535, 'x'));
  REQUIRE(longest);
  CHECK(as_text(*longest).substr(0, 4) == "ffff");
  CHECK(encode_request(std::string(65536, 'x')).error().code() == errc::limit);
}

TEST_CASE("smart socket: the server's frames have known bytes", "[wire]") {
  CHECK(as_text(encode_okay()) == "OKAY");
  CHECK(as_text(encode_fail("closed")) == "FAIL0006closed");
  CHECK(as_text(encode_fail("")) == "FAIL0000");
  CHECK(as_text(encode_block("0029")) == "00040029");
  CHECK(encode_block(std::string(70000, 'x')).size() == 4 + 65535);
}

TEST_CASE("smart socket: requests are read whatever the case of their digits", "[wire]") {
  const auto read =
      read_every_split(ServerRequestReader(), as_bytes("000chost:version000Chost:devices"));
  CHECK(read.items == std::vector<std::string>{"host:version", "host:devices"});
}

TEST_CASE("smart socket: a server refuses what is no request", "[wire]") {
  const auto junk = GENERATE(values<std::string_view>(
      {"0000", "GET / HTTP/1.1\r\n", "\x16\x03\x01\x02", "00 5hello", "-001x", "0x01x"}));
  const auto read = read_every_split(ServerRequestReader(), as_bytes(junk));
  CHECK(read.items.empty());
  CHECK(read.error == errc::protocol);
}

TEST_CASE("smart socket: a tracker's blocks are found however they are cut", "[wire]") {
  const auto stream = "0009a\tdevice\n0000001C127.0.0.1:5555\tunauthorized\n00"sv;
  const auto read = read_every_split(BlockReader(), as_bytes(stream));
  CHECK(read.items ==
        std::vector<std::string>{"a\tdevice\n", "", "127.0.0.1:5555\tunauthorized\n"});
  BlockReader reader;
  reader.feed(as_bytes(stream));
  for (int i = 0; i < 3; ++i) REQUIRE(reader.next().value());
  CHECK_FALSE(reader.next().value());
  CHECK(reader.buffered() == 2);
}

TEST_CASE("smart socket: a status is OKAY, or FAIL with its reason", "[wire]") {
  StatusReader reader;
  reader.feed(as_bytes("OKAYrest"));
  CHECK(reader.next().value());

  const auto read = read_every_split(StatusReader(), as_bytes("FAIL0006closed"));
  CHECK(read.error == errc::refused);
  StatusReader failing;
  failing.feed(as_bytes("FAIL0006closed"));
  CHECK(failing.next().error().message() == "closed");
  CHECK(failing.next().error().message() == "closed");
}

TEST_CASE("smart socket: an empty FAIL gets a text of ours", "[wire]") {
  StatusReader reader;
  reader.feed(as_bytes("FAIL0000"));
  const auto error = reader.next().error();
  CHECK(error.code() == errc::refused);
  CHECK(error.message() == "the server gave no reason (more than one device?)");
}

TEST_CASE("smart socket: the three reply shapes", "[wire]") {
  struct Case {
    const char* name;
    ReplyShape shape;
    std::string_view stream;
    std::vector<std::string> replies;
  };
  const auto [name, shape, stream, replies] = GENERATE(values<Case>({
      {"text", ReplyShape::text, "OKAY00040029", {"0029"}},
      {"empty text", ReplyShape::text, "OKAY0000", {""}},
      {"second status", ReplyShape::second_status, "OKAYOKAY", {""}},
      {"second status and a port", ReplyShape::second_status, "OKAYOKAY00048765", {"", "8765"}},
      {"none", ReplyShape::none, "OKAY", {""}},
      {"nothing that comes after the end", ReplyShape::none, "OKAY0000", {""}},
  }));
  INFO(name);
  const auto read = read_every_split(ReplyReader(shape), as_bytes(stream));
  CHECK((read.items == replies));
  CHECK_FALSE(read.error);
}

TEST_CASE("smart socket: a failure may come at either status", "[wire]") {
  struct Case {
    const char* name;
    ReplyShape shape;
    std::string_view stream;
    Errc code;
    std::string_view message;
  };
  const auto [name, shape, stream, code, message] = GENERATE(values<Case>({
      {"first", ReplyShape::none, "FAIL0006closed", errc::refused, "closed"},
      {"first of two", ReplyShape::second_status, "FAIL0003why", errc::refused, "why"},
      {"second of two", ReplyShape::second_status, "OKAYFAIL0003why", errc::refused, "why"},
      {"pairing", ReplyShape::text, "OKAYFAIL0031Failed: Wrong password or connection was dropped.",
       errc::refused, "Failed: Wrong password or connection was dropped."},
      {"neither", ReplyShape::text, "HTTP/1.1 400", errc::protocol,
       "the server answered neither OKAY nor FAIL"},
      {"length without digits", ReplyShape::text, "OKAYzzzz", errc::protocol,
       "length of a frame is not four hex digits"},
      {"reason without a length", ReplyShape::text, "FAILwhy?", errc::protocol,
       "length of a frame is not four hex digits"},
  }));
  INFO(name);
  const auto read = read_every_split(ReplyReader(shape), as_bytes(stream));
  CHECK(read.items.empty());
  CHECK(read.error == code);
  ReplyReader reader(shape);
  reader.feed(as_bytes(stream));
  CHECK(reader.next().error().message() == message);
}
