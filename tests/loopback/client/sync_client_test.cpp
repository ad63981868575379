#include "adbproto/client/sync_client.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <map>

#include "support/sim_phone.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"
#include "support/unprivileged.hpp"

using namespace adbproto;
using adbproto::testing::file_text;
using adbproto::testing::noise;
using adbproto::testing::SimDevice;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;
namespace fs = std::filesystem;

namespace {

constexpr const char* kRemote = "/sdcard/Download";

// Phones as they came out: without v2, with it, with all of today.
std::vector<std::string> features_off(int phone) {
  std::vector<std::string> off;
  if (phone < 2)
    off.insert(off.end(), {"sendrecv_v2", "sendrecv_v2_zstd", "sendrecv_v2_lz4",
                           "sendrecv_v2_brotli", "sendrecv_v2_dry_run_send"});
  if (phone < 1) off.insert(off.end(), {"stat_v2", "ls_v2", "fixed_push_mkdir"});
  return off;
}

struct SyncBench : SimDevice {
  using SimDevice::SimDevice;
  std::unique_ptr<SyncClient> client = run(SyncClient::open(device())).value();

  Result<TransferResult> push(std::vector<std::string> local, std::string remote,
                              TransferOptions options = {}) {
    return run(client->push(std::move(local), std::move(remote), options, {}));
  }
  Result<TransferResult> pull(std::vector<std::string> remote, std::string local,
                              TransferOptions options = {}) {
    return run(client->pull(std::move(remote), std::move(local), options, {}));
  }
  std::string content(const std::string& path) {
    return std::string(files().read(path).value_or("<none>"));
  }
};

// Relative path -> content, links as "-> target".
std::map<std::string, std::string> tree_of(const fs::path& root) {
  std::map<std::string, std::string> tree;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = fs::relative(entry.path(), root);
    if (entry.is_symlink()) {
      tree[name] = "-> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      tree[name] = file_text(entry.path());
    }
  }
  return tree;
}

// One turn of the loop.
Task<void> breathe() {
  co_await sleep_for(Clock::duration::zero());
  co_return ok();
}

void write_odd_tree(const fs::path& root) {
  write_text(root / "empty", "");
  write_text(root / "with space", "1");
  write_text(root / "new\nline", "2");
  write_text(root / "gr\xc3\xbc\xc3\x9f \xe2\x82\xac", "3");
  write_text(root / "comma,0644", "4");
  write_text(root / "'quoted\"", "5");
  write_text(root / "-dash", "6");
  write_text(root / std::string(255, 'n'), "7");
  write_text(root / "deep/er/and/deeper/f", "8");
  for (const std::size_t size : {65535u, 65536u, 65537u, 983040u, 983041u, 2'000'000u}) {
    write_text(root / ("size" + std::to_string(size)), std::string(as_text(noise(size))));
  }
}

}  // namespace

TEST_CASE("sync client: pulling what was pushed gives the same tree, on every kind of phone") {
  const int kind = GENERATE(0, 1, 2);
  const auto compression = GENERATE(Compression::none, Compression::brotli, Compression::lz4,
                                    Compression::zstd, Compression::any);
  TempFolder folder;
  write_odd_tree(folder.path() / "tree");
  SyncBench at(features_off(kind));
  TransferOptions options;
  options.compression = compression;
  const auto pushed = at.push({folder.file("tree")}, kRemote, options);
  REQUIRE(pushed);
  CHECK(pushed->files == 15);
  CHECK(pushed->skipped == 0);
  const auto pulled = at.pull({std::string(kRemote) + "/tree"}, folder.file("back"), options);
  REQUIRE(pulled);
  CHECK(pulled->files == 15);
  CHECK(pulled->bytes == pushed->bytes);
  CHECK(tree_of(folder.path() / "back") == tree_of(folder.path() / "tree"));
}

TEST_CASE("sync client: more small files than may be unanswered") {
  TempFolder folder;
  for (int i = 0; i < 700; ++i) {
    write_text(folder.path() / "many" / std::to_string(i % 7) / std::to_string(i),
               std::to_string(i));
  }
  SyncBench at;
  CHECK(at.push({folder.file("many")}, kRemote).value().files == 700);
  CHECK(at.pull({"/sdcard/Download/many"}, folder.file("back")).value().files == 700);
  CHECK(tree_of(folder.path() / "back") == tree_of(folder.path() / "many"));
}

