#include "adbproto/session/sync_transfer.hpp"

#include <catch2/catch.hpp>

using namespace adbproto;

namespace {

constexpr std::uint32_t kFolder = 0040755;
constexpr std::uint32_t kFile = 0100644;
constexpr std::uint32_t kLink = 0120777;

SyncStat stat_of(std::uint32_t mode, std::uint64_t ino = 0, std::uint64_t size = 0) {
  SyncStat stat;
  stat.mode = mode;
  stat.dev = ino == 0 ? 0 : 1;
  stat.ino = ino;
  stat.size = size;
  return stat;
}

using Question = PullPlan::Question;
constexpr auto kList = Question::Kind::list;
constexpr auto kStat = Question::Kind::stat;

std::vector<std::string> local_names(const PullPlan& plan) {
  std::vector<std::string> names;
  for (const PullItem& item : plan.files()) names.push_back(item.local);
  return names;
}

}  // namespace

TEST_CASE("sync transfer: the last name of a path, as basename(1) has it") {
  const auto [path, name] = GENERATE(table<std::string, std::string>({
      {"/sdcard/a", "a"},
      {"a", "a"},
      {"/sdcard/a//", "a"},
      {"/", "/"},
      {"///", "/"},
      {"", ""},
      {".", "."},
      {"a/..", ".."},
  }));
  CHECK(base_name(path) == name);
}

TEST_CASE("sync transfer: names that cannot be used here are refused") {
  CHECK(local_name_of("/sdcard/a").value() == "a");
  CHECK(local_name_of("/").value().empty());
  CHECK(local_name_of("/sdcard/.").value().empty());
  CHECK(local_name_of("/sdcard/..").error().code() == errc::refused);
  CHECK(local_name_of("..").error().code() == errc::refused);
  CHECK(local_name_of(std::string("a\0b", 3)).error().code() == errc::refused);
}

TEST_CASE("sync transfer: paths are joined with one slash") {
  CHECK(join_path("/a", "b") == "/a/b");
  CHECK(join_path("/a/", "b") == "/a/b");
  CHECK(join_path("", "b") == "b");
  CHECK(join_path("a", "") == "a");
  CHECK(join_path("/", "b") == "/b");
}

TEST_CASE("request window: 128 requests wait, and half of them must be answered for a refill") {
  RequestWindow window;
  for (int i = 0; i < 128; ++i) {
    REQUIRE(window.may_send());
    window.sent(1);
  }
  CHECK_FALSE(window.may_send());
  window.answered();
  CHECK(window.may_send());
  CHECK_FALSE(window.is_half_empty());
  for (int i = 1; i < 64; ++i) window.answered();
  CHECK(window.is_half_empty());
  CHECK(window.outstanding() == 64);
}

TEST_CASE("request window: what was handed over has time to drain, but not for ever") {
  RequestWindow window;
  CHECK(window.drain_seconds() == 0);
  window.sent(1 << 20);
  CHECK(window.drain_seconds() == 4);
  window.sent(std::uint64_t{8} << 30);
  CHECK(window.drain_seconds() == 128);
  window.answered();
  window.answered();
  CHECK(window.drain_seconds() == 0);
}

TEST_CASE("pull plan: a tree is listed folder by folder, links are followed") {
  PullPlan plan("/r", stat_of(kFolder, 1));
  CHECK(plan.questions(9) == std::vector<Question>{{kList, "/r"}});
  REQUIRE(plan.on_entry({stat_of(kFolder, 1), "."}));
  REQUIRE(plan.on_entry({stat_of(kFolder, 9), ".."}));
  REQUIRE(plan.on_entry({stat_of(kFile, 2, 7), "f"}));
  REQUIRE(plan.on_entry({stat_of(kFolder, 3), "d"}));
  REQUIRE(plan.on_entry({stat_of(kLink, 4), "l"}));
  plan.on_list_end();
  CHECK(plan.questions(9) == std::vector<Question>{{kList, "/r/d"}, {kStat, "/r/l"}});
  CHECK(plan.questions(1) == std::vector<Question>{{kList, "/r/d"}});
  REQUIRE(plan.on_entry({stat_of(kFile, 5, 1), "g"}));
  plan.on_list_end();
  REQUIRE(plan.on_stat(stat_of(kFile, 2, 7)));
  CHECK(plan.questions(9).empty());
  CHECK(plan.folders() == std::vector<std::string>{"", "d"});
  CHECK(local_names(plan) == std::vector<std::string>{"f", "d/g", "l"});
  CHECK(plan.files()[1].remote == "/r/d/g");
  CHECK(plan.files()[2].size == 7);
  CHECK(plan.warnings().empty());
}

