#include "runtime/daemon/frame.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "base/errc.hpp"

using namespace clawperator;
using namespace clawperator::daemon;
using namespace std::string_literals;

namespace {

std::vector<Frame> read_all(FrameReader* reader) {
  std::vector<Frame> frames;
  for (auto frame = reader->next(); frame && *frame; frame = reader->next()) {
    frames.push_back(**std::move(frame));
  }
  return frames;
}

}  // namespace

TEST_CASE("frame: a kind, a length of four bytes, the payload", "[daemon]") {
  CHECK(encode_frame(FrameKind::cancel, "") == "x\0\0\0\0"s);
  CHECK(encode_frame(FrameKind::warning, "low") == "w\3\0\0\0low"s);
  CHECK(encode_frame(FrameKind::result, std::string(0x10203, 'a')).substr(0, 6) == "o\3\2\1\0a"s);
}

TEST_CASE("frame: every split of the stream gives the same frames", "[daemon]") {
  const std::string bytes = "b\0\0\0\0"s + "w\3\0\0\0low"s + "f\4\0\0\0a\0bc"s;
  const std::vector<Frame> wanted = {
      {FrameKind::begun, ""}, {FrameKind::warning, "low"}, {FrameKind::save, "a\0bc"s}};
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    FrameReader reader(16);
    reader.feed(base::as_bytes(bytes.substr(0, cut)));
    auto frames = read_all(&reader);
    reader.feed(base::as_bytes(bytes.substr(cut)));
    for (auto& frame : read_all(&reader)) frames.push_back(std::move(frame));
    CHECK(frames == wanted);
  }
}

TEST_CASE("frame: what is too long is refused before it is held, and for good", "[daemon]") {
  FrameReader reader(3);
  reader.feed(base::as_bytes("w\4\0\0\0"s));
  const auto first = reader.next();
  REQUIRE_FALSE(first);
  CHECK(first.error().code() == errc::limit);
  reader.feed(base::as_bytes("x\0\0\0\0"s));
  CHECK_FALSE(reader.next());
}

TEST_CASE("frame: an unknown kind ends it with its first byte", "[daemon]") {
  FrameReader reader(3);
  reader.feed(base::as_bytes("G"s));
  const auto read = reader.next();
  REQUIRE_FALSE(read);
  CHECK(read.error().code() == errc::protocol);
}
