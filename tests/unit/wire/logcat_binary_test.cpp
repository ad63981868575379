#include "adbproto/wire/logcat.hpp"

#include "splits.hpp"
#include "support/log_records.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::string_view_literals;

namespace {

// "I", tag "E", message "hi".
const std::string kPayload = "04 4500 686900";
const std::string kPidToNsec = "d2040000 2e160000 5f3b5365 15cd5b07";

LogRecord record(std::string_view message, std::uint32_t log_id = 0, std::uint32_t uid = 0) {
  return {1234, 5678, 0x65533b5f, 123456789, log_id, uid, 'I', "E", message};
}

constexpr auto kOwnRecord = [](const LogRecord& r) {
  return std::tuple(r.pid, r.tid, r.sec, r.nsec, r.log_id, r.uid, r.priority, std::string(r.tag),
                    std::string(r.message));
};

auto read_splits(const Bytes& bytes) {
  return read_every_split(LogcatBinaryReader(), bytes, kOwnRecord);
}

}  // namespace

TEST_CASE("logcat binary: headers of every version are understood", "[wire]") {
  struct Case {
    const char* name;
    std::string header;
    LogRecord expected;
  };
  const auto [name, header, expected] = GENERATE(values<Case>({
      {"v1", "0600 0000 " + kPidToNsec, record("hi")},
      {"v1 with its size", "0600 1400 " + kPidToNsec, record("hi")},
      {"v3", "0600 1800 " + kPidToNsec + "03000000", record("hi", 3)},
      {"v4", "0600 1c00 " + kPidToNsec + "04000000 10270000", record("hi", 4, 10000)},
  }));
  INFO(name);
  const Bytes one = from_hex(header + kPayload);
  const auto read = read_splits(concat({one, one}));
  REQUIRE(read.items.size() == 2);
  CHECK((read.items[0] == kOwnRecord(expected)));
  CHECK((read.items[1] == kOwnRecord(expected)));
}

TEST_CASE("logcat binary: encoding gives the bytes logd gives", "[wire]") {
  CHECK((encode_log_record(record("hi", 4, 10000)) ==
         from_hex("0600 1c00 " + kPidToNsec + "04000000 10270000" + kPayload)));
  CHECK((encode_log_record(record("hi", 3), LogVersion::v3) ==
         from_hex("0600 1800 " + kPidToNsec + "03000000" + kPayload)));
  CHECK((encode_log_record(record("hi"), LogVersion::v1) ==
         from_hex("0600 0000 " + kPidToNsec + kPayload)));
}

TEST_CASE("logcat binary: what does not fit an entry is cut when encoding", "[wire]") {
  const std::string big(10000, 'x');
  LogcatBinaryReader reader;
  reader.feed(encode_log_record(record(big)));
  CHECK(reader.next().value()->message.size() == kMaxLogPayload - 4);
  reader.feed(encode_log_record(record("a\0b"sv)));
  CHECK(reader.next().value()->message == "a");
}

TEST_CASE("logcat binary: payloads with missing parts still give what they hold", "[wire]") {
  struct Case {
    const char* name;
    std::string_view payload;
    char priority;
    std::string_view tag;
    std::string_view message;
  };
  const auto [name, payload, priority, tag, message] = GENERATE(values<Case>({
      {"message without its NUL", "\x05T\0abc"sv, 'W', "T", "abc"},
      {"no tag", "\x06\0abc\0"sv, 'E', "", "abc"},
      {"no NUL at all", "\x07zz"sv, 'F', "", "zz"},
      {"text behind the NUL", "\x02T\0a\0b\0"sv, 'V', "T", "a"},
      {"unknown priority", "\x63T\0a\0"sv, '?', "T", "a"},
      {"nothing", ""sv, '\0', "", ""},
  }));
  INFO(name);
  Bytes bytes = from_hex("0000 1c00 " + kPidToNsec + "00000000 00000000");
  store_le(bytes.data(), static_cast<std::uint16_t>(payload.size()));
  append(bytes, as_bytes(payload));
  LogcatBinaryReader reader;
  reader.feed(bytes);
  const auto read = reader.next().value();
  REQUIRE(read);
  CHECK(read->priority == priority);
  CHECK(read->tag == tag);
  CHECK(read->message == message);
}

TEST_CASE("logcat binary: the events buffer has no text", "[wire]") {
  LogcatBinaryReader reader;
  reader.feed(from_hex("0600 1c00 " + kPidToNsec + "02000000 00000000" + kPayload));
  const auto read = reader.next().value();
  CHECK(read->priority == '\0');
  CHECK(read->message.empty());
}

TEST_CASE("logcat binary: garbage is skipped up to the next entry", "[wire]") {
  const Bytes good = encode_log_record(record("hi"));
  const std::string garbage = "--------- beginning of main\nsomething is wrong here\n";
  const auto read = read_splits(concat({good, to_bytes(garbage), good, good}));
  REQUIRE(read.items.size() == 3);
  CHECK_FALSE(read.error);
  LogcatBinaryReader reader;
  reader.feed(concat({to_bytes(garbage), good}));
  CHECK(reader.next().value()->message == "hi");
  CHECK(reader.skipped() == garbage.size());
}

TEST_CASE("logcat binary: a stream without entries ends in an error", "[wire]") {
  const Bytes junk(64 * 1024 + 21, std::byte{'j'});
  for (const std::size_t step : {junk.size(), std::size_t{1000}}) {
    LogcatBinaryReader reader;
    std::optional<Errc> error;
    for (std::size_t at = 0; at < junk.size() && !error; at += step) {
      reader.feed(ByteView(junk).subspan(at, std::min(step, junk.size() - at)));
      if (const auto item = reader.next(); !item) error = item.error().code();
    }
    CHECK(error == errc::protocol);
    CHECK(reader.next().error().code() == errc::protocol);
  }
}