TEST_CASE("sync client: links are pushed as links and pulled as what they lead to") {
  TempFolder folder;
  write_text(folder.path() / "t/x", "content");
  fs::create_symlink("x", folder.path() / "t/link");
  fs::create_symlink("nowhere", folder.path() / "t/dangling");
  SyncBench at;
  CHECK(at.push({folder.file("t")}, kRemote).value().files == 3);
  CHECK(at.files().read_link("/sdcard/Download/t/link").value() == "x");
  const auto pulled = at.pull({"/sdcard/Download/t"}, folder.file("back")).value();
  CHECK(pulled.files == 2);
  REQUIRE(pulled.warnings.size() == 1);
  CHECK(pulled.warnings[0] ==
        "stat failed for path /sdcard/Download/t/dangling: No such file or directory");
  CHECK(tree_of(folder.path() / "back") ==
        std::map<std::string, std::string>{{"link", "content"}, {"x", "content"}});
}

TEST_CASE("sync client: targets are read as adb reads them") {
  TempFolder folder;
  write_text(folder.path() / "a", "A");
  write_text(folder.path() / "b", "B");
  SyncBench at;
  const std::string a = folder.file("a");
  const std::string b = folder.file("b");
  CHECK(at.push({a, b}, kRemote).value().files == 2);
  CHECK(at.content("/sdcard/Download/a") == "A");
  CHECK(at.push({a}, "/sdcard/Download/c").value().files == 1);
  CHECK(at.content("/sdcard/Download/c") == "A");
  CHECK(at.push({a, b}, "/sdcard/none").error().message() ==
        "target '/sdcard/none' is not a directory");
  CHECK(at.push({a}, "/sdcard/Download/c/").error().message().find("Not a directory") !=
        std::string::npos);
  CHECK(at.push({folder.path()}, "/sdcard/Download/c").error().message() ==
        "target '/sdcard/Download/c' is not a directory");
  CHECK(at.push({folder.file("none")}, kRemote).error().message() ==
        "cannot stat '" + folder.file("none") + "': No such file or directory");
  CHECK(at.pull({"/sdcard/none"}, folder.file("x")).error().message() ==
        "failed to stat remote object '/sdcard/none': No such file or directory");
  CHECK(at.pull({"/sdcard/Download/a", "/sdcard/Download/b"}, folder.file("none"))
            .error()
            .message() ==
        "failed to access '" + folder.file("none") + "': No such file or directory");
  CHECK(at.pull({"/sdcard/Download/a", "/sdcard/Download/b"}, a).error().message() ==
        "target '" + a + "' is not a directory");
}

TEST_CASE("sync client: with a listener each source has its own outcome") {
  TempFolder folder;
  write_text(folder.path() / "a", "A");
  SyncBench at;
  std::vector<std::string> seen;
  TransferOptions options;
  options.on_source = [&](const SourceOutcome& outcome) {
    seen.push_back(outcome.error ? outcome.error->message() : std::to_string(outcome.result.files));
  };
  const std::string none = folder.file("none");
  CHECK(at.push({none, folder.file("a")}, kRemote, options).value().files == 1);
  CHECK(seen ==
        std::vector<std::string>{"cannot stat '" + none + "': No such file or directory", "1"});
}

TEST_CASE("sync client: a file of unknown size is pushed whole") {
  SyncBench at;
  TempFolder folder;
  const std::string proc = GENERATE(as<std::string>{}, "/proc/self/environ", "/proc/self/smaps");
  const std::size_t least = file_text(proc).size() / 2;  // it is never twice the same
  CAPTURE(proc, least);
  write_text(folder.path() / "t/behind", "B");
  CHECK(at.push({proc, folder.file("t/behind")}, kRemote).value().files == 2);
  CHECK(at.content("/sdcard/Download/" + proc.substr(11)).size() >= least);
  CHECK(at.content("/sdcard/Download/behind") == "B");
}

TEST_CASE("sync client: an unreadable part of a tree is reported, the rest is pushed") {
  TempFolder folder;
  fs::permissions(folder.path(), fs::perms(0755));
  write_text(folder.path() / "t/a", "A");
  write_text(folder.path() / "t/shut/b", "B");
  fs::permissions(folder.path() / "t/shut", fs::perms(0));
  SyncBench at;
  const Error why(errc::file_unreadable,
                  "cannot open '" + folder.file("t/shut") + "': Permission denied");
  std::vector<SourceOutcome> seen;
  TransferOptions options;
  options.on_source = [&](const SourceOutcome& outcome) { seen.push_back(outcome); };
  {
    const adbproto::testing::Unprivileged reader;
    CHECK(at.push({folder.file("t")}, kRemote).error() == why);  // no server listens
    CHECK(at.content("/sdcard/Download/t/a") == "A");
    CHECK(at.push({folder.file("t")}, kRemote, options).value().unread == std::vector{why});
  }
  fs::permissions(folder.path() / "t/shut", fs::perms(0755));
  REQUIRE(seen.size() == 1);
  CHECK_FALSE(seen[0].error);
  CHECK(seen[0].result.files == 1);
  CHECK(seen[0].result.unread == std::vector{why});
}

