#include "support/cassette.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>

#include "simdroid/memory_stream.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace base::parallel;
using namespace std::chrono_literals;
using Kind = CassetteRecord::Kind;

namespace {

CassetteRecord record(Kind kind, std::string_view text, std::chrono::microseconds since = 0us) {
  return {kind, since, to_bytes(text)};
}

Bytes tape(const std::vector<CassetteRecord>& records) {
  Bytes bytes = encode_cassette_header();
  for (const auto& one : records) append(bytes, encode_cassette_record(one));
  return bytes;
}

// The conversation that is recorded and replayed: a question, two answers, a goodbye.
Task<std::string> client(ByteStream* stream) {
  CO_TRY_VOID(co_await stream->write_all(as_bytes("who?")));
  CO_TRY(std::string name, co_await read_text(stream, 5));
  CO_TRY_VOID(co_await stream->write_all(as_bytes("how old, ")));
  CO_TRY_VOID(co_await stream->write_all(as_bytes(name)));
  CO_TRY(const std::string age, co_await read_text(stream, 2));
  std::byte more[1];
  const auto end = co_await stream->read_some(more);
  if (end || end.error().code() != errc::closed) co_return fail(errc::unknown, "no end");
  co_return name + " " + age;
}

Task<void> peer(ByteStream* stream) {
  CO_TRY_VOID(co_await read_text(stream, 4));
  co_await sleep_for(250ms);
  CO_TRY_VOID(co_await stream->write_all(as_bytes("Ber")));
  CO_TRY_VOID(co_await stream->write_all(as_bytes("ta")));
  CO_TRY_VOID(co_await read_text(stream, 14));
  co_await sleep_for(1s);
  CO_TRY_VOID(co_await stream->write_all(as_bytes("42")));
  stream->close();
  co_return ok();
}

Task<std::string> talk(ByteStreamPtr ours, ByteStreamPtr theirs) {
  auto [said, served] = co_await (client(ours.get()) && peer(theirs.get()));
  if (!served) co_return std::unexpected(served.error());
  co_return said;
}

Bytes record_talk(const std::string& path) {
  ManualTime time;
  Loop loop;
  auto writer = CassetteWriter::create(path);
  REQUIRE(writer);
  auto [ours, theirs] = make_memory_pair(loop.executor());
  const auto said = time.run(
      loop, talk(std::make_unique<RecordingStream>(std::move(ours), *writer), std::move(theirs)),
      50ms);
  REQUIRE(said == "Berta 42");
  CHECK_FALSE((*writer)->problem());
  return to_bytes(file_text(path));
}

}  // namespace

TEST_CASE("cassette: a file is a magic, a version and records", "[link]") {
  CHECK(tape({record(Kind::written, "hi", 5us), record(Kind::read, "x", 70000us),
              record(Kind::end, "")}) ==
        to_bytes(std::string("adbtape\x01"
                             "\x01\x05\x00\x00\x00\x02\x00\x00\x00hi"
                             "\x00\x70\x11\x01\x00\x01\x00\x00\x00x"
                             "\x02\x00\x00\x00\x00\x00\x00\x00\x00",
                             8 + 11 + 10 + 9)));
}

TEST_CASE("cassette: a recorded conversation replays to the same client", "[link]") {
  const TempFolder folder;
  const auto cassette = parse_cassette(record_talk(folder.file("talk")));
  REQUIRE(cassette);
  CHECK_FALSE(cassette->cut);
  CHECK(cassette->records.back().kind == Kind::end);

  Loop loop;
  ReplayStream replay(loop.executor(), *cassette);
  CHECK(loop.run(client(&replay)) == "Berta 42");
  CHECK(replay.finished());
  CHECK(replay.elapsed() == 1250ms);
}

TEST_CASE("cassette: each direction is written down as it passed, with its time", "[link]") {
  const TempFolder folder;
  const auto cassette = parse_cassette(record_talk(folder.file("talk")));
  REQUIRE(cassette);
  std::string written, read;
  std::chrono::microseconds total{};
  for (const auto& one : cassette->records) {
    (one.kind == Kind::written ? written : read) += as_text(one.bytes);
    total += one.since_last;
  }
  CHECK(written == "who?how old, Berta");
  CHECK(read == "Berta42");
  CHECK(total == 1250ms);
}

TEST_CASE("cassette: a reply is held back until its question was written", "[link]") {
  Loop loop;
  ReplayStream replay(loop.executor(),
                      {{record(Kind::written, "ask"), record(Kind::read, "answer")}, false});
  Bytes buffer(32);
  auto read = loop.start(replay.read_some(buffer));
  REQUIRE(loop.run(replay.write_all(as_bytes("as"))));
  loop.settle();
  CHECK_FALSE(read->done());
  REQUIRE(loop.run(replay.write_all(as_bytes("k"))));
  CHECK(loop.finish(read) == 6u);
  CHECK(replay.finished());
}

