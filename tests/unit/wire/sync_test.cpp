#include "adbproto/wire/sync.hpp"

#include <cerrno>

#include "adbproto/wire/sync_reader.hpp"
#include "simdroid/adbd/sync_answers.hpp"
#include "simdroid/adbd/sync_request_reader.hpp"
#include "splits.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::string_view_literals;

namespace {

const SyncStat kStat = {.error = 0,
                        .dev = 0x0102030405060708,
                        .ino = 0x1112131415161718,
                        .mode = 0100644,
                        .nlink = 1,
                        .uid = 2000,
                        .gid = 2001,
                        .size = 0x0000000123456789,
                        .atime = -1,
                        .mtime = 1700000000,
                        .ctime = 1700000001};
const std::string kStatV2Fields =
    "00000000 0807060504030201 1817161514131211 a4810000 01000000 d0070000 d1070000"
    "8967452301000000 ffffffffffffffff 00f1536500000000 01f1536500000000";

// What v1 can carry of kStat.
const SyncStat kStatV1 = {.mode = 0100644, .size = 0x23456789, .mtime = 1700000000};

struct OwnedRequest {
  SyncId id{};
  std::string path{};
  std::uint32_t mode = 0;
  std::uint32_t flags = 0;
  std::uint32_t mtime = 0;
  std::string data{};

  bool operator==(const OwnedRequest&) const = default;
};

constexpr auto kOwnRequest = [](const SyncRequest& r) {
  return OwnedRequest{r.id, r.path, r.mode, r.flags, r.mtime, std::string(as_text(r.data))};
};

struct OwnedResponse {
  SyncResponse::Kind kind{};
  SyncStat stat{};
  std::string text{};
  std::string data{};

  bool take_piece(const OwnedResponse& next) {
    const bool joins = kind == SyncResponse::Kind::data && next.kind == kind;
    if (joins) data += next.data;
    return joins;
  }
  bool operator==(const OwnedResponse&) const = default;
};

constexpr auto kOwnResponse = [](const SyncResponse& r) {
  return OwnedResponse{r.kind, r.stat, r.text, std::string(as_text(r.data))};
};

using Kind = SyncResponse::Kind;

SyncResponseReader expecting(std::initializer_list<SyncAnswerTo> requests) {
  SyncResponseReader reader;
  for (const auto request : requests) reader.expect(request);
  return reader;
}

}  // namespace

TEST_CASE("sync: requests have known bytes", "[wire]") {
  CHECK((encode_sync_request(SyncId::stat, "/a").value() == from_hex("53544154 02000000 2f61")));
  CHECK((encode_sync_send("/a,b", 0644).value() ==
         concat({from_hex("53454e44 08000000"), to_bytes("/a,b,420")})));
  CHECK((encode_sync_send_v2("/a", 0644, sync_flag::kZstd).value() ==
         from_hex("534e4432 02000000 2f61 534e4432 a4010000 04000000")));
  CHECK((encode_sync_recv_v2("/a", sync_flag::kBrotli).value() ==
         from_hex("52435632 02000000 2f61 52435632 01000000")));
  CHECK((encode_sync_data(as_bytes("xyz")) == from_hex("44415441 03000000 78797a")));
  CHECK((encode_sync_done(0x01020304) == from_hex("444f4e45 04030201")));
}

TEST_CASE("sync: responses have known bytes", "[wire]") {
  CHECK((encode_sync_stat(kStat) == from_hex("53544154 a4810000 89674523 00f15365")));
  CHECK((encode_sync_stat_v2(SyncId::lstat_v2, kStat) == from_hex("4c535432" + kStatV2Fields)));
  CHECK((encode_sync_entry(SyncVersion::v1, {kStat, "f"}) ==
         from_hex("44454e54 a4810000 89674523 00f15365 01000000 66")));
  CHECK((encode_sync_entry(SyncVersion::v2, {kStat, "f"}) ==
         from_hex("444e5432" + kStatV2Fields + "01000000 66")));
  CHECK(encode_sync_list_done(SyncVersion::v1).size() == 20);
  CHECK(encode_sync_list_done(SyncVersion::v2).size() == 76);
  CHECK((encode_sync_okay() == from_hex("4f4b4159 00000000")));
  CHECK((encode_sync_fail("no") == from_hex("4641494c 02000000 6e6f")));
}

TEST_CASE("sync: the device reads every request however it is cut", "[wire]") {
  const Bytes stream = concat({
      *encode_sync_request(SyncId::lstat_v2, "/sdcard"),
      *encode_sync_send("/a,b", 0100644),
      encode_sync_data(as_bytes("hello")),
      encode_sync_data({}),
      encode_sync_done(1700000000),
      *encode_sync_send_v2("/c", 0644, sync_flag::kLz4),
      *encode_sync_recv_v2("/d", sync_flag::kNone),
      from_hex("51554954 00000000"),
  });
  const auto read = read_every_split(SyncRequestReader(), stream, kOwnRequest);
  const std::vector<OwnedRequest> expected = {
      {.id = SyncId::lstat_v2, .path = "/sdcard"},
      {.id = SyncId::send, .path = "/a,b,33188"},
      {.id = SyncId::data, .data = "hello"},
      {.id = SyncId::data},
      {.id = SyncId::done, .mtime = 1700000000},
      {.id = SyncId::send_v2, .path = "/c", .mode = 0644, .flags = sync_flag::kLz4},
      {.id = SyncId::recv_v2, .path = "/d"},
      {.id = SyncId::quit},
  };
  CHECK((read.items == expected));
  CHECK_FALSE(read.error);
}

