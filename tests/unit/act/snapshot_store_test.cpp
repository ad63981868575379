#include "runtime/act/snapshot_store.hpp"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>

#include "support/temp_folder.hpp"

using clawperator::act::is_tree_hash;
using clawperator::act::SnapshotStore;
namespace fs = std::filesystem;
using adbproto::testing::TempFolder;

namespace {

std::string hash_number(int n) {
  char text[16];
  std::snprintf(text, sizeof text, "%012x", n);
  return text;
}

}  // namespace

TEST_CASE("snapshot store: what was kept is found under its hash, and nothing else is") {
  const TempFolder home;
  const fs::path folder = home.path() / "snapshots";
  const SnapshotStore store(folder);
  CHECK_FALSE(store.find("1a2b3c4d5e6f"));
  store.keep("1a2b3c4d5e6f", "<hierarchy/>");
  CHECK(store.find("1a2b3c4d5e6f") == "<hierarchy/>");
  CHECK_FALSE(store.find("ffffffffffff"));
}

TEST_CASE("snapshot store: only hashes become file names") {
  CHECK(is_tree_hash("0123456789ab"));
  const auto bad = GENERATE(as<std::string>{}, "", "0123456789a", "0123456789abc", "../../../etc",
                            "0123456789AB", "0123456789a/");
  CHECK_FALSE(is_tree_hash(bad));
  const TempFolder home;
  const fs::path folder = home.path() / "snapshots";
  const SnapshotStore store(folder);
  store.keep(bad, "<hierarchy/>");
  CHECK_FALSE(fs::exists(folder));
  CHECK_FALSE(store.find(bad));
}

TEST_CASE("snapshot store: it holds the last thirty-two, for their owner only") {
  const TempFolder home;
  const fs::path folder = home.path() / "snapshots";
  const SnapshotStore store(folder);
  for (int i = 0; i < 40; ++i) {
    store.keep(hash_number(i), std::to_string(i));
    // Age them by hand: file times may be as coarse as the loop is fast.
    fs::last_write_time(folder / (hash_number(i) + ".xml"),
                        fs::file_time_type::clock::now() - std::chrono::hours(100 - i));
  }
  store.keep(hash_number(40), "40");
  std::size_t held = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++held;
  CHECK(held == SnapshotStore::kKept);
  CHECK_FALSE(store.find(hash_number(0)));
  CHECK(store.find(hash_number(40)) == "40");
  CHECK(fs::status(folder).permissions() == fs::perms::owner_all);
}

TEST_CASE("snapshot store: without a folder it holds nothing") {
  const SnapshotStore store(fs::path{});
  store.keep("1a2b3c4d5e6f", "<hierarchy/>");
  CHECK_FALSE(store.find("1a2b3c4d5e6f"));
}

TEST_CASE("snapshot store: what was shown last is known for each device, and of any") {
  const TempFolder home;
  const SnapshotStore store(home.path() / "snapshots");
  CHECK_FALSE(store.last_shown(std::nullopt));
  CHECK_FALSE(store.last_shown("a"));
  store.note_shown("a", "a", "0123456789ab");
  store.note_shown("a", "a", "aaaaaaaaaaaa");
  fs::last_write_time(home.path() / "snapshots/shown/of a",
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  store.note_shown("b", "b", "bbbbbbbbbbbb");
  CHECK(store.last_shown("a")->hash == "aaaaaaaaaaaa");
  CHECK(store.last_shown("b")->hash == "bbbbbbbbbbbb");
  CHECK(store.last_shown(std::nullopt)->serial == "b");
  store.note_shown("b", "b", "no hash");
  CHECK(store.last_shown("b")->hash == "bbbbbbbbbbbb");
}

TEST_CASE("snapshot store: twins share a serial, and each has a place") {
  const TempFolder home;
  const SnapshotStore store(home.path() / "snapshots");
  store.note_shown("TWIN", "usb:1-1", "aaaaaaaaaaaa");
  store.note_shown("TWIN", "usb:1-2", "bbbbbbbbbbbb");
  CHECK(store.last_shown("usb:1-1")->hash == "aaaaaaaaaaaa");
  CHECK(store.last_shown("usb:1-2")->hash == "bbbbbbbbbbbb");
  CHECK(store.last_shown("TWIN")->hash == "bbbbbbbbbbbb");
  // Without a name the store returns the phone's serial, and no socket, where another one may be by
  // now.
  CHECK(store.last_shown("usb:1-1")->serial == "TWIN");
  CHECK(store.last_shown(std::nullopt)->serial == "TWIN");
}

TEST_CASE("snapshot store: serials are no paths, and those that make one name are not mixed up") {
  const TempFolder home;
  const SnapshotStore store(home.path() / "snapshots");
  const std::string hostile = "../../../x", alike = ".._.._.._x";
  store.note_shown(hostile, hostile, "aaaaaaaaaaaa");
  CHECK_FALSE(fs::exists(home.path() / "x"));
  CHECK(store.last_shown(hostile)->hash == "aaaaaaaaaaaa");
  CHECK_FALSE(store.last_shown(alike));
  store.note_shown(std::string(300, 'l'), std::string(300, 'l'), "bbbbbbbbbbbb");
  CHECK(store.last_shown(std::string(300, 'l'))->hash == "bbbbbbbbbbbb");
  CHECK_FALSE(store.last_shown(std::string(299, 'l')));
}

TEST_CASE("snapshot store: of devices, too, it remembers a bounded number") {
  const TempFolder home;
  const SnapshotStore store(home.path() / "snapshots");
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    store.note_shown("phone " + number, "usb:1-" + number, "aaaaaaaaaaaa");
  }
  std::size_t held = 0;
  for ([[maybe_unused]] const auto& entry :
       fs::directory_iterator(home.path() / "snapshots/shown")) {
    ++held;
  }
  CHECK(held == 2 * SnapshotStore::kKept);
}