TEST_CASE("cassette: the first byte that differs is named by its offset", "[link]") {
  struct Row {
    const char* name;
    std::vector<std::string> writes;
    const char* message;
  };
  const auto row = GENERATE(values<Row>({
      {"first", {"x"}, "written byte 0 differs from the recording"},
      {"within", {"abX"}, "written byte 2 differs from the recording"},
      {"in a later write", {"ab", "cdeX"}, "written byte 5 differs from the recording"},
      {"beyond the end", {"abcdef", "g"}, "written byte 6 differs from the recording"},
  }));
  INFO(row.name);
  Loop loop;
  ReplayStream replay(loop.executor(),
                      {{record(Kind::written, "abc"), record(Kind::written, "def")}, false});
  for (std::size_t i = 0; i + 1 < row.writes.size(); ++i) {
    REQUIRE(loop.run(replay.write_all(as_bytes(row.writes[i]))));
  }
  const auto last = loop.run(replay.write_all(as_bytes(row.writes.back())));
  REQUIRE_FALSE(last);
  CHECK(last.error() == Error(errc::protocol, row.message));
}

TEST_CASE("cassette: closing a replay ends what waits on it", "[link]") {
  Loop loop;
  ReplayStream replay(loop.executor(), {{record(Kind::written, "ask")}, false});
  Bytes buffer(8);
  auto read = loop.start(replay.read_some(buffer));
  loop.settle();
  replay.close();
  const auto end = loop.finish(read);
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::closed);
}

TEST_CASE("cassette: every truncation is an error or the whole records before it", "[link]") {
  const std::vector<CassetteRecord> records{
      record(Kind::written, "question", 3us), record(Kind::read, "a", 9us),
      record(Kind::read, "nswer", 1us), record(Kind::end, "", 4us)};
  const Bytes whole = tape(records);
  std::vector<std::size_t> borders{encode_cassette_header().size()};
  for (const auto& one : records) borders.push_back(borders.back() + 9 + one.bytes.size());
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    INFO("cut at " << size);
    const auto parsed = parse_cassette(ByteView(whole).first(size));
    if (size < borders.front()) {
      REQUIRE_FALSE(parsed);
      CHECK(parsed.error().code() == errc::protocol);
      continue;
    }
    REQUIRE(parsed);
    const auto next = std::ranges::upper_bound(borders, size);
    const auto kept = static_cast<std::size_t>(next - borders.begin()) - 1;
    CHECK(parsed->records ==
          std::vector<CassetteRecord>(records.begin(),
                                      records.begin() + static_cast<std::ptrdiff_t>(kept)));
    CHECK(parsed->cut == (borders[kept] != size));
  }
}

TEST_CASE("cassette: what is no cassette is refused", "[link]") {
  struct Row {
    const char* name;
    Bytes bytes;
    Errc code;
  };
  Bytes huge = encode_cassette_header();
  append(huge, std::as_bytes(std::span("\x00\x00\x00\x00\x00\x01\x00\x00\x01", 9)));
  const auto row = GENERATE_COPY(values<Row>({
      {"nothing", {}, errc::protocol},
      {"other magic", to_bytes("adbtapf\x01"), errc::protocol},
      {"other version", to_bytes("adbtape\x02"), errc::protocol},
      {"unknown kind", tape({record(Kind{3}, "x")}), errc::protocol},
      {"empty read", tape({record(Kind::read, "")}), errc::protocol},
      {"end with bytes", tape({record(Kind::end, "x")}), errc::protocol},
      {"read after the end", tape({record(Kind::end, ""), record(Kind::read, "x")}),
       errc::protocol},
      {"two ends", tape({record(Kind::end, ""), record(Kind::end, "")}), errc::protocol},
      {"hostile length", huge, errc::limit},
  }));
  INFO(row.name);
  const auto parsed = parse_cassette(row.bytes);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code() == row.code);
}

TEST_CASE("cassette: a disk that is full does not disturb the traffic", "[link]") {
  const TempFolder folder;
  Loop loop;
  auto writer = CassetteWriter::create(folder.file("tape"));
  REQUIRE(writer);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit tight = before;
  tight.rlim_cur = 40;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);

  auto [ours, theirs] = make_memory_pair(loop.executor());
  RecordingStream stream(std::move(ours), *writer);
  const std::string text(200, 't');
  const auto written = loop.run(stream.write_all(as_bytes(text)));
  const auto arrived = loop.run(read_text(theirs.get(), text.size()));

  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  CHECK(written);
  CHECK(arrived == text);
  REQUIRE((*writer)->problem());
  CHECK((*writer)->problem()->code() == errc::io);
  const auto kept = parse_cassette(to_bytes(file_text(folder.file("tape"))));
  REQUIRE(kept);
  CHECK(kept->cut);
}

TEST_CASE("cassette: a folder that is absent is an error at once", "[link]") {
  const auto writer = CassetteWriter::create("/nowhere/at/all/tape");
  REQUIRE_FALSE(writer);
  CHECK(writer.error().code() == errc::io);
}
