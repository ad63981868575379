#include "adbproto/client/data_blocks.hpp"

#include <fcntl.h>

#include <catch2/catch.hpp>
#include <string>

#include "adbproto/wire/sync_reader.hpp"
#include "simdroid/adbd/sync_request_reader.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using adbproto::testing::noise;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;

namespace {

constexpr std::size_t kWholeBlock = 15 * (8 + kMaxSyncData);

struct Sent {
  Bytes content{};  // of the DATA records
  std::size_t plain = 0;
  std::size_t blocks = 0;
};

FileHandle open_file(const std::string& path) {
  return FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

// As a device reads it.
void take_records(ByteView records, Bytes& content) {
  SyncRequestReader reader;
  reader.feed(records);
  for (auto request = reader.next().value(); request; request = reader.next().value()) {
    REQUIRE(request->id == SyncId::data);
    append(content, request->data);
  }
  REQUIRE(reader.buffered() == 0);
}

Sent send(const std::string& path, Compression compression) {
  BlockSource source(open_file(path), path, compression);
  DataBlock block;
  Sent sent;
  for (BlockSource::Filled filled; !filled.last; ++sent.blocks) {
    filled = source.fill(&block).value();
    REQUIRE(filled.records.size() <= kWholeBlock);
    take_records(filled.records, sent.content);
    sent.plain += filled.plain;
  }
  return sent;
}

Bytes unpacked(Compression compression, ByteView packed, std::size_t size) {
  const auto decoder = make_decoder(compression);
  Bytes plain(size + 1);
  std::size_t made = 0;
  for (bool ended = false; !ended;) {
    const auto step =
        decoder->step(packed, Transcoder::Input::last, std::span(plain).subspan(made)).value();
    REQUIRE((step.taken > 0 || step.made > 0 || step.ended));
    packed = packed.subspan(step.taken);
    made += step.made;
    ended = step.ended;
  }
  CHECK(packed.empty());
  plain.resize(made);
  return plain;
}

std::string words(std::size_t size) {
  std::string text;
  for (unsigned i = 0; text.size() < size; ++i) text += "word" + std::to_string(i * i % 3001) + ' ';
  text.resize(size);
  return text;
}

}  // namespace

TEST_CASE("data blocks: a file comes as full records, the last one aside") {
  const std::size_t size =
      GENERATE(0u, 1u, 65535u, 65536u, 65537u, 983039u, 983040u, 983041u, 2'500'000u);
  TempFolder folder;
  const Bytes content = noise(size);
  write_text(folder.file("f"), std::string(as_text(content)));
  const Sent sent = send(folder.file("f"), Compression::none);
  CHECK(sent.content == content);
  CHECK(sent.plain == size);
  CHECK(sent.blocks == (size + 983039) / 983040 + 1);  // the last is the empty one
}

TEST_CASE("data blocks: what is compressed is one frame over all blocks") {
  const auto compression = GENERATE(Compression::brotli, Compression::lz4, Compression::zstd);
  const bool can_shrink = GENERATE(true, false);
  const std::size_t size = GENERATE(0u, 1u, 65536u, 262144u, 1048576u, 5'000'001u);
  TempFolder folder;
  const Bytes content = can_shrink ? to_bytes(words(size)) : noise(size);
  write_text(folder.file("f"), std::string(as_text(content)));
  const Sent sent = send(folder.file("f"), compression);
  CHECK(sent.plain == size);
  CHECK(unpacked(compression, sent.content, size) == content);
  if (can_shrink && size > 1000) CHECK(sent.content.size() < size);
}

TEST_CASE("data blocks: a block holds no more of a file than the device can wait for") {
  TempFolder folder;
  write_text(folder.file("f"), std::string(20'000'000, 'x'));
  CHECK(send(folder.file("f"), Compression::zstd).blocks >= 19);
}

TEST_CASE("data blocks: what cannot be read is named") {
  TempFolder folder;
  const auto compression = GENERATE(Compression::none, Compression::zstd);
  BlockSource source(open_file(folder.path().string()), "the/file", compression);
  DataBlock block;
  const auto filled = source.fill(&block);
  REQUIRE_FALSE(filled);
  CHECK(filled.error().code() == errc::file_unreadable);
  CHECK(filled.error().message() == "failed to read 'the/file': Is a directory");
}
