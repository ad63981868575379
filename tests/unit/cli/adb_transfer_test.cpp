#include <catch2/catch.hpp>

#include "cli/adb/transfer.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator::cli;
using namespace adbproto;

namespace {

TransferResult result(std::uint64_t files, std::uint64_t skipped, std::uint64_t bytes,
                      std::chrono::microseconds took) {
  return {.files = files, .skipped = skipped, .bytes = bytes, .took = took};
}

}  // namespace

TEST_CASE("transfer summary: as adb counts") {
  using std::chrono::milliseconds;
  CHECK(transfer_summary("X", "pushed", result(1, 0, 12'582'912, milliseconds(1000))) ==
        "X: 1 file pushed, 0 skipped. 12.0 MB/s (12582912 bytes in 1.000s)");
  CHECK(transfer_summary("t/", "pulled", result(2, 1, 1'048'576, milliseconds(250))) ==
        "t/: 2 files pulled, 1 skipped. 4.0 MB/s (1048576 bytes in 0.250s)");
  CHECK(transfer_summary("X", "pushed", result(0, 1, 0, milliseconds(5))) ==
        "X: 0 files pushed, 1 skipped.");
  CHECK(transfer_summary("", "pushed", result(3, 0, 0, milliseconds(5))) ==
        "3 files pushed, 0 skipped.");
}

TEST_CASE("progress line: both percentages, cut in the middle, never a control character") {
  TransferProgress at{"/sdcard/film.mp4", 12, 100, 45, 100};
  CHECK(progress_text(at, 80) == "[ 45%] /sdcard/film.mp4: 12%");
  CHECK(progress_text(at, 20) == "[ 45%] /...mp4: 12%");
  at.total_size = 0;
  CHECK(progress_text(at, 80) == "[  ?%] /sdcard/film.mp4: 12%");
  CHECK(progress_text({"a\x1b[2Jb\n", 0, 0, 0, 1}, 80) == "[  0%] a?[2Jb?: 100%");
  CHECK(progress_text({"a\u009b2J\u202e\x9b", 0, 0, 0, 1}, 80) == "[  0%] a?2J??: 100%");
  CHECK(progress_text({"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 0, 0, 0, 1}, 19) ==
        "[  0%] ?...\u00e9: 100%");
  CHECK(progress_text({"f", 900, 100, 900, 100}, 80) == "[100%] f: 100%");
}

TEST_CASE("transfer options: what push and pull understand") {
  const adbproto::testing::Variable unset("ADB_COMPRESSION", std::nullopt);
  const auto push = read_transfer_line(TransferWay::push, {"--sync", "-z", "lz4", "a", "-n", "b"});
  REQUIRE(push);
  CHECK(push->paths == std::vector<std::string>{"a", "b"});
  CHECK(push->options.compression == Compression::lz4);
  CHECK(push->options.only_newer == adbproto::OnlyNewer::yes);
  CHECK(push->options.dry_run == adbproto::DryRun::yes);
  CHECK(read_transfer_line(TransferWay::push, {"a", "b"})->options.compression == Compression::any);
  CHECK(read_transfer_line(TransferWay::pull, {"a"})->options.compression == Compression::none);
  CHECK(read_transfer_line(TransferWay::push, {"-Z", "a"})->options.compression ==
        Compression::none);
  CHECK(read_transfer_line(TransferWay::pull, {"--sync", "a"})->options.only_newer ==
        adbproto::OnlyNewer::no);
  CHECK(read_transfer_line(TransferWay::pull, {"-a", "--", "-x"})->paths ==
        std::vector<std::string>{"-x"});
}

TEST_CASE("transfer options: what they do not understand is said in adb's words") {
  const auto [arguments, message] = GENERATE(table<std::vector<std::string>, std::string>({
      {{"-x", "a"}, "unrecognized option '-x'"},
      {{"-n", "a"}, "unrecognized option '-n'"},
      {{"-z", "foo", "a"}, "unexpected compression type foo"},
      {{"-z"}, "-z requires an argument"},
  }));
  CHECK(read_transfer_line(TransferWay::pull, arguments).error().message() == message);
}

TEST_CASE("transfer options: ADB_COMPRESSION speaks where no option does") {
  const adbproto::testing::Variable set("ADB_COMPRESSION", "brotli");
  CHECK(read_transfer_line(TransferWay::pull, {"a"})->options.compression == Compression::brotli);
  CHECK(read_transfer_line(TransferWay::pull, {"-z", "zstd", "a"})->options.compression ==
        Compression::zstd);
}

TEST_CASE("transfer options: an ADB_COMPRESSION that means nothing is said") {
  const std::string value = GENERATE(as<std::string>{}, "foo", "", "2");
  const adbproto::testing::Variable set("ADB_COMPRESSION", value);
  for (const TransferWay direction : {TransferWay::push, TransferWay::pull}) {
    CHECK(read_transfer_line(direction, {"-z", "lz4", "a"}).error().message() ==
          "unexpected compression type " + value);
  }
}

TEST_CASE("transfer options: ADB_COMPRESSION may be a number") {
  const auto [value, meant] = GENERATE(
      table<std::string, Compression>({{"0", Compression::none}, {"1", Compression::any}}));
  const adbproto::testing::Variable set("ADB_COMPRESSION", value);
  CHECK(read_transfer_line(TransferWay::push, {"a"})->options.compression == meant);
  CHECK_FALSE(read_transfer_line(TransferWay::push, {"-z", value, "a"}));
}

TEST_CASE("transfer report: what could not be read of a tree is no success") {
  TransferReport report("pushed", ProgressLine::Shown::never);
  adbproto::TransferOptions options;
  report.listen(&options);
  TransferResult all = result(1, 0, 0, {});
  options.on_source({.source = "t", .kind = adbproto::SourceOutcome::Kind::tree, .result = all});
  CHECK(report.finish(all) == 0);
  all.unread.emplace_back(errc::file_unreadable, "cannot open 't/sub': Permission denied");
  options.on_source({.source = "t", .kind = adbproto::SourceOutcome::Kind::tree, .result = all});
  CHECK(report.finish(all) == 1);
}
