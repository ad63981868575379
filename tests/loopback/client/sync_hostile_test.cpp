// Devices that stall, lie, cut and repeat.

#include <catch2/catch.hpp>
#include <functional>

#include "adbproto/client/sync_client.hpp"
#include "simdroid/adbd/sync_answers.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using adbproto::testing::FakeDevice;
using adbproto::testing::FakeService;
using adbproto::testing::Loop;
using adbproto::testing::ManualTime;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kFile = 0100644;
constexpr std::uint32_t kFolder = 0040755;

std::string stat_record(std::uint32_t mode, std::uint64_t size = 0, std::uint32_t error = 0) {
  SyncStat stat;
  stat.mode = mode;
  stat.size = size;
  stat.error = error;
  return std::string(as_text(encode_sync_stat_v2(SyncId::stat_v2, stat)));
}
std::string data_record(std::string_view text) {
  return std::string(as_text(encode_sync_data(as_bytes(text))));
}
std::string text_of(const Bytes& bytes) { return std::string(as_text(bytes)); }
std::string entry_record(std::uint32_t mode, const std::string& name) {
  SyncEntry entry{.name = name};
  entry.stat.mode = mode;
  return text_of(encode_sync_entry(SyncVersion::v2, entry));
}

// Says everything at once, reads what it gets, and stays.
Task<void> babble(ByteStreamPtr stream, std::string bytes) {
  CO_TRY_VOID(co_await stream->write_all(as_bytes(bytes)));
  Bytes buffer(4096);
  while (co_await stream->read_some(buffer)) {
  }
  co_return ok();
}

// The first request is heard before anything is said.
Task<void> answer(ByteStreamPtr stream, std::vector<std::string> answers, std::size_t piece) {
  Bytes buffer(4096);
  for (const std::string& text : answers) {
    CO_TRY_VOID(co_await stream->read_some(buffer));
    for (std::size_t at = 0; at < text.size(); at += piece) {
      CO_TRY_VOID(co_await stream->write_all(
          as_bytes(text).subspan(at, std::min(piece, text.size() - at))));
    }
  }
  while (co_await stream->read_some(buffer)) {
  }
  co_return ok();
}

constexpr std::size_t kMegabytes = 50;

// A folder, then its entries: so many megabytes of names that are as long as they may be.
Task<void> endless_list(ByteStreamPtr stream, std::size_t megabytes) {
  Bytes buffer(4096);
  CO_TRY_VOID(co_await stream->read_some(buffer));
  CO_TRY_VOID(co_await stream->write_all(as_bytes(stat_record(kFolder))));
  CO_TRY_VOID(co_await stream->read_some(buffer));
  std::string block;
  while (block.size() < 1 << 20) block += entry_record(kFile, std::string(255, 'n'));
  for (; megabytes > 0; --megabytes) CO_TRY_VOID(co_await stream->write_all(as_bytes(block)));
  co_return ok();
}
FakeService list_without_end(std::size_t megabytes) {
  return [=](ByteStreamPtr stream, const std::string&) {
    return endless_list(std::move(stream), megabytes);
  };
}

struct HostileBench {
  HostileBench()
      : device(loop, {"stat_v2", "ls_v2", "sendrecv_v2", "sendrecv_v2_zstd", "fixed_push_mkdir"}) {}
  void says(std::string bytes) {
    device.serve("sync:", [bytes](ByteStreamPtr stream, const std::string&) {
      return babble(std::move(stream), bytes);
    });
  }
  void answers(std::vector<std::string> each, std::size_t piece = 1 << 20) {
    device.serve("sync:", [=](ByteStreamPtr stream, const std::string&) {
      return answer(std::move(stream), each, piece);
    });
  }
  Result<TransferResult> pull(std::string remote, const std::string& local,
                              TransferOptions options = {}) {
    client = loop.run(SyncClient::open(&device)).value();
    return loop.run(client->pull({std::move(remote)}, local, options, {}));
  }

  Loop loop;
  FakeDevice device;
  TempFolder folder;
  std::unique_ptr<SyncClient> client;
};

}  // namespace

TEST_CASE("hostile sync: every split of a pull's answers gives the same file") {
  const auto piece = GENERATE(as<std::size_t>{}, 1, 2, 3, 7, 8, 9, 71, 72, 73, 1000);
  HostileBench at;
  at.answers({stat_record(kFile, 10),
              data_record("01234") + data_record("56789") + text_of(encode_sync_done(0))},
             piece);
  REQUIRE(at.pull("/r", at.folder.file("f")));
  CHECK(adbproto::testing::file_text(at.folder.path() / "f") == "0123456789");
}

TEST_CASE("hostile sync: a pull that breaks off leaves no file") {
  const auto [name, rest, code] = GENERATE(table<std::string, std::string, Errc>({
      {"fail in the middle", data_record("half") + text_of(encode_sync_fail("read failed")),
       errc::refused},
      {"a stranger's record", data_record("half") + text_of(encode_sync_okay()), errc::protocol},
      {"too long a record", "DATA\xff\xff\xff\xff", errc::limit},
      {"garbage", "ZZZZ\x01\x02\x03\x04", errc::protocol},
  }));
  INFO(name);
  HostileBench at;
  at.answers({stat_record(kFile, 10), rest});
  const auto pulled = at.pull("/r", at.folder.file("f"));
  REQUIRE_FALSE(pulled);
  CHECK(pulled.error().code() == code);
  CHECK(fs::is_empty(at.folder.path()));
}