TEST_CASE("sync: the device refuses hostile requests", "[wire]") {
  struct Case {
    const char* name;
    std::string_view hex;
    Errc code;
  };
  const auto [name, hex, code] = GENERATE(values<Case>({
      {"unknown id", "58585858 00000000", errc::protocol},
      {"a response", "4f4b4159 00000000", errc::protocol},
      {"path of 1025 bytes", "53544154 01040000", errc::limit},
      {"path of 4 GiB", "53544154 ffffffff", errc::limit},
      {"data of 64 KiB and one", "44415441 01000100", errc::limit},
      {"SND2 followed by another id", "534e4432 00000000 52435632 00000000 00000000",
       errc::protocol},
  }));
  INFO(name);
  const auto read = read_every_split(SyncRequestReader(), from_hex(hex), kOwnRequest);
  CHECK(read.items.empty());
  CHECK(read.error == code);
}

TEST_CASE("sync: pipelined answers are matched to their requests", "[wire]") {
  const Bytes stream = concat({
      encode_sync_stat(kStat),
      encode_sync_stat_v2(SyncId::stat_v2, kStat),
      encode_sync_entry(SyncVersion::v1, {kStat, "."}),
      encode_sync_entry(SyncVersion::v1, {kStat, "a file"}),
      encode_sync_list_done(SyncVersion::v1),
      encode_sync_entry(SyncVersion::v2, {kStat, "b"}),
      encode_sync_list_done(SyncVersion::v2),
      encode_sync_data(as_bytes("bytes")),
      encode_sync_done(0),
      encode_sync_okay(),
      encode_sync_fail("couldn't create file: Permission denied"),
  });
  const auto reader = expecting({SyncAnswerTo::stat, SyncAnswerTo::stat_v2, SyncAnswerTo::list,
                                 SyncAnswerTo::list_v2, SyncAnswerTo::recv, SyncAnswerTo::send,
                                 SyncAnswerTo::send});
  const auto read = read_every_split(reader, stream, kOwnResponse);
  const std::vector<OwnedResponse> expected = {
      {Kind::stat, kStatV1},
      {Kind::stat, kStat},
      {Kind::entry, kStatV1, "."},
      {Kind::entry, kStatV1, "a file"},
      {Kind::done},
      {Kind::entry, kStat, "b"},
      {Kind::done},
      {Kind::data, {}, {}, "bytes"},
      {Kind::done},
      {Kind::okay},
      {Kind::fail, {}, "couldn't create file: Permission denied"},
  };
  CHECK((read.items == expected));
  CHECK_FALSE(read.error);
}

TEST_CASE("sync: a request is outstanding until its last response", "[wire]") {
  auto reader = expecting({SyncAnswerTo::list, SyncAnswerTo::stat});
  const Bytes entry = encode_sync_entry(SyncVersion::v1, {kStat, "a"});
  reader.feed(entry);
  REQUIRE(reader.next().value());
  CHECK(reader.outstanding() == 2);
  const Bytes end = encode_sync_list_done(SyncVersion::v1);
  reader.feed(end);
  REQUIRE(reader.next().value()->last());
  CHECK(reader.outstanding() == 1);
}

TEST_CASE("sync: a FAIL may come unasked, nothing else may", "[wire]") {
  const auto failure = read_every_split(SyncResponseReader(), encode_sync_fail("x"), kOwnResponse);
  REQUIRE(failure.items.size() == 1);
  CHECK(failure.items[0].text == "x");
  CHECK(read_every_split(SyncResponseReader(), encode_sync_okay(), kOwnResponse).error ==
        errc::protocol);
}

