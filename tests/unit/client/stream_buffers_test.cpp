#include "adbproto/client/stream_buffers.hpp"

#include <catch2/catch.hpp>

using namespace adbproto;

namespace {

std::string take_all(Inbox& inbox, std::size_t at_once) {
  std::string all;
  Bytes buffer(at_once);
  while (const std::size_t size = inbox.take(buffer)) {
    all += as_text(ByteView(buffer).first(size));
  }
  return all;
}

}  // namespace

TEST_CASE("inbox: single bytes take no more room than large packets", "[client][F26]") {
  constexpr std::size_t kBytes = 1 << 17;
  Inbox inbox;
  std::string sent;
  for (std::size_t i = 0; i < kBytes; ++i) {
    sent += static_cast<char>('a' + i % 26);
    inbox.add(to_bytes(sent.substr(i)));
  }
  CHECK(inbox.pieces() == kBytes / kLargePiece);
  CHECK((take_all(inbox, 1000) == sent));
  CHECK(inbox.empty());
}

TEST_CASE("inbox: what is half taken is added to and read in order", "[client][F26]") {
  Inbox inbox;
  inbox.add(to_bytes("abc"));
  Bytes two(2);
  CHECK(inbox.take(two) == 2);
  inbox.add(to_bytes("def"));
  inbox.add(Bytes(kLargePiece, std::byte{'x'}));
  inbox.add(to_bytes("g"));
  CHECK((take_all(inbox, 7) == "cdef" + std::string(kLargePiece, 'x') + "g"));
  inbox.add(to_bytes("abc"));
  inbox.clear();
  CHECK(inbox.empty());
}