TEST_CASE("pull plan: a link to a folder above is not followed, one to a folder beside is") {
  PullPlan plan("/r", stat_of(kFolder, 1));
  REQUIRE(plan.on_entry({stat_of(kLink, 4), "up"}));
  REQUIRE(plan.on_entry({stat_of(kLink, 5), "beside"}));
  plan.on_list_end();
  REQUIRE(plan.on_stat(stat_of(kFolder, 1)));
  REQUIRE(plan.on_stat(stat_of(kFolder, 6)));
  CHECK(plan.questions(9) == std::vector<Question>{{kList, "/r/beside"}});
  CHECK(plan.skipped() == 1);
  CHECK(plan.warnings().size() == 1);
}

TEST_CASE("pull plan: without inodes a circle of links ends with the length of a path") {
  PullPlan plan("/r", stat_of(kFolder));
  Result<void> asked = ok();
  int rounds = 0;
  while (asked && rounds++ < 2000) {
    asked = plan.on_entry({stat_of(kLink), "circle"});
    if (!asked) break;
    plan.on_list_end();
    REQUIRE(plan.on_stat(stat_of(kFolder)));
  }
  REQUIRE_FALSE(asked);
  CHECK(asked.error().code() == errc::limit);
}

TEST_CASE("pull plan: a device that lists for ever runs into a bound of bytes, not of our memory") {
  PullPlan plan("/" + std::string(700, 'p'), stat_of(kFolder, 1));
  Result<void> asked = ok();
  std::size_t entries = 0;
  while (asked && entries < 1'000'000) {
    asked = plan.on_entry({stat_of(kFile, 2), std::string(250, 'n')});
    ++entries;
  }
  REQUIRE_FALSE(asked);
  CHECK(asked.error().code() == errc::limit);
  CHECK(entries < (std::size_t{64} << 20) / 1000);
}

TEST_CASE("pull plan: what cannot be moved is named in adb's words") {
  PullPlan plan("/r", stat_of(kFolder, 1));
  REQUIRE(plan.on_entry({stat_of(0010644, 2), "pipe"}));
  REQUIRE(plan.on_entry({stat_of(0140777, 3), "socket"}));
  REQUIRE(plan.on_entry({stat_of(0020666, 4), "null"}));
  REQUIRE(plan.on_entry({stat_of(kLink, 5), "gone"}));
  plan.on_list_end();
  SyncStat missing;
  missing.error = 2;
  REQUIRE(plan.on_stat(missing));
  CHECK(plan.warnings() == std::vector<std::string>{
                               "skipping special file '/r/pipe' (mode = 0o10644)",
                               "skipping special file '/r/socket' (mode = 0o140777)",
                               "stat failed for path /r/gone: No such file or directory",
                           });
  CHECK(plan.skipped() == 2);
  CHECK(local_names(plan) == std::vector<std::string>{"null"});
}

TEST_CASE("pull plan: names that lead elsewhere are errors") {
  const std::string name = GENERATE(as<std::string>{}, "a/b", "/etc/passwd", "../x", "",
                                    std::string("a\0b", 3), std::string(256, 'n'));
  PullPlan plan("/r", stat_of(kFolder, 1));
  CHECK_FALSE(plan.on_entry({stat_of(kFile, 2), name}));
  CHECK(plan.files().empty());
}

TEST_CASE("pull plan: folders within folders end at a depth, folders beside each other at 64 MiB",
          "[S13]") {
  PullPlan deep("/r", stat_of(kFolder, 1));
  Result<void> asked = ok();
  std::size_t depth = 0;
  for (; asked && depth < 1000; ++depth) {
    asked = deep.on_entry({stat_of(kFolder, 2 + depth), "d"});
    deep.on_list_end();
  }
  REQUIRE_FALSE(asked);
  CHECK(asked.error().code() == errc::limit);
  CHECK(depth <= PullPlan::kMaxDepth + 1);

  // Short names: what is remembered of a folder is more than its name.
  PullPlan wide("/r", stat_of(kFolder, 1));
  asked = ok();
  std::size_t entries = 0;
  for (; asked && entries < 4'000'000; ++entries) {
    asked = wide.on_entry({stat_of(kFolder, 2), "d"});
  }
  REQUIRE_FALSE(asked);
  CHECK(entries < (std::size_t{64} << 20) / 100);
}