TEST_CASE("sync client: a refused push names the file and repeats the device's words") {
  TempFolder folder;
  const std::size_t size = GENERATE(std::size_t{3}, std::size_t{5'000'000});
  write_text(folder.path() / "f", std::string(size, 'x'));
  SyncBench at;
  const auto pushed = at.push({folder.file("f")}, "/system/f");
  REQUIRE_FALSE(pushed);
  CHECK(pushed.error().code() == errc::refused);
  CHECK(pushed.error().message() == "failed to copy '" + folder.file("f") +
                                        "' to '/system/f': remote couldn't create file: "
                                        "Permission denied");
  CHECK(at.push({folder.file("f")}, kRemote).value().files == 1);  // the client lives on
}

TEST_CASE("sync client: a refused pull leaves nothing behind") {
  TempFolder folder;
  SyncBench at;
  const auto pulled = at.pull({"/system/build.prop"}, folder.file("f"));
  REQUIRE_FALSE(pulled);
  CHECK(pulled.error().message().ends_with("remote open failed: Permission denied"));
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("sync client: --sync leaves out what is there already") {
  TempFolder folder;
  write_text(folder.path() / "t/a", "1");
  write_text(folder.path() / "t/b", "2");
  SyncBench at;
  TransferOptions options;
  options.only_newer = OnlyNewer::yes;
  CHECK(at.push({folder.file("t")}, kRemote, options).value().files == 2);
  CHECK(at.push({folder.file("t")}, kRemote, options).value().skipped == 2);
  write_text(folder.path() / "t/b", "longer");
  const auto third = at.push({folder.file("t")}, kRemote, options).value();
  CHECK(third.files == 1);
  CHECK(third.skipped == 1);
  CHECK(at.content("/sdcard/Download/t/b") == "longer");
}

TEST_CASE("sync client: a dry run moves everything and writes nothing") {
  TempFolder folder;
  write_text(folder.path() / "f", std::string(200'000, 'x'));
  SyncBench at;
  TransferOptions options;
  options.dry_run = DryRun::yes;
  CHECK(at.push({folder.file("f")}, kRemote, options).value().bytes == 200'000);
  CHECK(at.content("/sdcard/Download/f") == "<none>");
  SyncBench old(features_off(1));
  CHECK(old.push({folder.file("f")}, kRemote, options).error().code() == errc::unsupported);
}

TEST_CASE("sync client: -a keeps time and mode") {
  TempFolder folder;
  write_text(folder.path() / "f", "x");
  fs::permissions(folder.path() / "f", fs::perms::owner_all);
  SyncBench at;
  REQUIRE(at.push({folder.file("f")}, kRemote));
  REQUIRE(at.files().set_mtime("/sdcard/Download/f", 1'600'000'000));
  TransferOptions options;
  options.keep_times = KeepTimes::yes;
  REQUIRE(at.pull({"/sdcard/Download/f"}, folder.file("back"), options));
  struct stat status{};
  REQUIRE(::stat(folder.file("back").c_str(), &status) == 0);
  CHECK(status.st_mtime == 1'600'000'000);
  CHECK((status.st_mode & 0700) == 0700);
}

TEST_CASE("sync client: stat, list, put and get") {
  const int kind = GENERATE(0, 2);
  SyncBench at(features_off(kind));
  CHECK(at.run(at.client->stat("/sdcard/none")).value().error == 2);
  CHECK(at.run(at.client->put("/sdcard/Download/p", 0644, to_bytes("put"))));
  CHECK(at.run(at.client->stat("/sdcard/Download/p")).value().size == 3);
  CHECK((at.run(at.client->lstat("/sdcard")).value().mode & 0170000) == 0120000);
  CHECK((at.run(at.client->stat("/sdcard")).value().mode & 0170000) == 0040000);
  CHECK(as_text(at.run(at.client->get("/sdcard/Download/p", 3)).value()) == "put");
  CHECK(at.run(at.client->get("/sdcard/Download/p", 2)).error().code() == errc::limit);
  const auto entries = at.run(at.client->list("/sdcard/Download")).value();
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].name == "p");
  CHECK(at.run(at.client->list("/sdcard/Download", DotEntries::yes)).value().size() == 3);
  CHECK(at.run(at.client->list("/sdcard/none")).error().code() == errc::refused);
  CHECK(at.run(at.client->list("/sdcard/Download/p")).error().message() ==
        "cannot list '/sdcard/Download/p': Not a directory");
  CHECK(at.run(at.client->put("/system/p", 0644, {})).error().code() == errc::refused);
}

TEST_CASE("sync client: progress grows up to the whole") {
  TempFolder folder;
  write_text(folder.path() / "t/a", std::string(3'000'000, 'a'));
  write_text(folder.path() / "t/b", "b");
  SyncBench at;
  std::uint64_t last = 0;
  const OnProgress progress = [&](const TransferProgress& now) {
    CHECK(now.total_done >= last);
    CHECK(now.total_size == 3'000'001);
    last = now.total_done;
  };
  REQUIRE(at.run(at.client->push({folder.file("t")}, kRemote, {}, progress)));
  CHECK(last == 3'000'001);
  last = 0;
  REQUIRE(at.run(at.client->pull({"/sdcard/Download/t"}, folder.file("back"), {}, progress)));
  CHECK(last == 3'000'001);
}

TEST_CASE("sync client: a pull that is cancelled leaves no half file") {
  TempFolder folder;
  SyncBench at;
  at.files().install("/sdcard/Download/big", std::string(20'000'000, 'x'));
  auto started = at.loop().start(at.client->pull({"/sdcard/Download/big"}, folder.file("big"), {},
                                                 [](const TransferProgress&) {}));
  while (fs::is_empty(folder.path())) REQUIRE(at.run(breathe()));
  started->cancel();
  CHECK_FALSE(at.loop().finish(started));
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("sync client: after a cancelled pull the next answer is not that of the last") {
  TempFolder folder;
  SyncBench at;
  at.files().install("/sdcard/Download/big", std::string(20'000'000, 'x'));
  at.files().install("/sdcard/Download/small", "hello");
  auto started = at.loop().start(at.client->pull({"/sdcard/Download/big"}, folder.file("big"), {},
                                                 [](const TransferProgress&) {}));
  while (fs::is_empty(folder.path())) REQUIRE(at.run(breathe()));
  started->cancel();
  CHECK_FALSE(at.loop().finish(started));
  const auto small = at.run(at.client->get("/sdcard/Download/small", 100));
  REQUIRE(small);
  CHECK(as_text(*small) == "hello");
}

TEST_CASE("sync client: a large file that shrinks when compressed arrives as it was") {
  const auto compression =
      GENERATE(Compression::none, Compression::brotli, Compression::lz4, Compression::zstd);
  TempFolder folder;
  std::string text;
  for (unsigned i = 0; text.size() < 3'500'000; ++i) text += "line " + std::to_string(i) + "\n";
  write_text(folder.file("text"), text);
  SyncBench at;
  TransferOptions options;
  options.compression = compression;
  const auto pushed = at.push({folder.file("text")}, kRemote, options);
  REQUIRE(pushed);
  CHECK(pushed->bytes == text.size());
  const auto pulled = at.pull({std::string(kRemote) + "/text"}, folder.file("back"), options);
  REQUIRE(pulled);
  CHECK(file_text(folder.file("back")) == text);
}

TEST_CASE("sync client: after a cancelled push of a large file the next answer is its own") {
  TempFolder folder;
  write_text(folder.file("big"), std::string(50'000'000, 'x'));
  SyncBench at;
  at.files().install("/sdcard/Download/small", "hello");
  TransferOptions options;
  options.compression = GENERATE(Compression::none, Compression::zstd);
  std::uint64_t sent = 0;
  auto started =
      at.loop().start(at.client->push({folder.file("big")}, kRemote, options,
                                      [&](const TransferProgress& now) { sent = now.total_done; }));
  while (sent == 0) REQUIRE(at.run(breathe()));
  started->cancel();
  CHECK(at.loop().finish_throws(started));
  CHECK(sent < 50'000'000);
  const auto small = at.run(at.client->get("/sdcard/Download/small", 100));
  REQUIRE(small);
  CHECK(as_text(*small) == "hello");
}