TEST_CASE("sync: the host refuses hostile responses", "[wire]") {
  struct Case {
    const char* name;
    SyncAnswerTo asked;
    Bytes bytes;
    Errc code;
  };
  const std::string entry = "44454e54 00000000 00000000 00000000 ";
  const auto [name, asked, bytes, code] = GENERATE_COPY(values<Case>({
      {"answer to another request", SyncAnswerTo::send, encode_sync_done(0), errc::protocol},
      {"v1 entry in a v2 list", SyncAnswerTo::list_v2, from_hex(entry), errc::protocol},
      {"data of 64 KiB and one", SyncAnswerTo::recv, from_hex("44415441 01000100"), errc::limit},
      {"failure text of 4 GiB", SyncAnswerTo::recv, from_hex("4641494c ffffffff"), errc::limit},
      {"name of 256 bytes", SyncAnswerTo::list, from_hex(entry + "00010000"), errc::limit},
      {"name of 4 GiB", SyncAnswerTo::list, from_hex(entry + "ffffffff"), errc::limit},
      {"name with a slash", SyncAnswerTo::list, from_hex(entry + "03000000 2f6574"),
       errc::protocol},
      {"name with a NUL", SyncAnswerTo::list, from_hex(entry + "02000000 6100"), errc::protocol},
      {"no name", SyncAnswerTo::list, from_hex(entry + "00000000"), errc::protocol},
  }));
  INFO(name);
  const auto read = read_every_split(expecting({asked}), bytes, kOwnResponse);
  CHECK(read.items.empty());
  CHECK(read.error == code);
}

TEST_CASE("sync: data is handed out as it comes, and is not copied", "[wire]") {
  auto host = expecting({SyncAnswerTo::recv});
  const Bytes record = encode_sync_data(as_bytes("hello"));
  const ByteView bytes(record);
  host.feed(bytes.first(10));
  const auto first = host.next().value();
  REQUIRE(first);
  CHECK(as_text(first->data) == "he");
  CHECK(first->data.data() == record.data() + 8);
  CHECK_FALSE(host.next().value());
  host.feed(bytes.subspan(10));
  const auto second = host.next().value();
  REQUIRE(second);
  CHECK(as_text(second->data) == "llo");
  CHECK_FALSE(host.next().value());
  CHECK(host.outstanding() == 1);
}

TEST_CASE("sync: what was fed may go once the reader wants more", "[wire]") {
  auto host = expecting({SyncAnswerTo::list});
  const Bytes entry = encode_sync_entry(SyncVersion::v1, {kStat, "name"});
  Bytes part(entry.begin(), entry.begin() + 20);
  host.feed(part);
  REQUIRE_FALSE(host.next().value());
  std::ranges::fill(part, std::byte{0xff});
  const Bytes rest(entry.begin() + 20, entry.end());
  host.feed(rest);
  CHECK(host.next().value()->text == "name");
}

TEST_CASE("sync: lengths at their limit pass", "[wire]") {
  CHECK(encode_sync_request(SyncId::stat, std::string(1024, 'x')));
  CHECK(encode_sync_request(SyncId::stat, std::string(1025, 'x')).error().code() == errc::limit);
  CHECK(encode_sync_request(SyncId::stat, "").error().code() == errc::invalid_argument);
  CHECK(encode_sync_send(std::string(1021, 'x'), 0644).error().code() == errc::limit);
  CHECK(encode_sync_send("", 0644).error().code() == errc::invalid_argument);
  SyncRequestReader device;
  device.feed(*encode_sync_request(SyncId::list, std::string(1024, 'x')));
  CHECK(device.next().value()->path.size() == 1024);
  device.feed(encode_sync_data(Bytes(kMaxSyncData)));
  CHECK(device.next().value()->data.size() == kMaxSyncData);
  auto host = expecting({SyncAnswerTo::list});
  const Bytes entry = encode_sync_entry(SyncVersion::v1, {{}, std::string(255, 'n')});
  host.feed(entry);
  CHECK(host.next().value()->text.size() == 255);
}

TEST_CASE("sync: the mode of a SEND is octal, decimal or hexadecimal", "[wire]") {
  struct Case {
    std::string_view body;
    SendTarget target;
  };
  const auto [body, target] = GENERATE(values<Case>({
      {"/a,0644", {"/a", 0644}},
      {"/a,420", {"/a", 0644}},
      {"/a,0x1a4", {"/a", 0644}},
      {"/a,33188", {"/a", 0100644}},
      {"/with,comma,0", {"/with,comma", 0}},
      {",1", {"", 1}},
  }));
  INFO(body);
  CHECK((parse_send_target(body).value() == target));
}

TEST_CASE("sync: a SEND without a good mode is refused", "[wire]") {
  const auto body = GENERATE(values<std::string_view>(
      {"/a", "/a,", "/a,x", "/a,0x", "/a,089", "/a,-1", "/a, 1", "/a,1 ", "/a,99999999999"}));
  INFO(body);
  CHECK(parse_send_target(body).error().code() == errc::protocol);
}

TEST_CASE("sync: the text of a device's errno is the same on every host", "[wire]") {
  const auto error =
      GENERATE(EPERM, ENOENT, EINTR, EIO, ENOMEM, EACCES, EFAULT, EEXIST, ENOTDIR, EISDIR, EINVAL,
               ENFILE, EMFILE, ETXTBSY, EFBIG, ENOSPC, EROFS, ELOOP, ENAMETOOLONG, EOVERFLOW);
  CHECK(sync_error_text(static_cast<std::uint32_t>(error)) != "Unknown error");
  CHECK(sync_error_text(ENOENT) == "No such file or directory");
  CHECK(sync_error_text(99) == "Unknown error");
}