TEST_CASE("hostile sync: compressed data that is corrupt or cut leaves no file") {
  const auto [name, data] = GENERATE(table<std::string, std::string>({
      {"corrupt", "this is no frame"},
      {"cut", std::string("\x28\xb5\x2f\xfd\x04\x58\x31", 7)},
      {"nothing", ""},
  }));
  INFO(name);
  HostileBench at;
  at.answers({stat_record(kFile, 10),
              (data.empty() ? "" : data_record(data)) + text_of(encode_sync_done(0))});
  TransferOptions options;
  options.compression = Compression::zstd;
  const auto pulled = at.pull("/r", at.folder.file("f"), options);
  REQUIRE_FALSE(pulled);
  CHECK(pulled.error().code() == errc::protocol);
  CHECK(fs::is_empty(at.folder.path()));
}

TEST_CASE("hostile sync: names that lead out of the target end the pull") {
  const std::string name =
      GENERATE(as<std::string>{}, "../evil", "/etc/evil", "a/b", std::string("a\0b", 3));
  HostileBench at;
  at.answers({stat_record(kFolder),
              entry_record(kFile, name) + text_of(encode_sync_list_done(SyncVersion::v2))});
  const auto pulled = at.pull("/r", at.folder.file("t/deep"));
  REQUIRE_FALSE(pulled);
  CHECK(pulled.error().code() == errc::protocol);
  for (const auto& entry : fs::recursive_directory_iterator(at.folder.path())) {
    CHECK(entry.is_directory());
  }
}

TEST_CASE("hostile sync: a folder that does not end is given up long before memory is") {
  HostileBench at;
  at.device.serve("sync:", list_without_end(kMegabytes));
  at.client = at.loop.run(SyncClient::open(&at.device)).value();
  CHECK(at.loop.run(at.client->list("/d")).error().code() == errc::limit);
}

TEST_CASE("hostile sync: a pull looks at names as they come, not at a whole folder of them") {
  ManualTime time;
  HostileBench at;
  at.answers({stat_record(kFolder), entry_record(kFile, std::string(255, 'n'))});
  at.client = at.loop.run(SyncClient::open(&at.device)).value();
  const std::string deep = "/" + std::string(900, 'd');  // too long a path with any such name
  const auto pulled = time.run(at.loop, at.client->pull({deep}, at.folder.file("t"), {}, {}));
  REQUIRE_FALSE(pulled);
  CHECK(pulled.error().code() == errc::limit);
}

TEST_CASE("hostile sync: a source without a name of its own goes nowhere") {
  HostileBench at;
  at.answers({stat_record(kFolder)});
  CHECK(at.pull("/sdcard/..", at.folder.path()).error().code() == errc::refused);
}

TEST_CASE("hostile sync: answers without a request are errors, in a push too") {
  HostileBench at;
  write_text(at.folder.path() / "f", "x");
  const std::string okay = text_of(encode_sync_okay());
  at.says(stat_record(0, 0, 2) + okay + okay + okay);
  at.client = at.loop.run(SyncClient::open(&at.device)).value();
  const auto pushed = at.loop.run(at.client->push({at.folder.file("f")}, "/r", {}, {}));
  // Sent before the request: with luck one fits the next request, never more.
  if (!pushed) CHECK(pushed.error().code() == errc::protocol);
  CHECK_FALSE(at.loop.run(at.client->stat("/r")));
}

// Of "no data moved for N ms".
std::chrono::milliseconds time_in(const Error& error) {
  constexpr std::string_view kBegin = "no data moved for ";
  const auto at = error.message().find(kBegin);
  REQUIRE(at != std::string::npos);
  return std::chrono::milliseconds(std::stoll(error.message().substr(at + kBegin.size())));
}

TEST_CASE("hostile sync: a device that stands still is given up, and says so", "[F67]") {
  const bool push = GENERATE(false, true);
  ManualTime time;
  HostileBench at;
  write_text(at.folder.path() / "f", std::string(3'000'000, 'x'));
  at.answers({stat_record(push ? 0 : kFile, 10, push ? 2 : 0)});
  at.client = at.loop.run(SyncClient::open(&at.device)).value();
  TransferOptions options;
  options.stall_limit = std::chrono::seconds(8);
  auto task = push ? at.client->push({at.folder.file("f")}, "/r", options, {})
                   : at.client->pull({"/r"}, at.folder.file("g"), options, {});
  const auto moved = time.run(at.loop, std::move(task));
  REQUIRE_FALSE(moved);
  CHECK(moved.error().code() == errc::deadline_exceeded);
  CHECK(time.elapsed() >= std::chrono::seconds(8));
  CHECK(time.elapsed() < std::chrono::seconds(40));
  // What is on its way has its own time, so the limit is not what is reported. Everything moved at
  // the beginning, which the next look, an eighth of the limit later, sees.
  CHECK(time_in(moved.error()) >= options.stall_limit);
  CHECK(time_in(moved.error()) <= time.elapsed());
  CHECK(time_in(moved.error()) + options.stall_limit / 4 >= time.elapsed());
  if (push) CHECK(time_in(moved.error()) > options.stall_limit + std::chrono::seconds(5));
  CHECK_FALSE(fs::exists(at.folder.path() / "g"));
}

TEST_CASE("hostile sync: a failure while sending stops the sending") {
  HostileBench at;
  write_text(at.folder.path() / "f", std::string(50'000'000, 'x'));
  at.answers({stat_record(0, 0, 2), text_of(encode_sync_fail("no space left"))});
  at.client = at.loop.run(SyncClient::open(&at.device)).value();
  std::uint64_t sent = 0;
  const auto pushed =
      at.loop.run(at.client->push({at.folder.file("f")}, "/r", {},
                                  [&](const TransferProgress& now) { sent = now.total_done; }));
  REQUIRE_FALSE(pushed);
  CHECK(pushed.error().message() ==
        "failed to copy '" + at.folder.file("f") + "' to '/r': remote no space left");
  CHECK(sent < 50'000'000);
}
